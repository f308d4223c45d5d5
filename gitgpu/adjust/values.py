"""What is wrong with the values of one release: keys, types, secrets, and decisions of gitgpu that they change."""

from collections.abc import Iterator
from typing import Any

from gitgpu.adjust.fault import ValuePlace, fault
from gitgpu.adjust.value_types import expected_type, is_of_type
from gitgpu.conform.gitops.layered_values import is_for_author
from gitgpu.conform.gitops.value_keys import Keys, remedy, unread
from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.emit.chart.decisions import Decision, Path, decision_at, leaves, relied_values
from gitgpu.emit.chart.releases import Release
from gitgpu.load.explain.messages import value_text
from gitgpu.load.spec.merge_patch import Overlay, written
from gitgpu.model.catalog import Catalog, Facts
from gitgpu.model.spec.origin import Layer
from gitgpu.model.syntax.version import NUMBERS
from gitgpu.patch.secret_texts import secret_texts
from gitgpu.plan.decided.cluster import ClusterPlan

_ABSENT = object()
_EVERY_TAINT = {"operator": "Exists"}


def value_faults(release: Release, plan: ClusterPlan, catalog: Catalog) -> Iterator[Diagnostic]:
    """What is wrong with the values that the user writes for a release."""
    known, row = _keys(release, catalog), catalog.facts("charts", release.chart.release) or {}
    for layer in release.layers:
        yield from _unknown_keys(layer, release, known, row) if known else ()
        yield from _wrong_types(layer, release, known, row)
        yield from _secrets(layer)
    yield from _changed_decisions(release, plan)


def _keys(release: Release, catalog: Catalog) -> Keys | None:
    """The keys of the chart's version; None where the catalog has no row."""
    facts, numbers = catalog.facts("values", release.chart.name), NUMBERS.fullmatch(release.chart.version)
    return Keys(facts, numbers[1]) if facts and numbers and numbers[1] in facts["versions"] else None


def _unknown_keys(layer: Layer, release: Release, known: Keys, row: Facts) -> Iterator[Diagnostic]:
    ignored = row.get("ignored") or {}  # a rule about releases reports these
    for path in unread(layer.values, known, empty=True):
        if not is_for_author(path[0]) and ".".join(path) not in ignored:
            place = ValuePlace(layer, path, at_key=True)
            message = f"version {known.version} of the chart {release.chart.release} has no value {place.dotted}"
            yield fault("VAL002", place, (message, remedy(path, known, layer.values)))


def _wrong_types(layer: Layer, release: Release, known: Keys | None, row: Facts) -> Iterator[Diagnostic]:
    samples = (row.get("defaults") or {}, release.own)
    waiting: list[tuple[Path, Any]] = [((), layer.values)]
    while waiting:
        path, value = waiting.pop()
        wanted = expected_type(path, known, samples) if path and value is not None else ""
        if not is_of_type(value, wanted):
            place = ValuePlace(layer, path)
            message = f"{place.dotted} must be {wanted}; found {value_text(value)}"
            yield fault("VAL004", place, (message, f"write {wanted}"))
        elif isinstance(value, dict):
            waiting += [((*path, key), below) for key, below in value.items()]


def _secrets(layer: Layer) -> Iterator[Diagnostic]:
    for path in secret_texts(layer.values):
        place = ValuePlace(layer, path)
        message = f"{place.dotted} contains a secret in plain text, which is copied to the overlays"
        help_text = "remove it, and change the secret; keep it in a Secret, and write the name of that Secret instead"
        yield fault("VAL006", place, (message, help_text))


def _changed_decisions(release: Release, plan: ClusterPlan) -> Iterator[Diagnostic]:
    """The values that gitgpu sets, or relies on, and that the user changes; one finding for a place and a decision."""
    told: set[tuple[Any, ...]] = set()
    merged, relied = release.values, relied_values(plan, release.chart)
    own = dict(leaves(release.own))
    for path, value in [*own.items(), *((path, value) for path, value in leaves(relied) if path not in own)]:
        actual = _at(merged, path)
        if path in release.copied or _is_kept(path, value, actual, is_own=path in own):
            continue
        place, decision = _place(release, path), decision_at(release.chart.release, path)
        if place and (place.span, decision) not in told:
            told.add((place.span, decision))
            yield fault("VAL003", place, _change(place, path, actual, decision), Severity.WARNING)


def _change(place: ValuePlace, path: Path, actual: Any, decision: Decision | None) -> tuple[str, str]:
    """The message and the remedy about a changed decision."""
    what = f"{'.'.join(path)}: {value_text(actual)}" if actual is not _ABSENT else f"removing {'.'.join(path)}"
    meaning = decision.meaning if decision else "gitgpu sets this value"
    keys = " or ".join(decision.keys) if decision else ""
    remedy_text = f"remove {place.dotted}, and use {keys} to change this" if keys else f"remove {place.dotted}"
    return f"{what} undoes a decision of gitgpu: {meaning}", remedy_text


def _is_kept(path: Path, value: Any, actual: Any, *, is_own: bool) -> bool:
    """Is a value as gitgpu has it? A list may have more entries, or tolerate every taint.

    A default holds where nothing is written.
    """
    if actual is _ABSENT:
        return not is_own
    if isinstance(value, list) and isinstance(actual, list):
        return all(entry in actual for entry in value) or (path[-1] == "tolerations" and _EVERY_TAINT in actual)
    return bool(value == actual)


def _at(values: Any, path: Path) -> Any:
    for key in path:
        if not isinstance(values, dict) or key not in values:
            return _ABSENT
        values = values[key]
    return values


def _place(release: Release, path: Path) -> ValuePlace | None:
    """Where the user decides on a value: in the last layer that does so."""
    for layer in reversed(release.layers):
        found = written((Overlay((), layer.values),), ("spec", *path))
        if found:
            return ValuePlace(layer, found.at)
    return None
