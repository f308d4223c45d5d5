"""A temporary file that a killed process has left stops no later run; one that a process is writing does."""

import fcntl
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from gitgpu.write.apply import create
from gitgpu.write.atomic_file import TEMPORARY, rewrite, write_file
from gitgpu.write.catalog.rows import write_rows
from gitgpu.write.spec.apply import write_spec

FILES = {"fleet.yaml": "new\n", "clusters/a.yaml": "new\n"}
# Writes files below the directory, and kills itself at the Nth operation on the disk.
DYING = """
import os, signal, sys
from gitgpu.write.spec.apply import write_spec
left, real = int(sys.argv[1]), os.write
def die(event, args):
    global left
    if event in ("os.rename", "os.mkdir", "open") and "fleet" in str(args[0]):
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
def half(file, content):
    global left
    left -= 1
    if left == 0:
        real(file, content[: len(content) // 2])
        os.kill(os.getpid(), signal.SIGKILL)
    return real(file, content)
os.write = half
sys.addaudithook(die)
write_spec("fleet", {"fleet.yaml": "new\\n", "clusters/a.yaml": "new\\n"}, force=sys.argv[2] == "force")
"""


@pytest.fixture(autouse=True)
def _in_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("fleet/clusters").mkdir(parents=True)


def temporaries() -> list[Path]:
    """The temporary files that are left."""
    return list(Path("fleet").rglob(TEMPORARY))


@pytest.mark.parametrize("force", [False, True])
def test_the_next_import_finishes_a_killed_one(*, force: bool) -> None:
    """With `--force` or without it, at every operation."""
    for number in range(1, 100):
        for path in Path("fleet").rglob("*.yaml"):
            path.unlink()
        if force:
            Path("fleet/fleet.yaml").write_text("old\n", encoding="utf-8")
        words = [sys.executable, "-c", DYING, str(number), "force" if force else ""]
        killed = subprocess.run(words, check=False).returncode == -signal.SIGKILL
        texts = {path.read_text("utf-8") for path in Path("fleet").rglob("*.yaml")}
        assert texts <= {"old\n", "new\n"}
        if not killed:
            assert (texts, temporaries(), number > 5) == ({"new\n"}, [], True)
            return
        assert write_spec("fleet", FILES, force=force) == ()
        assert {path: Path(f"fleet/{path}").read_text("utf-8") for path in FILES} == FILES
        assert temporaries() == []
    pytest.fail("it was always killed")


def test_every_writer_takes_an_abandoned_file() -> None:
    for folder in ("fleet", "fleet/clusters"):
        Path(folder, TEMPORARY).write_text("half", encoding="utf-8")
    assert create("fleet", FILES) == ()
    for folder in ("fleet", "fleet/clusters"):
        Path(folder, TEMPORARY).write_text("half", encoding="utf-8")
    assert rewrite("fleet/fleet.yaml", "edited\n") == ()
    assert write_rows("fleet", {"clusters/a.yaml": "row\n"}) == ()
    assert temporaries() == []
    assert Path("fleet/fleet.yaml").read_text("utf-8") == "edited\n"
    assert Path("fleet/clusters/a.yaml").read_text("utf-8") == "row\n"


def test_a_file_that_another_process_writes_is_left() -> None:
    Path("fleet", TEMPORARY).write_text("half", encoding="utf-8")
    with Path("fleet", TEMPORARY).open("rb") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        with pytest.raises(FileExistsError):
            write_file("fleet/fleet.yaml", "new\n")
        assert [fault.code for fault in write_spec("fleet", FILES, force=True)] == ["OUT004"]
    assert Path("fleet", TEMPORARY).read_text("utf-8") == "half"
    assert not Path("fleet/fleet.yaml").exists()


def test_a_link_in_its_place_is_not_followed() -> None:
    Path("mine").write_text("mine\n", encoding="utf-8")
    Path("fleet", TEMPORARY).symlink_to(Path("mine").absolute())
    with pytest.raises(FileExistsError):
        write_file("fleet/fleet.yaml", "new\n")
    assert Path("mine").read_text("utf-8") == "mine\n"
    assert os.path.islink(Path("fleet", TEMPORARY))


def test_a_finished_import_is_not_repeated_without_force() -> None:
    assert write_spec("fleet", FILES, force=False) == ()
    assert [fault.code for fault in write_spec("fleet", FILES, force=False)] == ["OUT005"]
    Path("fleet/fleet.yaml").unlink()
    Path("fleet/clusters/a.yaml").write_text("mine\n", encoding="utf-8")
    assert [fault.span.file for fault in write_spec("fleet", FILES, force=False)] == ["fleet/clusters/a.yaml"]
