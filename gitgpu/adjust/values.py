"""What is wrong with the values of one release: keys, types, secrets, and changed decisions of gitgpu."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from gitgpu.access import value_at
from gitgpu.adjust.fault import ValuePlace, fault
from gitgpu.diagnostic import Diagnostic, Problem, Severity
from gitgpu.emit.chart.decisions import Path
from gitgpu.emit.chart.releases import Release
from gitgpu.emit.chart.undone import undone_decisions
from gitgpu.load.explain.messages import value_text
from gitgpu.load.spec.merge_patch import Overlay, last_write
from gitgpu.model.catalog import Catalog, Facts
from gitgpu.model.spec.origin import Layer
from gitgpu.model.syntax.version import NUMBERS
from gitgpu.objects.gitops.layered_values import is_for_author
from gitgpu.objects.gitops.value_keys import Keys, remedy, unread_paths
from gitgpu.patch.secret_texts import secret_texts
from gitgpu.plan.decided.cluster import ClusterPlan

_TYPES: Mapping[type, str] = {bool: "true or false", list: "a list", dict: "a mapping"}


def value_faults(release: Release, plan: ClusterPlan, catalog: Catalog) -> Iterator[Diagnostic]:
    """What is wrong with the values that the user sets for a release."""
    keys, row = _keys(release, catalog), catalog.must("charts", release.chart.release)
    for layer in release.layers:
        if keys:
            yield from _unknown_keys(layer, release, keys, row)
        yield from _wrong_types(layer, release, keys, row)
        yield from _secrets(layer)
    yield from _changed_decisions(release, plan)


def _keys(release: Release, catalog: Catalog) -> Keys | None:
    """The keys of this version of the chart; None if the catalog has no row for it."""
    facts, numbers = catalog.facts("values", release.chart.name), NUMBERS.fullmatch(release.chart.version)
    return Keys(facts, numbers[1]) if facts and numbers and numbers[1] in facts["versions"] else None


def _unknown_keys(layer: Layer, release: Release, keys: Keys, row: Facts) -> Iterator[Diagnostic]:
    ignored = row.get("ignored") or {}  # a rule about releases reports these
    for path in unread_paths(layer.values, keys, empty=True):
        if not is_for_author(path[0]) and ".".join(path) not in ignored:
            place = ValuePlace(layer, path, at_key=True)
            message = f"version {keys.version} of the chart {release.chart.release} has no value {place.dotted_path}"
            yield fault("VAL002", place, Problem(message, remedy(path, keys, layer.values)))


def _wrong_types(layer: Layer, release: Release, keys: Keys | None, row: Facts) -> Iterator[Diagnostic]:
    samples = (row.get("defaults"), release.own)
    waiting: list[tuple[Path, Any]] = [((), layer.values)]
    while waiting:
        path, value = waiting.pop()
        wanted = expected_type(path, keys, samples)
        if not is_of_type(value, wanted):
            place = ValuePlace(layer, path)
            message = f"{place.dotted_path} must be {wanted}; found {value_text(value)}"
            yield fault("VAL004", place, Problem(message, f"use {wanted}"))
        elif isinstance(value, dict):
            waiting += [((*path, key), below) for key, below in value.items()]


def _secrets(layer: Layer) -> Iterator[Diagnostic]:
    for path in secret_texts(layer.values):
        place = ValuePlace(layer, path)
        message = f"{place.dotted_path} contains a secret in plain text, which is copied to the overlays"
        help_text = "remove it and rotate the secret; keep it in a Secret, and use the name of that Secret instead"
        yield fault("VAL006", place, Problem(message, help_text))


def _changed_decisions(release: Release, plan: ClusterPlan) -> Iterator[Diagnostic]:
    """A finding for each place and decision: values that gitgpu sets or relies on, and that the user changes."""
    reported: set[tuple[Any, ...]] = set()
    for change in undone_decisions(release, plan, release.values):
        place = _place(release, change.path)
        if (place.span, change.decision) not in reported:
            reported.add((place.span, change.decision))
            yield fault("VAL003", place, Problem(change.message, change.remedy(place.dotted_path)), Severity.WARNING)


def _place(release: Release, path: Path) -> ValuePlace:
    """Where the user changes a value: in the last layer that sets it."""
    layers = ((layer, last_write((Overlay((), layer.values),), ("spec", *path))) for layer in reversed(release.layers))
    return next(ValuePlace(layer, place.at) for layer, place in layers if place)  # one of them has changed it


def expected_type(path: Path, keys: Keys | None, samples: Sequence[Any]) -> str:
    """The type of the value at a path in words; "" if it is not known, or is text or a number."""
    if keys and keys.below(path):
        return _TYPES[dict]
    types = (_TYPES.get(type(value_at(sample, path)), "") for sample in samples)
    return next(filter(None, types), "")


def is_of_type(value: Any, wanted: str) -> bool:
    """Whether a value has the type. A null has every type, because it removes a value."""
    return not wanted or value is None or _TYPES.get(type(value)) == wanted
