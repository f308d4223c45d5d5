"""The pictures of the README: the report of `gitgpu simulate -o html` for docs/samples/report, as SVG.

`python -m tools.picture --update` writes docs/pictures/simulation-light.svg and -dark.svg. The nodes are those of the
report; the numbers, the verdict and the colours are read from it. A page of SVG has no line breaks and no styles of its
surroundings, so they are set here.
"""

import contextlib
import io
import re
import sys
import textwrap
from collections.abc import Iterator
from html import escape, unescape
from pathlib import Path
from typing import NamedTuple

from gitgpu.cli.main import main as gitgpu

ROOT = Path(__file__).parents[1]
SAMPLE = ROOT / "docs" / "samples" / "report"
COMMAND = ("simulate", "--workloads", "workloads.yaml", "-o", "html")
PICTURES = {name: ROOT / "docs" / "pictures" / f"simulation-{name}.svg" for name in ("light", "dark")}
WIDTH, MARGIN, GAP = 840, 24, 12
FONT = "system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', 'DejaVu Sans', sans-serif"
LETTERS_OF_A_LINE = 112


class Look(NamedTuple):
    """How a text is drawn. `anchor` is the end of it that x is the place of."""

    fill: str
    size: int
    bold: bool = False
    anchor: str = "start"


def report() -> str:
    """The report of the sample."""
    stream = io.StringIO()
    with contextlib.chdir(SAMPLE), contextlib.redirect_stdout(stream), contextlib.redirect_stderr(io.StringIO()):
        gitgpu(COMMAND)
    return stream.getvalue()


def colours(page: str) -> dict[str, dict[str, str]]:
    """The colours of the page by name, in light and in dark."""
    blocks = re.findall(r":root \{(.*?)\}", page, re.DOTALL)
    light, dark = (dict(re.findall(r"--(\w+): (#\w+);", block)) for block in blocks)
    return {"light": light, "dark": dark}


def plain(markup: str) -> str:
    """The text of a part of the page."""
    return " ".join(unescape(re.sub(r"<[^>]+>", "", markup)).split())


def picture(page: str, of: dict[str, str]) -> str:
    """The report in these colours."""
    parts: list[str] = []
    y = MARGIN + 20
    title = re.findall(r"<h1>(.*?)</h1>", page)[0]
    parts.append(_text(MARGIN, y, plain(title), Look(of["ink"], 19, bold=True)))
    parts += _chips(page, of, y)
    y += 40
    section = page[page.index('<section id="c1"') :]  # of the only cluster
    name = re.findall(r"<h2 .*?>(.*?)</h2>", section)[0]
    parts.append(_text(MARGIN, y, plain(name), Look(of["ink"], 15, bold=True)))
    figures = [found for found in re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", section) if "a month" not in found[0]]
    for number, (label, value) in enumerate(figures):
        parts.append(_text(MARGIN + number * 204, y + 34, plain(value), Look(of["ink"], 19, bold=True)))
        parts.append(_text(MARGIN + number * 204, y + 52, plain(label), Look(of["soft"], 11)))
    y += 84
    for head, nodes in re.findall(r'<h3 class="pool">(.*?)</h3>\n<div class="nodes">(.*?)</div>', section, re.DOTALL):
        pool, used = re.fullmatch(r"(.*?) <small>(.*?)</small>", head).groups()  # type: ignore[union-attr]
        parts.append(_text(MARGIN, y, plain(pool), Look(of["ink"], 14, bold=True)))
        parts.append(_text(WIDTH - MARGIN, y, plain(used), Look(of["soft"], 12, anchor="end")))
        x = MARGIN
        for node in re.findall(r"<svg .*?</svg>", nodes, re.DOTALL):
            parts.append(node.replace("<svg ", f'<svg x="{x}" y="{y + 10}" ', 1))
            x += int(re.findall(r'width="(\d+)"', node)[0]) + GAP
        y += 10 + int(re.findall(r'height="(\d+)"', nodes)[0]) + 26
    parts += _legend(section.partition("<figcaption>")[2].partition("</figcaption>")[0], of, y)
    y += 30
    lines = list(_verdict(page))
    parts.append(f'<rect x="{MARGIN}" y="{y - 13}" width="4" height="{len(lines) * 19 + 2}" fill="{of["bad"]}"/>')
    for number, line in enumerate(lines):
        colour = of["bad"] if number == 0 else of["ink"]
        parts.append(_text(MARGIN + 14, y + number * 19, line, Look(colour, 13, bold=number == 0)))
    parts.append(re.findall(r"<defs>.*?</defs>", page)[0])  # how idle GPUs are hatched
    return _page(parts, y + len(lines) * 19 + 8, re.findall(r"^(?:svg \..*)$", page, re.MULTILINE), of)


def _page(parts: list[str], height: int, rules: list[str], of: dict[str, str]) -> str:
    style = "\n".join(re.sub(r"var\(--(\w+)\)", lambda match: of[match[1]], rule) for rule in rules)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}" '
        f'font-family="{FONT}">\n<style>\nsvg text {{ font-size: 13px; }}\n'
        f"svg svg text {{ fill: {of['ink']}; }}\n{style}\n</style>\n"
        f'<rect width="{WIDTH}" height="{height}" rx="14" fill="{of["paper"]}" stroke="{of["line"]}"/>\n'
        + "\n".join(parts)
        + "\n</svg>\n"
    )


