"""Consecutive runs of the program in one directory: all output, and the changed files.

A file in `recorded/` has the `files` of a directory and the `runs`. A run is a command line, a text to `pipe` into the
next command, `commit` with a message for a Git commit, `write` with files, or `remove` with the path of a file.
"""

import io
import re
import shlex
import subprocess
from collections.abc import Iterator, Mapping
from difflib import unified_diff
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
import yaml
from syrupy.assertion import SnapshotAssertion

from tests.cli.conftest import Ran, Run
from tests.cli.fleets import write

RECORDED = Path(__file__).with_name("recorded")
WHOLE = 30  # lines of a file or a change that are recorded
COMMIT = re.compile(r"(?<=\()[0-9a-f]+(?=\))")  # the hash of a commit depends on every byte of the overlays
MOST = 30  # lines of an output that are recorded


def commit(message: str) -> None:
    """Commits the files, with a fixed date, so that the hash is the same each time."""
    if not any(Path(".git").iterdir()):
        Path(".git").rmdir()
    identity = ("-c", "user.name=a", "-c", "user.email=a@example.com")
    dated = {"GIT_AUTHOR_DATE": "2026-01-01T00:00:00Z", "GIT_COMMITTER_DATE": "2026-01-01T00:00:00Z"}
    for words in (("init", "-q"), ("add", "-A"), ("commit", "-q", "-m", message)):
        subprocess.run(
            ["git", *identity, *words], check=True, capture_output=True, env={"PATH": "/usr/bin:/bin", **dated}
        )


def files() -> dict[str, str]:
    """The files in the work tree, without the cache."""
    paths = (path for path in Path().rglob("*") if path.is_file() and not {".git", ".gitgpu_cache"} & set(path.parts))
    return {path.as_posix(): path.read_text(encoding="utf-8") for path in sorted(paths)}


def _change(name: str, before: Mapping[str, str], after: Mapping[str, str]) -> str:
    if name not in before:
        return "added"
    return "changed" if name in after else "removed"


def changes(before: Mapping[str, str], after: Mapping[str, str]) -> Iterator[str]:
    """Each file that differs: only the name for an overlay or a schema, the change for others."""
    for name in sorted({*before, *after}):
        old, new = before.get(name, ""), after.get(name, "")
        if old == new:
            continue
        yield f"* {name}: {_change(name, before, after)}"
        if "# Do not edit" not in f"{old}{new}" and ".gitgpu/" not in name:
            lines = [
                line for line in unified_diff(old.split("\n"), new.split("\n"), n=0, lineterm="") if line[:3] != "@@ "
            ]
            yield from (f"    {line}" for line in islice(lines, 2, WHOLE))


def shown(words: str, ran: Ran) -> Iterator[str]:
    """The output of a run."""
    yield f"$ gitgpu {words}"
    for mark, printed in ((" ", ran.out), ("!", ran.err)):
        text = COMMIT.sub(lambda match: "0" * len(match[0]), printed)
        lines = text.rstrip("\n").split("\n") if text else []
        yield from (f"{mark} {line}".rstrip() for line in lines[:MOST])
        if len(lines) > MOST:
            yield f"{mark} ... {len(lines)} lines"
    yield f"exit {ran.code}"


def steps(run: Run, wanted: list[Any], monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The runs, and what each changed."""
    for step in wanted:
        if isinstance(step, str):
            before = files()
            yield from (*shown(step, run(*shlex.split(step))), *changes(before, files()), "")
        elif "pipe" in step:
            monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(step["pipe"].encode())))
        elif "commit" in step:
            commit(step["commit"])
        elif "remove" in step:
            Path(step["remove"]).unlink()
        else:
            for name, content in step["write"].items():
                write(content, name)


@pytest.mark.parametrize("path", sorted(RECORDED.glob("*.yaml")), ids=lambda path: path.stem)
def test_runs(path: Path, run: Run, monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion) -> None:
    given = yaml.load(path.read_text(encoding="utf-8"), yaml.CSafeLoader)
    for name, content in given["files"].items():
        write(content, name)
    assert "\n".join(steps(run, given["runs"], monkeypatch)) == snapshot
