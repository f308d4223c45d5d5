"""Several processes write the same files and report the same faults as one."""

import json
import os
import sys
from pathlib import Path

import pytest

from gitgpu.write.run import write_files
from tests.jobs.test_jobs import answer

PATHS = [f"{cluster}/nodes/{name}.yaml" for cluster in "abcd" for name in "xyz"]
PROGRAM = """
import errno, json, os
from gitgpu.write.run import write_files
root, jobs, full = {arguments}
real = os.open

def opened(path, *more, **options):
    with open(root + "/../writers", "a") as file:
        file.write(f"{{os.getpid()}}\\\\n")
    if any(f"/{{cluster}}/" in str(path) for cluster in full):
        raise OSError(errno.ENOSPC, "No space left on device")
    return real(path, *more, **options)

paths = {paths}
os.open = opened
done = write_files(root, dict.fromkeys(paths, "text"), paths, jobs)
print(json.dumps([done.paths, [[fault.code, fault.span.file, fault.message] for fault in done.faults]]))
"""
pytestmark = pytest.mark.skipif(sys.platform in ("darwin", "win32"), reason="processes are not forked here")


def written(root: Path, jobs: int | None, full: str = "") -> tuple[list[str], list[list[str]]]:
    """The paths that are written, and the faults."""
    root.mkdir()
    program = PROGRAM.format(arguments=repr((str(root), jobs, full)), paths=PATHS)
    paths, faults = json.loads(answer(program))
    on_disk = sorted(path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file())
    assert on_disk == paths
    return paths, faults


def writers(root: Path) -> set[str]:
    """The number of processes that have opened a file."""
    return set((root.parent / "writers").read_text(encoding="utf-8").split())


@pytest.mark.parametrize(("jobs", "processes"), [(1, 1), (2, 2), (None, 1)])
def test_all_files_are_written_by_so_many_processes(tmp_path: Path, jobs: int | None, processes: int) -> None:
    assert written(tmp_path / "out", jobs) == (PATHS, [])
    assert len(writers(tmp_path / "out")) <= processes
    assert str(os.getpid()) not in writers(tmp_path / "out")


def test_the_first_fault_in_order_is_reported(tmp_path: Path) -> None:
    fault = ["OUT004", f"{tmp_path}/{{}}/b/nodes/x.yaml", "No space left on device"]
    alone = written(tmp_path / "alone", 1, "bd")
    assert alone == (PATHS[:3], [[fault[0], fault[1].format("alone"), fault[2]]])
    together = written(tmp_path / "together", 2, "bd")
    others = [path for path in PATHS if path[0] in "ac"]
    assert together == (others, [[fault[0], fault[1].format("together"), fault[2]]])


def test_nothing_is_written_if_a_folder_cannot_be_created(tmp_path: Path) -> None:
    (tmp_path / "b").write_text("a file", encoding="utf-8")
    done = write_files(str(tmp_path), dict.fromkeys(PATHS, "text"), PATHS, 1)
    assert done.paths == ()
    assert [(fault.code, fault.span.file, fault.message) for fault in done.faults] == [
        ("OUT004", f"{tmp_path}/b", "File exists")
    ]
    assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == ["b"]
