"""A pool or workload as one cluster sees it: YAML with the place of each value, or JSON."""

from collections.abc import Iterator, Sequence
from typing import Any

from gitgpu.model.effective import Effective, Value
from gitgpu.report.envelope import envelope
from gitgpu.report.reference.field import shown_value
from gitgpu.source import pointer_text

_WIDEST = 60  # columns: the places are aligned behind the longest value of at most this width


def as_yaml(effective: Effective) -> str:
    """The document as YAML. A comment says where each value is set, or that it is a default."""
    lines = list(_lines(effective.values))
    width = max((len(line) for line, _ in lines if len(line) <= _WIDEST), default=0)
    text = f"# {effective.ref.kind} {effective.ref.name} on {effective.cluster}\n"
    for line, place in lines:
        text += f"{line:{width}}  # {place}\n" if place else f"{line}\n"
    return text


def _lines(values: tuple[Value, ...]) -> Iterator[tuple[str, str]]:
    """Each line and the place of its value; "" for the line of a mapping."""
    above: tuple[str | int, ...] = ()
    for value in values:
        *parents, key = value.pointer
        for depth in range(_shared_depth(parents, above), len(parents)):
            yield f"{'  ' * depth}{shown_value(parents[depth])}:", ""
        place = f"{value.span.file}:{value.span.line}" if value.span else "default"
        place = place if parents else ""  # apiVersion and kind
        yield f"{'  ' * len(parents)}{shown_value(key)}: {shown_value(value.value)}", place
        above = tuple(parents)


def _shared_depth(parents: Sequence[str | int], above: Sequence[str | int]) -> int:
    """How many parents a line shares with the line above."""
    for depth, (key, other) in enumerate(zip(parents, above, strict=False)):
        if key != other:
            return depth
    return min(len(parents), len(above))


def as_json(effective: Effective) -> str:
    """The document, and for each value its pointer and its place; null for a default."""
    values: list[dict[str, Any]] = []
    for value in effective.values:
        place = str(value.span) if value.span else None
        values.append({"pointer": pointer_text(value.pointer), "value": value.value, "place": place})
    about = {"kind": effective.ref.kind, "namespace": effective.ref.namespace or None, "name": effective.ref.name}
    content = {"object": about, "cluster": effective.cluster, "document": dict(effective.data), "values": values}
    return envelope("EffectiveObject", content)
