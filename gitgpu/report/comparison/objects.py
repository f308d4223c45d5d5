"""What a plan reports about objects: the fields that change, and what happens to removed objects."""

from collections.abc import Iterator, Sequence
from difflib import unified_diff
from itertools import groupby
from typing import Any

from gitgpu.compare import Change, ClusterChange, Field, Kind
from gitgpu.compare.nested import nest
from gitgpu.report.comparison.planned import Planned
from gitgpu.report.reference.field import shown_value
from gitgpu.spelling import comma_separated

SIGNS = {Kind.ADDED: "+", Kind.CHANGED: "~", Kind.REMOVED: "-"}
_NAMED = 6  # the most objects that a line names


def field_text(value: Any) -> str:
    """A value of a field on a line, as in YAML; `(absent)` for None."""
    if value is None:
        return "(absent)"
    return value if isinstance(value, str) and value else shown_value(value)


def change_lines(change: Change) -> Iterator[str]:
    """The fields of an object that change.

    A part that is added or removed as a whole is one line, or one for each entry.
    """
    for whole, fields in groupby(change.fields, lambda field: field.whole):
        parts = list(fields)
        yield from _field_lines(parts[0]) if len(parts) == 1 else _whole_lines(whole, parts)


def _whole_lines(whole: str, parts: Sequence[Field]) -> list[str]:
    """A part with several fields that is added or removed as a whole, nested as in the object."""
    if all(part.before is None for part in parts):
        sign, value = "+", nest((part.path.removeprefix(whole), part.after) for part in parts)
        change = f"{field_text(None)} -> {field_text(value)}"
    else:
        sign, value = "-", nest((part.path.removeprefix(whole), part.before) for part in parts)
        change = f"{field_text(value)} -> {field_text(None)}"
    if isinstance(value, list):
        return [f"{whole}:", *(f"  {sign} {field_text(entry)}" for entry in value)]
    return [f"{whole}: {change}"]


def _field_lines(field: Field) -> list[str]:
    """A field that changes. If its value has several lines, only those that differ are shown."""
    before = field.before if isinstance(field.before, str) else ""
    after = field.after if isinstance(field.after, str) else ""
    if "\n" in before or "\n" in after:
        # The first two lines of such a diff name files.
        lines = list(unified_diff(before.splitlines(), after.splitlines(), n=1, lineterm=""))[2:]
        return [f"{field.path}:", *(f"  {line}" for line in lines)]
    return [f"{field.path}: {field_text(field.before)} -> {field_text(field.after)}"]


def leaving(cluster: ClusterChange) -> list[str]:
    """The objects that are removed from the overlays, by what happens to them."""
    by_reason: dict[str, list[str]] = {}
    for fate in cluster.fates:
        by_reason.setdefault(fate.reason, []).append(fate.object.name)
    return [f"{comma_separated(names, _NAMED)}: {reason}" for reason, names in by_reason.items()]


def order(cluster: ClusterChange) -> str:
    """The layers that change, in the order in which they are applied."""
    steps = []
    for step in cluster.steps:
        after = f" after {' and '.join(step.after)}" if step.after else ""
        by = f" ({step.by})" if step.by else ""
        steps.append(f"{step.layer}{after}{by}")
    return ", ".join(steps)


def nothing(plan: Planned) -> list[str]:
    """The lines for a plan without changes: defaults that are now written explicitly, if there are any."""
    lines: list[str] = []
    for cluster in plan.clusters:
        lines += [f"{cluster.name}: {defaults_line(change)}" for change in cluster.changes if change.is_silent]
    return lines


def defaults_line(change: Change) -> str:
    """The line for an object that only sets or unsets default values."""
    return f"{change.object.name} only sets or unsets default values: {', '.join(change.written)}"


def change_title(change: Change) -> str:
    """`~ NodePool/h100 (nodes)`."""
    return f"{SIGNS[change.kind]} {change.object.name} ({change.object.layer})"
