"""Output on pages (blocks in the language console): what the commands of a block print in a copy of docs/samples.

A block of samples starts with `$ cd docs/samples/FOLDER`. The blocks of a page share the copy, so that a later one
sees what an earlier one wrote. A line `...` of the output stands for any lines. `python -m tools.shown_output PAGE...`
writes what the commands print into the blocks of these pages; it keeps the lines `...`, and the result must be read.
"""

import contextlib
import difflib
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from gitgpu.cli.main import main as gitgpu

ROOT = Path(__file__).parents[1]
SAMPLES = "docs/samples"
ENTER = f"$ cd {SAMPLES}"
BLOCK = re.compile(rf"^```console\n({re.escape(ENTER)}.*?)^```$", re.MULTILINE | re.DOTALL)
ANY = "..."


class Shown(NamedTuple):
    """A command of a block, and the lines that the block shows as its output."""

    command: str
    lines: tuple[str, ...]


def shown(block: str) -> tuple[Shown, ...]:
    """The commands of a block. A command goes on behind a backslash."""
    parts = re.split(r"^\$ ((?:.*\\\n)*.*)\n", block, flags=re.MULTILINE)[1:]
    return tuple(Shown(at, tuple(of.splitlines())) for at, of in zip(parts[::2], parts[1::2], strict=True))


def blocks(page: Path) -> tuple[tuple[Shown, ...], ...]:
    """The blocks of a page that show output of samples."""
    return tuple(map(shown, BLOCK.findall(page.read_text(encoding="utf-8"))))


def pages() -> tuple[Path, ...]:
    """The pages that have such blocks."""
    texts = ((page, page.read_text(encoding="utf-8")) for page in sorted(ROOT.glob("docs/**/*.md")))
    return tuple(page for page, text in texts if BLOCK.search(text))


def real(page: Path, folder: Path) -> Iterator[tuple[Shown, tuple[str, ...]]]:
    """Each command of the blocks of a page with what it prints on both streams. The folder is empty before."""
    shutil.copytree(ROOT / SAMPLES, folder / SAMPLES)
    for block in blocks(page):
        inside = folder / block[0].command.removeprefix("cd ")
        for part in block:
            yield part, tuple(_printed(part.command, inside).splitlines())


def _printed(command: str, folder: Path) -> str:
    if command.startswith("cd "):
        return ""
    if command.startswith("gitgpu "):
        stream = io.StringIO()
        with contextlib.chdir(folder), contextlib.redirect_stdout(stream), contextlib.redirect_stderr(stream):
            gitgpu(shlex.split(command.replace("\\\n", ""))[1:])
        return stream.getvalue()
    return subprocess.run(
        ["bash", "-c", command], cwd=folder, check=True, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    ).stdout


def agrees(lines: Sequence[str], printed: Sequence[str]) -> bool:
    """Whether these lines are the printed ones, with `...` for any of them."""
    pattern = "".join("(?:.*\n)*?" if line == ANY else re.escape(f"{line}\n") for line in lines)
    return re.fullmatch(pattern, "".join(f"{line}\n" for line in printed)) is not None


def corrected(lines: Sequence[str], printed: Sequence[str]) -> tuple[str, ...]:
    """The printed lines, or those of them that are closest to the lines around each `...`."""
    if ANY not in lines:
        return tuple(printed)
    rest = list(printed)
    kept = []
    for line in lines:
        close = [line] if line == ANY else difflib.get_close_matches(line, rest, 1, 0.3)
        kept += close
        if close and line != ANY:
            del rest[: rest.index(close[0]) + 1]
    return tuple(kept)


def update(page: Path) -> None:
    """Writes what the commands print into the blocks of a page."""
    with tempfile.TemporaryDirectory() as folder:
        done = iter(list(real(page, Path(folder))))

    def written(match: re.Match[str]) -> str:
        texts = [
            "".join(f"{line}\n" for line in (f"$ {part.command}", *_new(part, printed)))
            for part, printed in (next(done) for _ in shown(match[1]))
        ]
        return f"```console\n{''.join(texts)}```"

    page.write_text(BLOCK.sub(written, page.read_text(encoding="utf-8")), encoding="utf-8")


def _new(part: Shown, printed: tuple[str, ...]) -> tuple[str, ...]:
    return part.lines if agrees(part.lines, printed) else corrected(part.lines, printed)


def main() -> int:
    """Runs the command. Returns its exit status."""
    os.environ.pop("CI", None)
    for page in map(Path, sys.argv[1:]):
        update(page)
    return 0


if __name__ == "__main__":
    sys.exit(main())
