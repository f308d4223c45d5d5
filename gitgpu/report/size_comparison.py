"""Sizes side by side: a line for each fact, with a mark if the values differ."""

from collections.abc import Mapping, Sequence
from itertools import chain, pairwise
from typing import Any

from gitgpu.model.size.availability import gpu_memory, node_gpu_memory
from gitgpu.model.sku import Sku
from gitgpu.report.findings import Style
from gitgpu.report.table import Cell, layout
from gitgpu.report.terminal import paint

_DIFFERENT, _UNKNOWN, _EQUAL = "*", "?", ""
_LEGEND = {_DIFFERENT: "the sizes differ", _UNKNOWN: "unknown for some of the sizes, or they do not have it"}
_ROW = ("spot", "premiumStorage", "encryptionAtHost", "hypervisorGenerations", "quotaFamily")
_LISTED = 5  # the most items of a list that fit into a cell
# Too long for a line; `regions` and `pricePerHour` are compared instead.
_BY_REGION = ("prices", "priceDates", "zones", "spotPrices", "restrictions")


def comparable(facts: Mapping[str, Any], sku: Sku) -> dict[str, Any]:
    """The facts of a size to compare: those of its report, and others of its row that matter for a choice."""
    memory = {"memoryGiBEach": _whole(gpu_memory(sku)), "memoryGiBOfNode": _whole(node_gpu_memory(sku))}
    return {
        **facts,
        "gpu": {**facts["gpu"], **memory},
        **{key: sku.row[key] for key in _ROW},
        "disks": dict(sku.row["disks"]),
        "karpenter": {"offer": sku.offer},
    }


def differences(sizes: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The facts in which the sizes are not all equal, each with its values in the order of the sizes."""
    left_out = ("name", *_BY_REGION)
    lines = ((fact, values) for fact, values in _lines(sizes).items() if fact not in left_out)
    return [{"fact": fact, "values": values} for fact, values in lines if _differ(values)]


def comparison(sizes: Sequence[Mapping[str, Any]], style: Style) -> str:
    """The table as text."""
    lines = _lines(sizes)
    names = lines.pop("name")
    compared = {fact: values for fact, values in lines.items() if fact not in _BY_REGION}
    marks = list(map(_mark, compared.values()))
    facts = [f"{mark:1}  {fact}" for mark, fact in zip(marks, compared, strict=True)]
    rows = [(fact, *_cells(values)) for fact, values in zip(facts, compared.values(), strict=True)]
    head, texts = layout(("", *names), rows, style)
    legend = "".join(f"{mark} {text}\n" for mark, text in _LEGEND.items() if mark in marks)
    return head + "".join(_marked(text, style) for text in texts) + legend


def _marked(row: str, style: Style) -> str:
    """The lines of a row, in bold if the sizes differ."""
    if not row.startswith(_DIFFERENT):
        return row
    return "".join(f"{paint(line, '1', colour=style.colour)}\n" for line in row.splitlines())


def _lines(sizes: Sequence[Mapping[str, Any]]) -> dict[str, list[Any]]:
    """The values of each fact by its path, such as gpu.count."""
    flat = [_flat(size) for size in sizes]
    lines: dict[str, list[Any]] = {}  # in the order in which they occur
    for fact in chain.from_iterable(flat):
        lines[fact] = [size.get(fact) for size in flat]
    return lines


def _flat(size: Mapping[str, Any], path: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for key, value in size.items():
        if isinstance(value, Mapping) and key not in _BY_REGION:
            flat.update(_flat(value, f"{path}{key}."))
        else:
            flat[path + key] = value
    return flat


def _differ(values: Sequence[Any]) -> bool:
    return any(value != before for before, value in pairwise(values))


def _mark(values: Sequence[Any]) -> str:
    facts = [value for value in values if value is not None]
    if _differ(facts):
        return _DIFFERENT
    return _EQUAL if len(facts) in (0, len(values)) else _UNKNOWN


def _cells(values: Sequence[Any]) -> list[Cell]:
    """The cells of a fact. Of a long list, only the length is shown."""
    if not isinstance(values[0], list):
        return list(values)
    if max(map(len, values)) <= _LISTED:
        return [", ".join(map(str, value)) or None for value in values]
    cells: list[Cell] = []
    for value in values:
        others = (other for other in values if other is not value)
        alone = frozenset(value).difference(*others)
        cells.append(f"{len(value)}, {len(alone)} only here")
    return cells


def _whole(number: float | None) -> float | None:
    """A whole number without .0, as in the catalog."""
    return int(number) if number is not None and number.is_integer() else number
