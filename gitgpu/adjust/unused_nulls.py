"""Nulls in chart values that remove nothing.

In Helm, a null removes a default of the chart. But it does not get there: Flux drops nulls when an object changes
(https://github.com/fluxcd/kustomize-controller/issues/372), and Argo CD always does
(https://github.com/argoproj/argo-cd/issues/16312).
"""

from collections.abc import Iterator, Sequence
from typing import Any

from gitgpu.access import has
from gitgpu.adjust.compiled import Compiled
from gitgpu.adjust.fault import ValuePlace, fault
from gitgpu.diagnostic import Diagnostic, Problem, Severity
from gitgpu.emit.chart.decisions import leaves
from gitgpu.emit.chart.releases import Release
from gitgpu.load.spec.merge_patch import merge_patch
from gitgpu.source import Span


def unused_nulls(clusters: Sequence[Compiled]) -> Iterator[Diagnostic]:
    """A finding for each null that removes nothing on any cluster."""
    nulls: dict[Span, ValuePlace] = {}
    used: set[Span] = set()
    for cluster in clusters:
        for release in cluster.releases:
            for place, removes in _nulls(release):
                nulls.setdefault(place.span, place)
                if removes:
                    used.add(place.span)
    for span, place in nulls.items():
        if span not in used:
            message = f"null removes nothing: neither gitgpu nor the Fleet sets {place.dotted_path}"
            remedy = "set the value that the chart needs: Flux and Argo CD do not pass a null to Helm"
            yield fault("VAL005", place, Problem(message, remedy), Severity.WARNING)


def _nulls(release: Release) -> Iterator[tuple[ValuePlace, bool]]:
    """Every null that the user sets, and whether it removes a value."""
    values: Any = release.own
    for layer in release.layers:
        for path, value in leaves(layer.values):
            if value is None:
                yield ValuePlace(layer, path), has(values, path)
        # A later layer may remove what this one sets.
        values = merge_patch(values, layer.values)
