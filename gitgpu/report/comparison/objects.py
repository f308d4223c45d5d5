"""What a plan says of objects, field by field; and of those that leave."""

from collections.abc import Iterator, Sequence
from difflib import unified_diff
from itertools import groupby
from typing import Any

from gitgpu.compare import Change, ClusterChange, Field, Kind
from gitgpu.compare.nested import nested
from gitgpu.report.comparison.planned import Planned
from gitgpu.report.reference.field import shown_value

SIGNS = {Kind.ADDED: "+", Kind.CHANGED: "~", Kind.REMOVED: "-"}


def shown(value: Any) -> str:
    """A value of a field on one line, as in YAML; absent where there is none."""
    if value is None:
        return "(absent)"
    return value if isinstance(value, str) and value else shown_value(value)


def change_lines(change: Change) -> Iterator[str]:
    """The fields of an object that change; what came or went as a whole is one line, a list one for each entry."""
    for whole, fields in groupby(change.fields, lambda field: field.whole):
        parts = list(fields)
        yield from _field_lines(parts[0]) if len(parts) == 1 else _whole_lines(whole, parts)


def _whole_lines(whole: str, parts: Sequence[Field]) -> list[str]:
    """What came or went with several fields, nested as in the object."""
    is_new = all(part.before is None for part in parts)
    value = nested((part.path.removeprefix(whole), part.after if is_new else part.before) for part in parts)
    if isinstance(value, list):
        return [f"{whole}:", *(f"  {'+' if is_new else '-'} {shown(entry)}" for entry in value)]
    return [f"{whole}: {shown(None)} -> {shown(value)}" if is_new else f"{whole}: {shown(value)} -> {shown(None)}"]


def _field_lines(field: Field) -> list[str]:
    """A field that changes; a text of several lines as the lines that differ."""
    texts = (field.before, field.after)
    if any(isinstance(text, str) and "\n" in text for text in texts):
        before, after = (text.splitlines() if isinstance(text, str) else [] for text in texts)
        lines = list(unified_diff(before, after, n=1, lineterm=""))[2:]
        return [f"{field.path}:", *(f"  {line}" for line in lines)]
    return [f"{field.path}: {shown(field.before)} -> {shown(field.after)}"]


def leaving(cluster: ClusterChange) -> list[str]:
    """What leaves the overlays, by what becomes of it."""
    by_reason: dict[str, list[str]] = {}
    for fate in cluster.fates:
        by_reason.setdefault(fate.reason, []).append(fate.thing.name)
    return [f"{', '.join(names[:_NAMED])}{_more(names)}: {reason}" for reason, names in by_reason.items()]


_NAMED = 6


def _more(names: Sequence[str]) -> str:
    return f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""


def order(cluster: ClusterChange) -> str:
    """The layers that change, in the order in which they are applied."""
    return ", ".join(
        step.layer + (f" after {' and '.join(step.after)}" if step.after else "") + (f" ({step.by})" if step.by else "")
        for step in cluster.steps
    )


def nothing(plan: Planned) -> list[str]:
    """The lines for a plan without changes: defaults that are now written explicitly, if there are any."""
    lines: list[str] = []
    for cluster in plan.clusters:
        lines += [f"{cluster.name}: {written(change)}" for change in cluster.changes if change.is_silent]
    return lines


def written(change: Change) -> str:
    """The line for an object that only sets or unsets default values."""
    return f"{change.thing.name} only sets or unsets default values: {', '.join(change.written)}"


def change_title(change: Change) -> str:
    """`~ NodePool/h100 (nodes)`."""
    return f"{SIGNS[change.kind]} {change.thing.name} ({change.thing.layer})"
