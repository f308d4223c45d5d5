"""The diagrams of the documentation, as SVG: `python -m tools.diagrams --update` writes docs/pictures/diagrams.

tools/diagrams.yaml says what they show. A diagram is readable in light and dark: as an image by the setting of the
browser, on the site by its choice. Its title and description are read by screen readers.
"""

import sys
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

import yaml

ROOT = Path(__file__).parents[1]
DATA = Path(__file__).with_suffix(".yaml")
FOLDER = ROOT / "docs" / "pictures" / "diagrams"
WIDTH, MARGIN, GAP, LINE = 720, 14, 30, 16
BETWEEN = 12  # cells of a table
LETTERS_OF_A_CELL = 14
FONT = "system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', 'DejaVu Sans', sans-serif"
# Ink, soft ink, line, paper; then the fill of each kind. Ink on each fill has a contrast of more than 7:1.
LIGHT = {
    "ink": "#1b1f24", "soft": "#4b535d", "line": "#8a939e", "paper": "#ffffff", "input": "#eef1f4", "gitgpu": "#dcebff",
    "output": "#dcf3e2", "aks": "#ece4fb", "you": "#fdf0cf", "stop": "#fde2df",
}  # fmt: skip
DARK = {
    "ink": "#eef1f4", "soft": "#b9c1cb", "line": "#7d8793", "paper": "#16191d", "input": "#2a2f36", "gitgpu": "#17345c",
    "output": "#173d26", "aks": "#372a57", "you": "#463a13", "stop": "#571f1c",
}  # fmt: skip
KINDS = ("input", "gitgpu", "output", "aks", "you", "stop")


class Box(NamedTuple):
    """A rectangle in pixels, with the lines in it. The first line is bold."""

    x: float
    y: float
    wide: float
    high: float
    kind: str
    text: Sequence[str]

    @property
    def middle(self) -> float:
        """The x of its middle."""
        return self.x + self.wide / 2


def diagrams() -> dict[Path, str]:
    """The text of each diagram by its path."""
    drawn = yaml.safe_load(DATA.read_text(encoding="utf-8"))
    return {FOLDER / f"{name}.svg": diagram(name, facts) for name, facts in drawn.items()}


def diagram(name: str, facts: Mapping[str, Any]) -> str:
    """A diagram as SVG."""
    boxes = {key: _placed(box, facts) for key, box in facts.get("boxes", {}).items()}
    parts = [*map(_box, boxes.values())]
    for start, end, *label in facts.get("arrows", ()):
        parts += _arrow(boxes[start], boxes[end], name, *label)
    cells = [*_cells(facts["table"], facts)] if "table" in facts else []
    parts += map(_box, cells)
    bottom = max(box.y + box.high for box in (*boxes.values(), *cells))
    return _page(name, facts, parts, bottom + MARGIN)


def _placed(box: Mapping[str, Any], facts: Mapping[str, Any]) -> Box:
    column, row = box["at"]
    wide = (WIDTH - 2 * MARGIN - (facts["columns"] - 1) * GAP) / facts["columns"]
    span = box.get("wide", 1)
    x, y = MARGIN + column * (wide + GAP), MARGIN + row * (facts["high"] + GAP)
    return Box(x, y, span * wide + (span - 1) * GAP, facts["high"], box["kind"], box["text"].split(" | "))


def _cells(table: Mapping[str, Any], facts: Mapping[str, Any]) -> Iterator[Box]:
    """The cells of a table: a head, and rows whose cells are KIND/TEXT."""
    wide = (WIDTH - 2 * MARGIN - (facts["columns"] - 1) * BETWEEN) / facts["columns"]
    for row, line in enumerate((table["head"], *table["rows"])):
        for column, text in enumerate(line):
            kind, slash, inside = text.partition("/")
            x, y = MARGIN + column * (wide + BETWEEN), MARGIN + row * (facts["high"] + BETWEEN)
            yield Box(x, y, wide, facts["high"], kind if slash else "", _halves(inside) if slash else [text])


