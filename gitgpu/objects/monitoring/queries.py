"""PromQL queries in objects: triggers of KEDA, rules of Prometheus, rules of the adapter."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any, NamedTuple

from gitgpu.access import list_at, mapping_at
from gitgpu.model.metrics.promql import Matcher, Part, Selector, read_query, selectors
from gitgpu.model.names.kinds import PROMETHEUS_RULE, PROMETHEUS_RULE_GROUP
from gitgpu.model.syntax.templates import is_template
from gitgpu.objects.gitops.releases import Release, releases
from gitgpu.objects.objects import Item, Objects
from gitgpu.objects.workload.autoscalers import Trigger, triggers
from gitgpu.source import Pointer

DCGM = ("DCGM_FI_", "DCGM_EXP_")
# The pod that uses a GPU. Without honorLabels, Prometheus renames the labels of an exporter to exported_*.
POD_LABELS = ("pod", "container", "exported_pod", "exported_container")


@dataclass(frozen=True, slots=True, eq=False)
class Query:
    """One query: its place, its text, and the trigger that uses it, if any."""

    item: Item
    pointer: Pointer
    text: str
    trigger: Trigger | None = None

    @property
    def parts(self) -> Part | None:
        """The parsed query; None if it cannot be parsed."""
        return read_query(self.text)

    @property
    def selectors(self) -> tuple[Selector, ...]:
        """The series selectors of the query."""
        return selectors(self.parts)

    @property
    def of_dcgm(self) -> tuple[Selector, ...]:
        """The selectors of metrics of the DCGM exporter."""
        return tuple(selector for selector in self.selectors if selector.metric.startswith(DCGM))

    @property
    def dcgm_matchers(self) -> tuple[Matcher, ...]:
        """The matchers of these selectors that require a label."""
        matchers = chain.from_iterable(selector.matchers for selector in self.of_dcgm)
        return tuple(matcher for matcher in matchers if matcher.wants_label)


def queries(objects: Objects) -> Iterator[Query]:
    """Every query that has a text and is not a template."""
    all_queries = (*trigger_queries(objects), *rule_queries(objects), *_adapted(objects))
    return (query for query in all_queries if query.text and not is_template(query.text))


def trigger_queries(objects: Objects) -> Iterator[Query]:
    """The queries of triggers of type prometheus."""
    for trigger in triggers(objects):
        text = trigger.metadata.get("query")
        if trigger.type == "prometheus" and text and not is_template(text):
            yield Query(trigger.item, trigger.place("query"), text, trigger)


class _Recorded(NamedTuple):
    """A Prometheus rule and its place. With `text`, the place is a text that contains the rule."""

    item: Item
    pointer: Pointer
    body: Mapping[str, Any]
    text: bool = False

    def place(self, key: str) -> Pointer:
        """The place of a key of the rule."""
        return self.pointer if self.text else (*self.pointer, key)


def rule_queries(objects: Objects) -> Iterator[Query]:
    """The expressions of Prometheus rules. Templates of Prometheus itself are only in annotations."""
    for rule in _rules(objects):
        for key in ("expr", "expression"):  # the second is Azure's key
            if isinstance(rule.body.get(key), str):
                yield Query(rule.item, rule.place(key), rule.body[key])


def recorded_series(objects: Objects) -> frozenset[str]:
    """The names of the series that recording rules create."""
    return frozenset(str(rule.body["record"]) for rule in _rules(objects) if rule.body.get("record"))


def _rules(objects: Objects) -> Iterator[_Recorded]:
    """The rules of PrometheusRules, of Azure's rule groups and of the values of kube-prometheus-stack."""
    for item in objects.of(*PROMETHEUS_RULE):
        yield from _grouped(item, ("spec",), item.body.get("spec"))
    for item in objects.of(*PROMETHEUS_RULE_GROUP):
        yield from _listed(item, ("spec",), item.body.get("spec"))
    for release in releases(objects, "kube-prometheus-stack"):
        for path, given in _additional(release):
            for rule in _grouped(release.item, path, given):
                yield rule._replace(pointer=release.place(*rule.pointer), text=release.text)


def _additional(release: Release) -> Iterator[tuple[Pointer, Any]]:
    """The rule files in values. The chart reads the list only if the map is empty."""
    by_name = mapping_at(release.value("additionalPrometheusRulesMap"))
    yield from ((("additionalPrometheusRulesMap", name), rules) for name, rules in by_name.items())
    if not by_name:
        files = list_at(release.value("additionalPrometheusRules"))
        yield from ((("additionalPrometheusRules", index), rules) for index, rules in enumerate(files))


def _grouped(item: Item, place: Pointer, spec: Any) -> Iterator[_Recorded]:
    for index, entry in enumerate(list_at(spec, "groups")):
        yield from _listed(item, (*place, "groups", index), entry)


def _listed(item: Item, place: Pointer, group: Any) -> Iterator[_Recorded]:
    for index, rule in enumerate(list_at(group, "rules")):
        if mapping_at(rule):
            yield _Recorded(item, (*place, "rules", index), rule)


def _adapted(objects: Objects) -> Iterator[Query]:
    for release in releases(objects, "prometheus-adapter"):
        for section in ("custom", "external"):
            rules = release.value("rules", section)
            for index, rule in enumerate(rules if isinstance(rules, list) else ()):
                text = rule.get("seriesQuery") if isinstance(rule, dict) else None
                if isinstance(text, str):
                    yield Query(release.item, release.place("rules", section, index, "seriesQuery"), text)
