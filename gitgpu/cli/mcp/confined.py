"""Runs one command of gitgpu in a process that only reads, and only below some directories.

`python -m gitgpu.cli.mcp.confined DIRECTORY... -- COMMAND [ARGUMENT]...`

Python asks the hook of this module before it opens, lists, writes, starts or connects to anything. So a path is refused
wherever it comes from: an argument, a symbolic link, the configuration, a kustomization or the document of a fleet. The
command reports a refused file as one that it may not read.
"""

import os
import sys
from collections.abc import Callable, Sequence
from errno import EACCES, EROFS
from typing import Any

from gitgpu.cli import main
from gitgpu.cli.mcp.directories import is_outside
from gitgpu.load.read import data_root

_GIT = ("git", "git.exe")  # the only program that gitgpu runs: load/git.py, which says how it is kept from writing
# Prefixes of events that change something, run something or connect, except those of `_HARMLESS`.
_REFUSED = ("os.", "shutil.", "socket.", "subprocess.", "tempfile.", "pty.", "webbrowser.")
_HARMLESS = frozenset({"os.chdir", "os.fork", "os.kill", "os.fwalk", "os.walk", "os.putenv", "os.unsetenv"})
_LISTED = frozenset({"os.listdir", "os.scandir"})
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_TRUNC


def hook(directories: Sequence[str]) -> Callable[[str, tuple[Any, ...]], None]:
    """The audit hook that refuses everything but reading below these directories, and gitgpu's own files."""
    installed = [os.path.realpath(path) for path in (*sys.path, data_root()) if path]
    readable = frozenset((*directories, *installed))

    def check(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open":
            path, _, flags = arguments
            if flags & _WRITING and not isinstance(path, int):
                raise PermissionError(EROFS, "the server only reads")
            _check_path(path, readable)
        elif event in _LISTED:
            _check_path(arguments[0] or os.curdir, readable)
        elif event == "subprocess.Popen":
            if os.path.basename(arguments[0]) not in _GIT:
                raise PermissionError(EACCES, "the server runs no program")
        elif event.startswith(_REFUSED) and event not in _HARMLESS:
            raise PermissionError(EACCES, f"the server only reads: {event}")

    return check


def _check_path(path: object, readable: frozenset[str]) -> None:
    if not isinstance(path, int) and is_outside(os.fsdecode(path), readable):  # type: ignore[arg-type]
        raise PermissionError(EACCES, "it is outside the directories that the server was started with")


def run(words: Sequence[str]) -> None:
    """Confines this process, and runs the command after `--` as the console script does."""
    end = words.index("--")
    sys.addaudithook(hook(words[:end]))
    sys.argv[1:] = words[end + 1 :]
    main.run()


if __name__ == "__main__":
    run(sys.argv[1:])