def _text(x: int, y: int, text: str, look: Look) -> str:
    weight = "; font-weight: 600" if look.bold else ""
    style = f"font-size: {look.size}px; fill: {look.fill}{weight}"
    return f'<text x="{x}" y="{y}" text-anchor="{look.anchor}" style="{style}">{escape(text)}</text>'


def _chips(page: str, of: dict[str, str], y: int) -> Iterator[str]:
    """How many workloads have each verdict, on the right."""
    colours = {"schedulable": ("goodback", "good"), "uncertain": ("doubtback", "doubt")}
    colours |= {"unschedulable": ("badback", "bad"), "none": ("paper", "soft")}  # there are none with the verdict
    x = WIDTH - MARGIN
    for verdict, text in reversed(re.findall(r'<li class="(\w+)">([^<]*able|[^<]*uncertain)</li>', page)):
        width = len(text) * 7 + 20
        x -= width
        back, ink = (of[name] for name in colours[verdict])
        yield f'<rect x="{x}" y="{y - 16}" width="{width}" height="22" rx="11" fill="{back}"/>'
        yield _text(x + width // 2, y - 1, text, Look(ink, 12, bold=True, anchor="middle"))
        x -= 8


def _legend(caption: str, of: dict[str, str], y: int) -> Iterator[str]:
    """Which workload each letter is."""
    x = MARGIN
    for kind, letter, name in re.findall(r'<li><span class="key +(\w+)">(\w?)</span>(.*?)</li>', caption):
        label = plain(name)
        box = f'<rect x="{x}" y="{y - 14}" width="18" height="18" rx="4" '
        yield f'{box}class="{kind.replace("k", "w")}"/>'
        if letter:
            yield f'<text x="{x + 9}" y="{y}" class="letter">{letter}</text>'
        yield _text(x + 24, y, label, Look(of["ink"], 13))
        x += len(label) * 7 + 44


def _verdict(page: str) -> Iterator[str]:
    """The first workload that gets no node, and the closest reason."""
    head, reason = re.findall(r'<article class="unschedulable"><h3>(.*?)</h3><ul><li>(.*?)</li>', page)[0]
    yield plain(head)
    what, _, remedy = reason.partition("<br>")
    for text in (_with_place(what), f"help: {_with_place(remedy)}"):
        yield from textwrap.wrap(text, LETTERS_OF_A_LINE)


def _with_place(markup: str) -> str:
    return plain(markup.replace("<code>", "(").replace("</code>", ")"))


def pictures() -> dict[Path, str]:
    """The text of each picture by its path."""
    page = report()
    of = colours(page)
    return {path: picture(page, of[name]) for name, path in PICTURES.items()}


def main() -> int:
    """Runs the command. Returns its exit status: 1 if a picture is out of date and is not updated."""
    stale = False
    for path, text in pictures().items():
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            stale = True
            if "--update" in sys.argv[1:]:
                path.parent.mkdir(exist_ok=True)
                path.write_text(text, encoding="utf-8")
    return 0 if not stale or "--update" in sys.argv[1:] else 1


if __name__ == "__main__":
    sys.exit(main())
