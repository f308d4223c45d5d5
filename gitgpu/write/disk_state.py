"""The state of an output directory: sizes and times of all its files, which several processes look at."""

import os
from array import array
from collections.abc import Iterable, Sequence
from contextlib import nullcontext
from typing import NamedTuple

from gitgpu.jobs import results, shares, usual
from gitgpu.write.cache import DiskState
from gitgpu.write.tree import hashes, walk_below

ENOUGH = 5000  # files to look at: that takes longer than starting a process for each core
_FOLDERS = 300  # folders of clusters with as many files
_LARGEST = 5000  # files that are looked at before the process that waits gets what was found
_TICK = 20_000_000  # nanoseconds: twice the longest step in which kernels count the time of files
_COARSE_TICK = 2_000_000_000  # those that count whole seconds, or every other one as FAT does


class _Looked(NamedTuple):
    """What some files look like: a line for each, and when each was changed."""

    lines: bytes
    times: Sequence[int]


def disk_state(root: str, files: Iterable[str], jobs: int | None = 1) -> DiskState:
    """The state of these files on disk; with None as many processes look as are useful. Raises OSError."""
    paths = sorted(files)
    number = usual(len(paths), ENOUGH) if jobs is None else jobs
    looked = results(lambda share: _looked(root, paths[slice(*share)]), shares(len(paths), number, _LARGEST), number)
    return _state(root, paths, looked)


def state_below(root: str, jobs: int | None) -> tuple[frozenset[str], DiskState] | None:
    """All files below a directory and their state; None if there is anything but files in folders. Raises OSError."""
    folders = _folders(root)
    if folders is None:
        return None
    number = usual(len(folders), _FOLDERS) if jobs is None else jobs
    paths: list[str] = []
    looked: list[_Looked] = []
    for part in results(lambda share: _below(root, folders[slice(*share)]), shares(len(folders), number), number):
        if part is None:
            return None
        paths += part[0]
        looked.append(part[1])
    return frozenset(paths), _state(root, paths, looked)


def _folders(root: str) -> list[str] | None:
    """The folders of a directory, in the order of the paths below them; None if there is anything else."""
    if os.path.islink(root):
        return None
    folders = []
    with os.scandir(root) if os.path.exists(root) else nullcontext(()) as entries:
        for entry in entries:
            if not entry.is_dir(follow_symlinks=False):
                return None
            folders.append(f"{entry.name}/")
    return sorted(folders)


def _below(root: str, folders: Sequence[str]) -> tuple[list[str], _Looked] | None:
    tree = walk_below(root, folders)
    paths = sorted(tree.files)
    return None if tree.odd or tree.leftovers else (paths, _looked(root, paths))


def _looked(root: str, paths: Iterable[str]) -> _Looked:
    lines, times = [], array("q")
    for path in paths:
        stat = os.lstat(f"{root}/{path}")
        times.append(max(stat.st_mtime_ns, stat.st_ctime_ns))
        lines.append(f"{path} {stat.st_size} {stat.st_mtime_ns} {stat.st_ctime_ns} {stat.st_ino}\n")
    return _Looked("".join(lines).encode(errors="surrogateescape"), times)


def _state(root: str, paths: Sequence[str], looked: Iterable[_Looked]) -> DiskState:
    from hashlib import sha256  # noqa: PLC0415  brings in OpenSSL; a check in a new checkout hashes nothing

    state, times = sha256(), array("q")
    for part in looked:
        state.update(part.lines)
        times.extend(part.times)
    newest = max(times, default=0)
    # A whole second as the newest time suggests a file system that counts no finer.
    since = newest - (_TICK if newest % 1_000_000_000 else _COARSE_TICK)
    latest = [path for path, time in zip(paths, times, strict=True) if time >= since]
    return DiskState(state.hexdigest(), hashes(root, latest))
