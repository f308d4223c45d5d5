"""The state of an output directory: sizes and times of all its files, read by several processes."""

import os
from array import array
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import closing, nullcontext
from itertools import chain
from marshal import dumps
from time import monotonic_ns
from typing import NamedTuple, TypeAlias

from gitgpu.jobs import processes, results, shares
from gitgpu.write.atomic_file import TEMPORARY
from gitgpu.write.cache import DiskState
from gitgpu.write.tree import by_top_folder, digest, hashes

MIN_PARALLEL = 5000  # files: reading the state of so many takes longer than starting a process for each core
_FOLDERS = 300  # folders of clusters: they contain about `MIN_PARALLEL` files
_SCANNED = 60  # folders in a part at most: other processes wait 6 ms for the last part
_MAX_PART = 250  # clusters in a part at most, after which the parent process gets their state
_TICK = 20_000_000  # nanoseconds: twice the coarsest step of file times that kernels use
_COARSE_TICK = 2_000_000_000  # for file systems that count whole seconds, or two seconds as FAT does
_PLAIN = 2  # the last format of `marshal` in which equal values have equal bytes

Stats: TypeAlias = Mapping[str, os.stat_result]


class _Looked(NamedTuple):
    """The state of files of some clusters: a sha256 for each cluster, and the time at which each file was changed."""

    digests: Sequence[str]
    paths: Sequence[str]
    times: Sequence[int]


def disk_state(
    root: str, files: Mapping[str, str], jobs: int | None = None, clock: Callable[[], int] = monotonic_ns
) -> DiskState:
    """The state on disk of files that have just been written with these hashes. Raises OSError.

    The hashes are not computed from the files, so that anything another program writes meanwhile counts as a change.
    `jobs` is None for as many processes as are useful. `clock` returns nanoseconds.
    """
    begun = clock()
    clusters = by_top_folder(sorted(files))
    number = processes(jobs, len(files), MIN_PARALLEL)

    def look(share: tuple[int, int]) -> _Looked:
        paths_of_clusters = clusters[slice(*share)]
        return _looked(_stats_of(root, paths) for paths in paths_of_clusters)

    looked = _joined(results(look, shares(len(clusters), number, _MAX_PART), number))
    newest = max(looked.times, default=0)
    # If the newest time is a whole second, the file system probably does not count in smaller steps.
    tick = _TICK if newest % 1_000_000_000 else _COARSE_TICK
    times = {path: time for path, time in zip(looked.paths, looked.times, strict=True) if time >= newest - tick}
    latest = {path: files[path] for path in times}
    # All files were written before `begun`. One tick later, any change gets a later time.
    if clock() - begun > tick and hashes(root, latest) == latest and times == _times(root, latest):
        latest = {}
    return DiskState(_digest(looked.digests), latest)


def _times(root: str, paths: Iterable[str]) -> dict[str, int]:
    return {path: _changed_at(os.lstat(f"{root}/{path}")) for path in paths}


def _stats_of(root: str, paths: Iterable[str]) -> Stats:
    return {path: os.lstat(f"{root}/{path}") for path in paths}


def scanning(root: str, jobs: int | None) -> Generator[str | None, None, None]:
    """Yields the `DiskState.digest` of a directory, or None if it cannot be read or has anything but files in folders.

    Other processes start immediately, so this one can do something else before it reads the digest.
    """
    folders = _folders(root)
    if folders is None:
        return (None for _ in "1")
    number = processes(jobs, len(folders), _FOLDERS)
    parts = results(lambda share: _below(root, folders[slice(*share)]), shares(len(folders), number, _SCANNED), number)
    return _scanned(parts)


def _scanned(parts: Generator[list[str] | None, None, None]) -> Generator[str | None, None, None]:
    with closing(parts):
        looked_at = list(parts)
    readable = [part for part in looked_at if part is not None]
    yield _digest(chain.from_iterable(readable)) if len(readable) == len(looked_at) else None


def _folders(root: str) -> list[str] | None:
    """The folders of a directory, in the order of the paths below them; None if there is anything else."""
    if os.path.islink(root):
        return None
    folders = []
    try:
        with os.scandir(root) if os.path.exists(root) else nullcontext(()) as entries:
            for entry in entries:
                if not entry.is_dir(follow_symlinks=False):
                    return None
                folders.append(f"{entry.name}/")
    except OSError:
        return None
    return sorted(folders)


def _below(root: str, folders: Iterable[str]) -> list[str] | None:
    """A digest of each folder with files, in order. None if one is unreadable or has anything but files and folders."""
    digests = []
    for folder in folders:
        try:
            files = _stats(root, folder)
        except OSError:
            files = None
        if files is None:
            return None
        if files:  # a folder without files is not part of the output
            digests.append(_appearance(files))
    return digests


def _stats(root: str, folder: str) -> Stats | None:
    """The state of all files below a folder. None if it contains anything but files and folders."""
    # Not with `walk`: reading the state of each file together with its name takes half as long as a second pass.
    stats: dict[str, os.stat_result] = {}
    waiting = [folder]
    while waiting:
        prefix = waiting.pop()
        with os.scandir(f"{root}/{prefix}") as entries:
            for entry in entries:
                if entry.is_file(follow_symlinks=False) and entry.name != TEMPORARY:
                    stats[prefix + entry.name] = os.lstat(entry.path)
                elif entry.is_dir(follow_symlinks=False):
                    waiting.append(f"{prefix}{entry.name}/")
                else:
                    return None
    return stats


def _looked(clusters: Iterable[Stats]) -> _Looked:
    digests, paths, times = list[str](), list[str](), array("q")
    for files in clusters:
        digests.append(_appearance(files))
        paths += files
        times.extend(map(_changed_at, files.values()))
    return _Looked(digests, paths, times)


def _appearance(files: Stats) -> str:
    """The sha256 of the state of the files of a cluster."""
    rows = [
        (path, stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns, stat.st_ino) for path, stat in sorted(files.items())
    ]
    return digest(dumps(rows, _PLAIN))  # faster than text


def _changed_at(stat: os.stat_result) -> int:
    """The last time at which the content, the name or the permissions of a file were changed."""
    return max(stat.st_mtime_ns, stat.st_ctime_ns)


def _joined(parts: Iterable[_Looked]) -> _Looked:
    digests, paths, times = list[str](), list[str](), array("q")
    for part in parts:
        digests += part.digests
        paths += part.paths
        times.extend(part.times)
    return _Looked(digests, paths, times)


def _digest(digests: Iterable[str]) -> str:
    return digest("".join(digests).encode())
