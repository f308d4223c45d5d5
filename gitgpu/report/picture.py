"""Nodes and their pods as a picture: SVG, drawn in the colours of the page that it stands in."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from gitgpu.report.markup import escape
from gitgpu.simulate.explain.forecast import Node

WIDTH = 960
COLOURS = 8  # of workloads; letters tell those of one colour apart
_CELL, _GAP, _PAD = 24, 4, 12
_ACROSS = 8  # GPUs in a row
_HEAD, _FOOT, _TITLE = 36, 22, 34
_MOST = 40  # nodes of a pool that are drawn one by one
_NARROWEST = 148
_SIGN = 87  # tenths: what a sign of a size's name is wide


class Box(NamedTuple):
    """A node on the page, or several that are alike."""

    node: Node
    times: int
    width: int
    height: int


def letter(number: int) -> str:
    """The letters of a workload, as spreadsheets name columns: A to Z, then AA."""
    before, at = divmod(number, 26)
    return (letter(before - 1) if before else "") + chr(ord("A") + at)


def picture(nodes: Sequence[Node], names: Mapping[int, str], title: str) -> str:
    """The nodes of a cluster, pool by pool."""
    parts: list[str] = []
    top = bottom = 0
    for pool, found in groupby(nodes, key=lambda node: node.pool):
        mine = list(found)
        parts.append(_heading(pool, mine, top))
        top += _TITLE
        for box, left, down in _laid(_boxes(mine)):
            parts.append(_card(box, left, top + down))
            bottom = top + down + box.height
        top = bottom + 2 * _PAD
    told = "; ".join(f"{node.pool}: {_said(node, names)}" for node in nodes[:_MOST])
    label = f"<title>{escape(title)}</title><desc>{escape(told)}</desc>"
    return f'<svg role="img" viewBox="0 0 {WIDTH} {max(top, 1)}" class="nodes">{label}{"".join(parts)}</svg>'


def short(sku: str) -> str:
    """A size without the word that all of them begin with."""
    return sku.removeprefix("Standard_")


def _said(node: Node, names: Mapping[int, str]) -> str:
    pods = ", ".join(f"{share.pods} of {names[share.workload]}" for share in node.shares) or "no pod"
    return f"{node.sku} with {pods}, {node.used} of {node.gpus} GPUs used"


def _heading(pool: str, nodes: Sequence[Node], top: int) -> str:
    count = f"{len(nodes)} node{'s' if len(nodes) > 1 else ''}"
    used, gpus = sum(node.used for node in nodes), sum(node.gpus for node in nodes)
    return (
        f'<text x="0" y="{top + 20}" class="pool">{escape(pool)}</text>'
        f'<text x="{WIDTH}" y="{top + 20}" class="small" text-anchor="end">{count}, {used} of {gpus} GPUs used</text>'
    )


def _boxes(nodes: Sequence[Node]) -> list[Box]:
    """A box a node; of many nodes, one for all that are alike."""
    alike = [(node, 1) for node in nodes]
    if len(nodes) > _MOST:
        alike = [(node, len(list(same))) for node, same in groupby(nodes)]
    return [_box(node, times) for node, times in alike]


def _box(node: Node, times: int) -> Box:
    cells = max(node.slots, 1)
    across, rows = min(cells, _ACROSS), -(-cells // _ACROSS)
    wide = _SIGN * (len(_named(node, times)) + len(_shared(node))) // 10
    width = 2 * _PAD + max(_NARROWEST, wide, across * (_CELL + _GAP) - _GAP)
    return Box(node, times, width, _HEAD + rows * (_CELL + _GAP) + _FOOT)


def _laid(boxes: Sequence[Box]) -> Iterator[tuple[Box, int, int]]:
    """Boxes from left to right and from top to bottom: each with its place."""
    left = down = tallest = 0
    for box in boxes:
        if left and left + box.width > WIDTH:
            left, down, tallest = 0, down + tallest + _PAD, 0
        yield box, left, down
        left, tallest = left + box.width + _PAD, max(tallest, box.height)


def _card(box: Box, left: int, top: int) -> str:
    node = box.node
    price = "price unknown" if node.most is None else f"{'≤ ' if node.price is None else ''}${node.most:,.2f}/h"
    where = "spot" if node.spot else "on demand"
    foot = box.height - 9
    parts = (
        f'<g transform="translate({left} {top})"><title>{escape(node.sku)}, {escape(_zones(node))}</title>',
        f'<rect width="{box.width}" height="{box.height}" rx="10" class="node{" spot" if node.spot else ""}"/>',
        f'<text x="{_PAD}" y="22" class="size">{escape(_named(node, box.times))}</text>',
        f'<text x="{box.width - _PAD}" y="22" class="small" text-anchor="end">{_shared(node)}</text>',
        *_cells(node),
        f'<text x="{_PAD}" y="{foot}" class="small">{where}</text>',
        f'<text x="{box.width - _PAD}" y="{foot}" class="small" text-anchor="end">{price}</text></g>',
    )
    return "".join(parts)


def _named(node: Node, times: int) -> str:
    return short(node.sku).replace("_", " ") + (f" \N{MULTIPLICATION SIGN} {times}" if times > 1 else "")


def _shared(node: Node) -> str:
    """How many GPUs the squares of a node are, where these are turns or parts."""
    return "" if node.slots == node.gpus else f" {node.gpus} GPU{'s' if node.gpus != 1 else ''}"


def _zones(node: Node) -> str:
    return f"zone {' or '.join(node.zones)}" if node.zones else "any zone"


def _cells(node: Node) -> Iterator[str]:
    """A square for each GPU, or turn on one, with the letter of the workload that has it."""
    owners = list(_owners(node))
    for at in range(max(node.slots, len(owners))):
        row, column = divmod(at, _ACROSS)
        x, y = _PAD + column * (_CELL + _GAP), _HEAD + row * (_CELL + _GAP)
        if at >= len(owners):
            yield f'<rect x="{x}" y="{y}" width="{_CELL}" height="{_CELL}" rx="4" class="free"/>'
            continue
        owner = owners[at]
        yield (
            f'<rect x="{x}" y="{y}" width="{_CELL}" height="{_CELL}" rx="4" class="w{owner % COLOURS}"/>'
            f'<text x="{x + _CELL // 2}" y="{y + 17}" class="letter">{letter(owner)}</text>'
        )


def _owners(node: Node) -> Iterator[int]:
    for share in node.shares:
        yield from [share.workload] * share.slots