def _halves(text: str) -> list[str]:
    """A cell on one or two lines, none of them bold."""
    words = text.split()
    if len(text) <= LETTERS_OF_A_CELL or len(words) < 2:
        return ["", text]
    return ["", " ".join(words[:-1]), words[-1]]


def _box(box: Box) -> str:
    lines = [line for line in box.text if line]
    y = box.y + box.high / 2 - (len(lines) - 1) * LINE / 2 + 5
    texts = []
    for number, line in enumerate(lines):
        style = "head" if line is box.text[0] else "line"
        texts.append(f'<text class="{style}" x="{box.middle:g}" y="{y + number * LINE:g}">{escape(line)}</text>')
    shape = f'<rect class="{box.kind}" x="{box.x:g}" y="{box.y:g}" width="{box.wide:g}" height="{box.high:g}" rx="7"/>'
    return "\n".join([shape, *texts] if box.kind else texts)


def _arrow(start: Box, end: Box, name: str, label: str = "") -> Iterator[str]:
    """From one box to another: along a row, or down; between columns with a bend halfway."""
    if start.y == end.y:
        points = [(start.x + start.wide, start.y + start.high / 2), (end.x, end.y + end.high / 2)]
    else:
        bend = (start.y + start.high + end.y) / 2
        points = [(start.middle, start.y + start.high), (start.middle, bend), (end.middle, bend), (end.middle, end.y)]
    style = "arrow if" if label else "arrow"
    path = " L".join(f"{x:g} {y:g}" for x, y in dict.fromkeys(points))
    yield f'<path class="{style}" d="M{path}" marker-end="url(#{name}-head)"/>'


def _page(name: str, facts: Mapping[str, Any], parts: Sequence[str], high: float) -> str:
    colours = [";".join(f"--{key}:{value}" for key, value in of.items()) for of in (LIGHT, DARK)]
    fills = "".join(f".diagram .{kind}{{fill:var(--{kind})}}" for kind in KINDS)
    style = (
        f".diagram{{{colours[0]}}}@media (prefers-color-scheme:dark){{.diagram{{{colours[1]}}}}}"
        f'body[data-theme="light"] .diagram{{{colours[0]}}}body[data-theme="dark"] .diagram{{{colours[1]}}}'
        f".diagram rect{{stroke:var(--line)}}.diagram .paper{{fill:var(--paper)}}{fills}"
        ".diagram text{text-anchor:middle;fill:var(--soft);font-size:12px}"
        ".diagram .head{fill:var(--ink);font-size:14px;font-weight:600}"
        ".diagram .arrow{fill:none;stroke:var(--soft);stroke-width:1.5}.diagram .if{stroke-dasharray:4 3}"
        ".diagram .tip{fill:var(--soft)}@media print{.diagram{" + colours[0] + "}}"
    )
    title, description = escape(facts["title"]), escape(" ".join(facts["description"].split()))
    tip = (
        f'<marker id="{name}-head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="diagram" role="img" width="{WIDTH}" height="{high:g}" '
        f'viewBox="0 0 {WIDTH} {high:g}" aria-labelledby="{name}-title {name}-text" font-family="{FONT}">\n'
        f'<title id="{name}-title">{title}</title>\n<desc id="{name}-text">{description}</desc>\n'
        f'<style>{style}</style>\n<defs>{tip}<path class="tip" d="M0 0 L8 4 L0 8 z"/></marker></defs>\n'
        f'<rect class="paper" x=".5" y=".5" width="{WIDTH - 1}" height="{high - 1:g}" rx="10"/>\n'
        + "\n".join(parts)
        + "\n</svg>\n"
    )


def main() -> int:
    """Runs the command. Returns its exit status: 1 if a diagram is out of date and is not updated."""
    update = "--update" in sys.argv[1:]
    stale = [path for path, text in diagrams().items() if not path.exists() or path.read_text(encoding="utf-8") != text]
    for path in stale:
        print(path.relative_to(ROOT).as_posix())
        if update:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(diagrams()[path], encoding="utf-8")
    return int(bool(stale) and not update)


if __name__ == "__main__":
    sys.exit(main())
