"""If a build is killed at any step, every file is either old or new, and the next build finishes the work."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from gitgpu.load.generated import advice
from gitgpu.write.apply import apply
from gitgpu.write.cache import Stamp
from gitgpu.write.cache_file import needs_no_build
from gitgpu.write.scope import Scope

CLUSTERS = frozenset(("a", "b", "c"))
WHOLE = Scope(CLUSTERS, CLUSTERS)
OLD_STAMP, NEW_STAMP = Stamp("gitgpu", "c", "old"), Stamp("gitgpu", "c", "new")
OLD_BODIES = {"a/k.yaml": "old a", "a/nodes/x.yaml": "same", "b/nodes/y.yaml": "old y", "b/nodes/z.yaml": "old z"}
NEW_BODIES = {"a/k.yaml": "new a", "a/nodes/x.yaml": "same", "a/nodes/w.yaml": "new w", "c/sync/v.yaml": "new v"}
OLD, NEW = (
    {path: f"# {advice(path)}\n{body}\n" for path, body in bodies.items()} for bodies in (OLD_BODIES, NEW_BODIES)
)
TEMPORARY = ".gitgpu-write.tmp"

# For each line that it reads, the program forks a child that builds; a new process would import everything again.
# The child dies at its Nth disk operation below the root: just before an event, or in the middle of a write.
PROGRAM = """
import builtins, contextlib, json, os, signal, sys
from gitgpu.write.apply import apply
from gitgpu.write.cache import Stamp
from gitgpu.write.scope import Scope

def last():
    global left
    left -= 1
    return left == 0

def die():
    os.kill(os.getpid(), signal.SIGKILL)

def audit(event, args):
    touches = event in ("os.rename", "os.remove", "os.mkdir", "os.rmdir") and str(args[0]).startswith((root, cache))
    if touches and last():
        die()

class Dying:
    def __init__(self, file):
        self.file = file

    def write(self, data):
        if last():
            self.file.write(data[: len(data) // 2])
            self.file.flush()
            die()
        self.file.write(data)

    def writelines(self, parts):
        for part in parts:
            self.write(part)

@contextlib.contextmanager
def opened(path, mode, **more):
    with real(path, mode, **more) as file:
        yield file if mode == "rb" else Dying(file)

def written(file, content):
    if last():
        write(file, content[: len(content) // 2])
        die()
    return write(file, content)

def build(jobs, stamp, files, clusters):
    builtins.open = opened
    os.write = written
    sys.addaudithook(audit)
    clusters = frozenset(clusters)
    done = apply(root, files, Stamp(*stamp), Scope(clusters, clusters), jobs)
    write(answer, json.dumps([done.diagnostics, at - left]).encode())

real, write = open, os.write
for line in sys.stdin:
    root, at, *asked = json.loads(line)
    left, cache = at, os.path.join(os.path.dirname(root), ".gitgpu_cache")
    read, answer = os.pipe()
    child = os.fork()
    if not child:
        build(*asked)
        os._exit(0)
    os.close(answer)
    with real(read) as answered:
        text = answered.read()
    print(json.dumps([os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), text]), flush=True)
"""


class Ended(NamedTuple):
    """How a build ended: its exit status, and its output if it was not killed."""

    status: int
    answer: str


Run = Callable[..., Ended]


@pytest.fixture(scope="module")
def run() -> Iterator[Run]:
    """Builds in a separate process that kills itself at disk operation number `at`."""
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    command = [sys.executable, "-c", PROGRAM]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, env=environment) as program:
        assert program.stdin
        assert program.stdout
        sent, answered = program.stdin, program.stdout

        def go(root: Path, files: dict[str, str], stamp: Stamp, at: int, jobs: int = 1) -> Ended:
            print(json.dumps([str(root), at, jobs, stamp, files, sorted(CLUSTERS)]), file=sent, flush=True)
            return Ended(*json.loads(answered.readline()))

        yield go


def manifests(root: Path) -> dict[str, str]:
    paths = {p.relative_to(root).as_posix(): p for p in root.rglob("*") if p.is_file() and p.name != TEMPORARY}
    return {path: p.read_text() for path, p in paths.items()}


def finish(root: Path, files: dict[str, str], stamp: Stamp) -> None:
    done = apply(str(root), files, stamp, WHOLE)
    assert (done.diagnostics, done.edited) == ((), ())
    everything = {p.relative_to(root).as_posix() for p in root.rglob("*") if p.is_file() or not any(p.iterdir())}
    assert everything == {*files}
    assert manifests(root) == files
    assert needs_no_build(str(root), stamp)


def events(run: Run, tmp_path: Path, old: dict[str, str]) -> int:
    """The number of disk operations of an undisturbed build."""
    root = tmp_path / "undisturbed/overlays"
    if old:
        apply(str(root), old, OLD_STAMP, WHOLE)
    ended = run(root, NEW, NEW_STAMP, 1_000_000)
    faults, count = json.loads(ended.answer)
    assert faults == []
    return int(count)


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system cannot kill outright")
@pytest.mark.parametrize("old", [OLD, {}], ids=["over an old build", "from nothing"])
@pytest.mark.parametrize("then", ["again", "back"])
def test_killed_at_any_step(run: Run, tmp_path: Path, old: dict[str, str], then: str) -> None:
    count = events(run, tmp_path, old)
    assert count > 10
    for at in range(1, count + 1):
        root = tmp_path / f"at-{at}/overlays"
        if old:
            apply(str(root), old, OLD_STAMP, WHOLE)
        assert run(root, NEW, NEW_STAMP, at).status == -signal.SIGKILL
        for path, text in manifests(root).items():
            assert text in (old.get(path), NEW.get(path)), f"{path} is half of something at step {at}"
        assert not needs_no_build(str(root), NEW_STAMP) or at == count
        finish(root, *((NEW, NEW_STAMP) if then == "again" else (OLD, OLD_STAMP)))


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system cannot kill outright")
def test_killed_with_workers_that_write(run: Run, tmp_path: Path) -> None:
    """Each process counts its own operations, so the main process and every worker die at some point."""
    count, reported = events(run, tmp_path, OLD), 0
    for at in range(1, count + 1):
        root = tmp_path / f"at-{at}/overlays"
        apply(str(root), OLD, OLD_STAMP, WHOLE)
        ended = run(root, NEW, NEW_STAMP, at, jobs=2)
        for path, text in manifests(root).items():
            assert text in (OLD.get(path), NEW.get(path)), f"{path} is half of something at step {at}"
        if ended.status == 0 and (faults := json.loads(ended.answer)[0]):
            reported += 1
            assert [(fault[0], "a worker process was killed" in fault[2]) for fault in faults] == [("OUT004", True)]
            assert not needs_no_build(str(root), NEW_STAMP)
        finish(root, NEW, NEW_STAMP)
    assert reported
