"""PromQL queries wherever objects hold them: triggers of KEDA, rules of Prometheus, rules of the adapter."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from gitgpu.conform.gitops.releases import releases
from gitgpu.conform.objects import Item, Objects, reach
from gitgpu.conform.workload.autoscalers import Trigger, triggers
from gitgpu.model.promql import Part, Selector, read, selectors
from gitgpu.model.templates import is_template
from gitgpu.source import Pointer

DCGM = ("DCGM_FI_", "DCGM_EXP_")


@dataclass(frozen=True, slots=True, eq=False)
class Query:
    """One query: where it stands, its text, and the trigger that asks it, if one does."""

    item: Item
    pointer: Pointer
    text: str
    trigger: Trigger | None = None

    @property
    def parts(self) -> Part | None:
        """The query in parts; None when it cannot be read."""
        return read(self.text)

    @property
    def selectors(self) -> tuple[Selector, ...]:
        """The series that it asks for."""
        return selectors(self.parts)

    @property
    def of_dcgm(self) -> tuple[Selector, ...]:
        """Those of the DCGM exporter."""
        return tuple(one for one in self.selectors if one.metric.startswith(DCGM))


def queries(objects: Objects) -> Iterator[Query]:
    """Every query that can be read."""
    found = (*asked(objects), *ruled(objects), *_adapted(objects))
    return (one for one in found if one.text and not is_template(one.text))


def asked(objects: Objects) -> Iterator[Query]:
    """The queries of triggers of type prometheus."""
    for one in triggers(objects):
        text = one.metadata.get("query")
        if one.type == "prometheus" and text and not is_template(text):
            yield Query(one.item, one.place("query"), text, one)


def ruled(objects: Objects) -> Iterator[Query]:
    """The expressions of PrometheusRules; Prometheus' own templates stand in annotations, never in these."""
    for item, pointer, rule in _rules(objects):
        expression = rule.get("expr")
        if isinstance(expression, str):
            yield Query(item, (*pointer, "expr"), expression)


def recorded(objects: Objects) -> frozenset[str]:
    """The names of the series that PrometheusRules record."""
    return frozenset(str(rule["record"]) for _, _, rule in _rules(objects) if rule.get("record"))


def _rules(objects: Objects) -> Iterator[tuple[Item, Pointer, dict[str, Any]]]:
    for item in objects.of("monitoring.coreos.com", "PrometheusRule"):
        for at, family in enumerate(reach(item.body, "spec", "groups") or ()):
            for number, rule in enumerate(reach(family, "rules") or ()):
                if rule:
                    yield item, ("spec", "groups", at, "rules", number), rule


def _adapted(objects: Objects) -> Iterator[Query]:
    for release in releases(objects, "prometheus-adapter"):
        for family in ("custom", "external"):
            given = release.value("rules", family)
            for at, rule in enumerate(given if isinstance(given, list) else ()):
                text = rule.get("seriesQuery") if isinstance(rule, dict) else None
                if isinstance(text, str):
                    yield Query(release.item, release.place("rules", family, at, "seriesQuery"), text)
