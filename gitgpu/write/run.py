"""Takes steps on the disk, one after the other. Several processes write the files of many clusters."""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from errno import EEXIST, ENOTEMPTY
from itertools import chain
from types import MappingProxyType
from typing import NamedTuple

from gitgpu.diagnostic import Diagnostic
from gitgpu.jobs import processes, results, shares
from gitgpu.write.atomic_file import TEMPORARY, busy, os_fault, write_file
from gitgpu.write.changes import folders_of
from gitgpu.write.file_texts import Texts
from gitgpu.write.steps import Act, Step
from gitgpu.write.tree import by_top_folder

MIN_PARALLEL = 2000  # files: writing so many takes longer than starting a process for each core


class Done(NamedTuple):
    """The paths that were changed, in order, and the fault that stopped the run."""

    paths: tuple[str, ...] = ()
    faults: tuple[Diagnostic, ...] = ()


def run(root: str, plan: Iterable[Step], *, alone: bool = False) -> Done:
    """Take these steps, until one fails. A run that has locked the directory is `alone` in it."""
    done: list[str] = []
    acts = {**_ACTS, Act.PUT: _put_alone} if alone else _ACTS
    for step in plan:
        try:
            acts[step.act](f"{root}/{step.path}" if step.path else root, step.text)
        except FileExistsError as error:
            if step.act is not Act.PUT:  # a file exists where a folder is needed
                return Done(tuple(done), (failure(root, step.path, error),))
            temporary = f"{root}/{os.path.dirname(step.path)}/{TEMPORARY}".replace("//", "/")
            return Done(tuple(done), (busy(temporary),))
        except OSError as error:
            return Done(tuple(done), (failure(root, step.path, error),))
        done.append(step.path)
    return Done(tuple(done))


def write_files(root: str, files: Texts, paths: Sequence[str], jobs: int | None) -> Done:
    """Write the files at these sorted paths, and make their folders. `jobs` is None to choose a number of processes.

    The caller has locked the directory.
    Each process stops at its first fault. Of several, the first one in order of path is reported, as with one process.
    """

    def part(names: Sequence[str]) -> tuple[int, tuple[Diagnostic, ...]]:
        prepared = run(root, (Step(Act.MAKE_FOLDER, folder) for folder in sorted(folders_of(names))))
        if prepared.faults:
            return 0, prepared.faults
        done = run(root, (Step(Act.PUT, path, files[path]) for path in names), alone=True)
        return len(done.paths), done.faults

    number = processes(jobs, len(paths), MIN_PARALLEL)
    parts = _parts(paths, number)
    written: list[str] = []
    faults: tuple[Diagnostic, ...] = ()
    try:
        for names, (count, part_faults) in zip(parts, results(part, parts, number), strict=True):
            written += names[:count]
            faults = faults or part_faults
    except ChildProcessError as error:
        faults = faults or (failure(root, "", error),)
    return Done(tuple(written), faults)


def failure(root: str, path: str, error: OSError) -> Diagnostic:
    """The fault for an error of the operating system at a path below the root."""
    return os_fault(f"{root}/{path}" if path else str(error.filename or root), error)


def _parts(paths: Sequence[str], jobs: int) -> list[list[str]]:
    """The paths in parts, in order. All files of a folder are in one part, since they share one temporary file."""
    clusters = by_top_folder(paths)
    return [list(chain.from_iterable(clusters[first:end])) for first, end in shares(len(clusters), jobs)]


def _put_alone(path: str, text: str) -> None:
    write_file(path, text, alone=True)


def _make_folder(path: str, _: str) -> None:
    try:
        os.mkdir(path)  # almost always enough, and faster
    except OSError:
        os.makedirs(path, exist_ok=True)


def _remove_folder(path: str, _: str) -> None:
    try:
        os.rmdir(path)
    except OSError as error:
        # A folder that still contains other files stays. Some systems report EEXIST for that.
        if error.errno not in (ENOTEMPTY, EEXIST):
            raise


_ACTS: Mapping[Act, Callable[[str, str], None]] = MappingProxyType(
    {
        Act.PUT: write_file,
        Act.REMOVE: lambda path, _: os.unlink(path),
        Act.MAKE_FOLDER: _make_folder,
        Act.REMOVE_FOLDER: _remove_folder,
    }
)
