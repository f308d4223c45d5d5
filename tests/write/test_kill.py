"""A build that is killed at any of its steps leaves every file old or new, and the next build finishes the work."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from gitgpu.load.generated import advice
from gitgpu.write.apply import apply
from gitgpu.write.cache import Stamp
from gitgpu.write.cache_file import unchanged
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

# The child dies at its Nth touch of the disk below the root: just before an event, or in the middle of a write.
CHILD = """
import builtins, contextlib, json, os, signal, sys
from gitgpu.write.apply import apply
from gitgpu.write.cache import Stamp
from gitgpu.write.scope import Scope

root, stamp, files, clusters, at = json.load(sys.stdin)
left = at

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

cache = os.path.join(os.path.dirname(root), ".gitgpu_cache")
scope = Scope(frozenset(clusters), frozenset(clusters))
real, builtins.open = open, opened
sys.addaudithook(audit)
done = apply(root, files, Stamp(*stamp), scope)
print(json.dumps([done.diagnostics, at - left]))
"""


def run(root: Path, files: dict[str, str], stamp: Stamp, at: int) -> subprocess.CompletedProcess[str]:
    """Build in a process of its own that kills itself at its touch number `at` of the disk."""
    sent = json.dumps([str(root), stamp, files, sorted(CLUSTERS), at])
    here = str(Path(__file__).parents[2])
    env = {**os.environ, "PYTHONPATH": here}
    child = [sys.executable, "-c", CHILD]
    return subprocess.run(child, input=sent, capture_output=True, text=True, env=env, check=False)


def manifests(root: Path) -> dict[str, str]:
    found = {p.relative_to(root).as_posix(): p for p in root.rglob("*") if p.is_file() and p.name != TEMPORARY}
    return {path: p.read_text() for path, p in found.items()}


def finish(root: Path, files: dict[str, str], stamp: Stamp) -> None:
    done = apply(str(root), files, stamp, WHOLE)
    assert (done.diagnostics, done.edited) == ((), ())
    everything = {p.relative_to(root).as_posix() for p in root.rglob("*") if p.is_file() or not any(p.iterdir())}
    assert everything == {*files}
    assert manifests(root) == files
    assert unchanged(str(root), stamp)


def events(tmp_path: Path, old: dict[str, str]) -> int:
    """How many times an undisturbed build touches the disk."""
    root = tmp_path / "undisturbed/overlays"
    if old:
        apply(str(root), old, OLD_STAMP, WHOLE)
    answer = run(root, NEW, NEW_STAMP, 1_000_000)
    faults, count = json.loads(answer.stdout)
    assert faults == []
    return int(count)


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system cannot kill outright")
@pytest.mark.parametrize("old", [OLD, {}], ids=["over an old build", "from nothing"])
@pytest.mark.parametrize("then", ["again", "back"])
def test_killed_at_any_step(tmp_path: Path, old: dict[str, str], then: str) -> None:
    count = events(tmp_path, old)
    assert count > 10
    for at in range(1, count + 1):
        root = tmp_path / f"at-{at}/overlays"
        if old:
            apply(str(root), old, OLD_STAMP, WHOLE)
        assert run(root, NEW, NEW_STAMP, at).returncode == -signal.SIGKILL
        for path, text in manifests(root).items():
            assert text in (old.get(path), NEW.get(path)), f"{path} is half of something at step {at}"
        assert not unchanged(str(root), NEW_STAMP) or at == count
        finish(root, *((NEW, NEW_STAMP) if then == "again" else (OLD, OLD_STAMP)))
