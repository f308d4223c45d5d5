"""A source of an Application without the required fields."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import APPLICATION
from gitgpu.objects.objects import Item, Objects
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.source import Pointer


def _check(objects: Objects) -> Iterator[Finding]:
    for item in objects.of(*APPLICATION):
        yield from (Finding(item, *fault) for fault in _faults(item))


def _faults(item: Item) -> Iterator[tuple[Pointer, str, str]]:
    spec = reach(item.body, "spec") or {}
    if spec.get("sourceHydrator"):
        return  # it replaces the sources
    sources = spec.get("sources") or ()
    if not sources and not spec.get("source"):
        yield ("spec",), "the Application has no source", "add a source with a repoURL and a path or chart"
    for index, source in enumerate(sources):
        yield from _source_faults(source, ("spec", "sources", index), shared=True)
    if not sources and spec.get("source"):  # GIT004: with sources, Argo CD ignores source
        yield from _source_faults(spec["source"], ("spec", "source"), shared=False)


def _source_faults(source: Mapping[str, Any], place: Pointer, *, shared: bool) -> Iterator[tuple[Pointer, str, str]]:
    # In `sources`, one with only a ref provides values files for the others.
    named = source.get("path") or source.get("chart") or (shared and source.get("ref"))
    if not named:
        yield place, "the source has neither a path nor a chart", "add a path in the repository, or a chart"
    if source.get("chart") and not source.get("targetRevision"):
        message = f"the chart {source['chart']} has no version"
        yield (*place, "chart"), message, "add targetRevision with an exact version"


RULE = Rule(
    code="GIT003",
    name="incomplete-source",
    severity=Severity.ERROR,
    summary="A source of an Argo CD Application has neither a path nor a chart, or a chart without a version.",
    help="Argo CD reports InvalidSpecError for the Application and syncs nothing.",
    sources=(
        "https://github.com/argoproj/argo-cd/blob/109ca7ca71139e514114499d294a492e7910a965/util/argo/argo.go",
        "https://argo-cd.readthedocs.io/en/stable/user-guide/application-specification/",
    ),
    check=_check,
)
