"""Pictures of a terminal, from real runs: `python -m tools.terminal --update` writes docs/pictures/terminal.

Each run is a command in a folder of docs/samples, with the colours that it prints on a terminal.
"""

import contextlib
import io
import re
import shlex
import sys
from collections.abc import Iterable, Iterator
from html import escape
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

from gitgpu.cli.main import main as gitgpu

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "docs" / "pictures" / "terminal"
COLUMNS, LETTER, LINE, MARGIN, TOP = 96, 7.25, 18, 16, 40
FONT = "ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace"
# SGR codes as styles: dark in both light and dark surroundings, as most terminals are.
STYLES = {"1": "b", "2": "dim", "31": "red", "32": "green", "33": "yellow", "34": "blue", "36": "cyan"}
_COLOURS = (".red{fill:#ff8a80}.green{fill:#8fd694}.yellow{fill:#ffd166}.blue{fill:#8ab8ff}"
            ".cyan{fill:#7fdbe8}.dim{fill:#a7b0bb}.b{font-weight:700}")  # fmt: skip
_SGR = re.compile(r"\x1b\[([\d;]*)m")


class Run(NamedTuple):
    """A command in a folder of docs/samples, and what its picture shows."""

    folder: str
    command: str
    title: str


RUNS = {
    "validate": Run("cuda", "gitgpu validate", "gitgpu validate rejects an image with a CUDA newer than the driver"),
    "diagnose": Run(
        "diagnose", "gitgpu diagnose plugin-without-toleration.yaml", "gitgpu diagnose finds why a node has no GPUs"
    ),
}


class Span(NamedTuple):
    """A part of a line with one style. `styles` are classes of the picture."""

    text: str
    styles: tuple[str, ...]


def output(run: Run) -> str:
    """What a run prints on a terminal: its result, then its summary."""
    printed, noted = io.StringIO(), io.StringIO()
    folder = ROOT / "docs" / "samples" / run.folder
    with contextlib.chdir(folder), contextlib.redirect_stdout(printed), contextlib.redirect_stderr(noted):
        gitgpu([*shlex.split(run.command)[1:], "--color", "always"])
    return printed.getvalue() + noted.getvalue()


def spans(text: str) -> Iterator[Span]:
    """The parts of a text by their style."""
    styles: tuple[str, ...] = ()
    parts = _SGR.split(text)
    for number, part in enumerate(parts):
        if number % 2:
            codes = part.split(";")
            styles = () if codes in (["0"], [""]) else (*styles, *(STYLES[code] for code in codes if code in STYLES))
        elif part:
            yield Span(part, styles)


def lines(text: str) -> Iterator[list[Span]]:
    """The lines of a terminal that is COLUMNS wide: longer ones continue below."""
    letters = [(letter, span.styles) for span in spans(text) for letter in span.text]
    line: list[tuple[str, tuple[str, ...]]] = []
    for letter, styles in letters:
        if letter == "\n" or len(line) == COLUMNS:
            yield _joined(line)
            line = []
        if letter != "\n":
            line.append((letter, styles))
    if line:
        yield _joined(line)


def _joined(letters: Iterable[tuple[str, tuple[str, ...]]]) -> list[Span]:
    """The parts of a line: letters of one style are one part."""
    groups = groupby(letters, itemgetter(1))
    return [Span("".join(letter for letter, _ in group), styles) for styles, group in groups]


def picture(name: str, run: Run) -> str:
    """The terminal with the command and what it prints."""
    shown = [[Span("$ ", ("dim",)), Span(run.command, ("b",))], *lines(output(run).rstrip("\n"))]
    width, height = COLUMNS * LETTER + 2 * MARGIN, TOP + len(shown) * LINE + MARGIN
    texts = [_line(number, line) for number, line in enumerate(shown)]
    dots = "".join(f'<circle cx="{MARGIN + 4 + 18 * number}" cy="18" r="5" fill="#5b6572"/>' for number in range(3))
    said = "\n".join("".join(span.text for span in line) for line in shown)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="terminal" role="img" width="{width:g}" height="{height}" '
        f'viewBox="0 0 {width:g} {height}" aria-labelledby="{name}-title {name}-text">\n'
        f'<title id="{name}-title">{escape(run.title)}</title>\n<desc id="{name}-text">{escape(said)}</desc>\n'
        f"<style>.terminal text{{font:13px {FONT};fill:#e6eaef;white-space:pre}}{_rules()}</style>\n"
        f'<rect width="{width:g}" height="{height}" rx="10" fill="#14181d"/>{dots}\n' + "\n".join(texts) + "\n</svg>\n"
    )


def _rules() -> str:
    return re.sub(r"(?=\.\w+\{)", ".terminal ", _COLOURS)


def _line(number: int, line: list[Span]) -> str:
    parts, column = [], 0
    for span in line:
        style = f' class="{" ".join(span.styles)}"' if span.styles else ""
        wide = len(span.text) * LETTER
        length = f' textLength="{wide:g}"' if len(span.text) > 1 else ""
        parts.append(f'<tspan x="{MARGIN + column * LETTER:g}"{length}{style}>{escape(span.text)}</tspan>')
        column += len(span.text)
    return f'<text y="{TOP + 12 + number * LINE}" xml:space="preserve">{"".join(parts)}</text>'


def pictures() -> dict[Path, str]:
    """The text of each picture by its path."""
    return {FOLDER / f"{name}.svg": picture(name, run) for name, run in RUNS.items()}


def main() -> int:
    """Runs the command. Returns its exit status: 1 if a picture is out of date and is not updated."""
    update = "--update" in sys.argv[1:]
    stale = False
    for path, text in pictures().items():
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            stale = True
            print(path.relative_to(ROOT).as_posix())
            if update:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
    return int(stale and not update)


if __name__ == "__main__":
    sys.exit(main())
