"""`gitgpu --help` and `gitgpu --version` without click, because importing click takes longer than all the rest.

Tests prove that click prints the same.
"""

import os
import sys
from collections.abc import Iterator, Sequence

from gitgpu import __version__, cli
from gitgpu.cli.commands import command_folders, summary

HELP = """The compiler for AKS GPU fleets: one fleet spec in, plain manifests for Flux or Argo CD out.

Start with `gitgpu init`, then `gitgpu build`. Everything works offline.
"""
_OPTIONS = {
    "-V, --version": "Show the version and exit.",
    "-C DIR": "Run as if started in DIR; findings still show paths from the current directory.",
    "--config FILE": "The configuration file. Default: the nearest .gitgpu.yaml, from the fleet upwards.",
    "-q, --quiet": "Print only findings and results: no summary, no progress.",
    "-h, --help": "Show this message and exit.",
}
_COLUMNS = 80  # the widest text that click prints
_WIDTH = _COLUMNS - 2  # as HelpFormatter of click


def overview(arguments: Sequence[str]) -> str:
    """What click prints for these arguments, or "" if click itself has to print it."""
    if "_GITGPU_COMPLETE" in os.environ or sys.flags.optimize > 1:
        return ""
    if list(arguments) in (["--version"], ["-V"]):
        return f"gitgpu, version {__version__}\n"
    return _help() if list(arguments) in (["--help"], ["-h"]) and not _is_narrow() else ""


def _help() -> str:
    text = "Usage: gitgpu [OPTIONS] COMMAND [ARGS]...\n"
    for paragraph in HELP.strip().split("\n\n"):
        lines = _wrap(paragraph, _WIDTH - 2)
        text += "".join(f"\n  {line}" for line in lines) + "\n"
    summaries = {name: summary(cli, folder) for name, folder in command_folders(cli).items()}
    return text + _table("Options", _OPTIONS) + _table("Commands", summaries)


def _table(title: str, rows: dict[str, str]) -> str:
    """Two columns below a title."""
    first = max(map(len, rows)) + 2
    text = f"\n{title}:\n"
    for name, meaning in rows.items():
        lines = _wrap(meaning, _WIDTH - 2 - first)
        text += f"  {name:<{first}}" + f"\n  {'':<{first}}".join(lines) + "\n"
    return text


def _wrap(text: str, width: int) -> Iterator[str]:
    """Breaks the text into lines between words. `textwrap` would be imported only for this."""
    line = ""
    for word in text.split():
        if line and len(line) + 1 + len(word) > width:
            yield line
            line = word
        else:
            line = f"{line} {word}".strip()
    yield line


def _is_narrow() -> bool:
    """Whether the terminal may have fewer columns than click uses at most."""
    if "COLUMNS" in os.environ:
        return os.environ["COLUMNS"] != str(_COLUMNS)
    try:
        return os.get_terminal_size(1).columns < _COLUMNS
    except OSError:  # stdout is not a terminal
        return False
