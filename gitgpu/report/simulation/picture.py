"""Nodes and their pods as pictures: an SVG for each node, which keeps its size on narrow screens and wraps in HTML."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from gitgpu.report.html.markup import escape
from gitgpu.simulate.forecast import Node
from gitgpu.simulate.usage import is_unrequested
from gitgpu.spelling import count_text

COLOURS = 8  # of workloads; letters distinguish those that have the same colour
# Pixels: a square, the space between two squares, the space around them; then the lines above and below.
_CELL, _GAP, _PAD = 24, 4, 12
_ACROSS = 8  # GPUs in a row
_HEAD, _FOOT = 36, 22
_MAX_PICTURES = 40  # the most nodes of a pool that get a picture each
_NARROWEST = 172  # for the line below: `on demand` and `up to $1,234.56/h` take 153 pixels in Helvetica
_CHARACTER = 87  # tenths of a pixel: the widest that a character of a size's name is drawn


def letter(number: int) -> str:
    """The letters of a workload, in the way spreadsheets name columns: A to Z, then AA."""
    before, at = divmod(number, 26)
    return (letter(before - 1) if before else "") + chr(ord("A") + at)


def picture(nodes: Sequence[Node], names: Mapping[int, str]) -> str:
    """The nodes of a cluster, pool by pool; `names` are the workloads by number."""
    by_pool = groupby(nodes, key=attrgetter("pool"))
    return "".join(_pool(pool, list(in_pool), names) for pool, in_pool in by_pool)


def short(sku: str) -> str:
    """A size without the prefix that all sizes have."""
    return sku.removeprefix("Standard_")


def _pool(pool: str, nodes: Sequence[Node], names: Mapping[int, str]) -> str:
    used, gpus = sum(node.used for node in nodes), sum(node.gpus for node in nodes)
    small = f"<small>{', '.join([count_text(len(nodes), 'node'), *_used(used, gpus)])}</small>"
    cards = "".join(_card(node, times, names) for node, times in _grouped(nodes))
    return f'<h3 class="pool">{escape(pool)} {small}</h3>\n<div class="nodes">{cards}</div>\n'


def _grouped(nodes: Sequence[Node]) -> list[tuple[Node, int]]:
    """The nodes to draw, each with the number of equal nodes: if there are many, equal nodes share a picture."""
    if len(nodes) <= _MAX_PICTURES:
        return [(node, 1) for node in nodes]
    return [(node, len(list(same))) for node, same in groupby(nodes)]


def _card(node: Node, times: int, names: Mapping[int, str]) -> str:
    width, height = _extent(node, times)
    foot, right = height - 9, width - _PAD
    parts = (
        f'<svg role="img" width="{width}" height="{height}" viewBox="0 0 {width} {height}">',
        f"<title>{escape(_description(node, times, names))}</title>",
        f'<rect x="1" y="1" width="{width - 2}" height="{height - 2}" rx="10"',
        f' class="node{" spot" if node.spot else ""}"/>',
        f'<text x="{_PAD}" y="22" class="size">{escape(_heading(node, times))}</text>',
        f'<text x="{right}" y="22" class="small" text-anchor="end">{_gpus(node)}</text>',
        *_cells(node),
        f'<text x="{_PAD}" y="{foot}" class="small">{_capacity_type(node)}</text>',
        f'<text x="{right}" y="{foot}" class="small" text-anchor="end">{_price(node)}</text></svg>',
    )
    return "".join(parts)


def _extent(node: Node, times: int) -> tuple[int, int]:
    """Width and height of a picture in pixels."""
    cells = max(len(_marks(node)), 1)
    across, rows = min(cells, _ACROSS), -(-cells // _ACROSS)
    text = _CHARACTER * (len(_heading(node, times)) + len(_gpus(node))) // 10
    width = 2 * _PAD + max(_NARROWEST, text, across * (_CELL + _GAP) - _GAP)
    return width, _HEAD + rows * (_CELL + _GAP) + _FOOT


def _description(node: Node, times: int, names: Mapping[int, str]) -> str:
    """The content of the picture, for screen readers and as a tooltip."""
    pods = ", ".join(f"{share.pods} of {names[share.workload]}" for share in node.shares) or "no pod"
    zones = f"zone {' or '.join(node.zones)}" if node.zones else "any zone"
    count = f"{times} nodes, each " if times > 1 else ""
    terms = f"{_capacity_type(node)}, {_price(node)}"
    return "; ".join([f"{count}{node.sku}, {zones}: {pods}", *_used(node.used, node.gpus), terms])


def _used(used: int, gpus: int) -> tuple[str, ...]:
    """How many GPUs are used; "" for sizes without GPUs in Azure's API, such as NV V710."""
    return (f"{used} of {gpus} GPUs used",) if gpus else ()


def _heading(node: Node, times: int) -> str:
    return short(node.sku).replace("_", " ") + (f" \N{MULTIPLICATION SIGN} {times}" if times > 1 else "")


def _gpus(node: Node) -> str:
    """The number of GPUs of a node if its squares are shares or parts of GPUs."""
    return "" if node.slots == node.gpus else f" {count_text(node.gpus, 'GPU')}"


def _capacity_type(node: Node) -> str:
    return "spot" if node.spot else "on demand"


def _price(node: Node) -> str:
    if node.maximum is None:
        return "price unknown"
    return f"{'up to ' if node.price is None else ''}${node.maximum:,.2f}/h"


def _cells(node: Node) -> Iterator[str]:
    """A square for each GPU, share or part, and a circle for each workload whose pods request none."""
    for index, mark in enumerate(_marks(node)):
        row, column = divmod(index, _ACROSS)
        x, y = _PAD + column * (_CELL + _GAP), _HEAD + row * (_CELL + _GAP)
        look = mark.look if mark.owner is None else f"w{mark.owner % COLOURS}"
        radius = 4 if mark.is_gpu else _CELL // 2
        yield f'<rect x="{x}" y="{y}" width="{_CELL}" height="{_CELL}" rx="{radius}" class="{look}"/>'
        if mark.owner is not None:
            yield f'<text x="{x + _CELL // 2}" y="{y + 17}" class="letter">{letter(mark.owner)}</text>'


class _Mark(NamedTuple):
    """What is drawn for a GPU, or for a workload whose pods request none: its owner, or how it looks without one."""

    owner: int | None
    look: str = ""
    is_gpu: bool = True


def _marks(node: Node) -> list[_Mark]:
    marks: list[_Mark] = []
    for share in node.shares:
        marks += [_Mark(share.workload)] * share.slots
    free = "mute" if is_unrequested(node) else "idle"
    marks += [_Mark(None, free)] * (node.slots - len(marks))
    marks += [_Mark(share.workload, is_gpu=False) for share in node.shares if not share.slots]
    return marks
