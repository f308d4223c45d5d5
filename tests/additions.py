"""The bad example of every rule as a slip in something real: a file more in an overlay, documents more in the fleet."""

import json
from collections.abc import Iterator
from functools import cache
from typing import Any

import yaml

from gitgpu.diagnostic import Diagnostic
from gitgpu.front import validated
from gitgpu.lint import LintOptions, lint
from gitgpu.load.catalog.folders import Folder
from gitgpu.load.manifest.manifests import read_manifests
from gitgpu.load.text import Text
from gitgpu.rule import Rule
from tests.check.examples import BASE, CLOCK, INVENTED
from tests.mutations import FLEET, ROOT, overlay, todays_norms

CLUSTERS = ("overlays/lab-weu", "overlays/prod-eus", "overlays/prod-swc")
ALONE = {
    "GIT015": "the overlay has a repository of its own, and the example's path is the whole of one",
    "GIT017": "the overlay applies its charts and its objects in layers of their own",
    "KED021": "the GPUs of the overlay's pools are enough for the replicas",
    "KED025": "the overlay brings what answers for the metric",
    "MON002": "the overlay's exporter exports the counter",
    "MON006": "the overlay's monitor keeps the labels",
    "MON017": "the overlay's exporter says which pod uses a GPU",
    "MON019": "the overlay's monitor selects the overlay's exporter",
    "MON007": "the overlay's exporter sets the labels",
    "MON009": "the overlay's exporter may profile",
    "NPL026": "the overlay's pools are no twins of it, and it is told of a cluster that has no others",
    "SHR007": "the overlay's nodes choose among several configs",
    "STK038": "a NodePool of the overlay has nodes with the driver of AKS",
    "STK027": "the overlay's nodes have the other driver root",
    "MON090": "the overlay's exporter has the right",
    "SHR090": "the overlay has a device plugin that shares nothing",
    "SHR091": "the overlay has a device plugin that shares nothing",
}


def in_overlays(rule: Rule[Any, Any]) -> bool:
    """Whether lint tells of the example in an overlay, as a part of a cluster or as the whole of it."""
    return any(
        rule.code in _codes(_joined(one, rule.bad), LintOptions("1.36", closed=closed)) - before(one, closed=closed)
        for one in CLUSTERS
        for closed in (False, True)
    )


def alone(rule: Rule[Any, Any]) -> bool:
    """Whether lint tells of the example when it is the whole cluster."""
    return rule.code in _codes(iter([Text("extra.yaml", rule.bad, "extra.yaml")]), LintOptions("1.36", closed=True))


def in_fleet(rule: Rule[Any, Any]) -> bool:
    """Whether validate tells of the example in the example fleet."""
    text = Text(FLEET, "\n---\n".join(map(json.dumps, _merged(rule.bad))), FLEET)
    first = rule.bad.partition("\n")[0]
    today = first.removeprefix(CLOCK) if first.startswith(CLOCK) else ""
    return rule.code in {one.code for one in validated((text,), (Folder(INVENTED, "mine"),), today).diagnostics}


@cache
def before(cluster: str, *, closed: bool) -> set[str]:
    """What is told of the overlay as it is: as a whole cluster it lacks the workloads, which their owners have."""
    texts = (Text(name, content, name) for name, content in overlay(cluster))
    return _codes(texts, LintOptions("1.36", closed=closed))


def _merged(text: str) -> list[dict[str, Any]]:
    """The fleet with these documents: one of a kind and name that is there takes its place, and so does a Fleet."""
    there = [
        *yaml.load_all((ROOT / FLEET).read_text("utf-8"), yaml.CSafeLoader),
        yaml.load(BASE["GpuPool"], yaml.CSafeLoader),
    ]
    new = list(yaml.load_all(text, yaml.CSafeLoader))
    taken = {_key(one) for one in new}
    return [*(one for one in there if _key(one) not in taken), *new]


def _key(document: dict[str, Any]) -> tuple[str, str, str]:
    kind, meta = document["kind"], document["metadata"]
    return kind, "" if kind == "Fleet" else meta["name"], meta.get("namespace", "")


def _joined(cluster: str, text: str) -> Iterator[Text]:
    """The overlay with one file more, which its kustomization.yaml names."""
    index = f"{cluster}/kustomization.yaml"
    for name, content in overlay(cluster):
        yield Text(name, f"{content}- extra.yaml\n" if name == index else content, name)
    yield Text(f"{cluster}/extra.yaml", text, f"{cluster}/extra.yaml")


def _codes(texts: Iterator[Text], asked: LintOptions) -> set[str]:
    found: tuple[Diagnostic, ...] = lint(read_manifests(texts), (), todays_norms(), asked).diagnostics
    return {one.code for one in found}
