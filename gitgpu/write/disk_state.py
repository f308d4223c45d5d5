"""The state of an output directory: sizes and times of all its files, which several processes look at."""

import os
from array import array
from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import closing, nullcontext
from itertools import groupby
from marshal import dumps
from operator import itemgetter
from typing import NamedTuple, TypeAlias

from gitgpu.jobs import results, shares, usual
from gitgpu.write.atomic_file import TEMPORARY
from gitgpu.write.cache import DiskState
from gitgpu.write.tree import digest, hashes

ENOUGH = 5000  # files to look at: that takes longer than starting a process for each core
_FOLDERS = 300  # folders of clusters with as many files
_LARGEST = 250  # clusters that are looked at before the process that waits gets what was found
_TICK = 20_000_000  # nanoseconds: twice the longest step in which kernels count the time of files
_COARSE_TICK = 2_000_000_000  # those that count whole seconds, or every other one as FAT does
_PLAIN = 2  # the last format of `marshal` in which equal values have equal bytes

Stats: TypeAlias = Mapping[str, os.stat_result]


class _Looked(NamedTuple):
    """Files of some clusters: a sha256 for each cluster of what they look like, and when each was changed."""

    digests: Sequence[str]
    paths: Sequence[str]
    times: Sequence[int]


def disk_state(root: str, files: Mapping[str, str], jobs: int | None = 1) -> DiskState:
    """The state on disk of files that were written with these hashes; None: as many processes as are useful.

    The hashes are not read from disk: whatever another program writes in the meantime is a change. Raises OSError.
    """
    clusters = [list(paths) for _, paths in groupby(sorted(files), key=lambda path: path.partition("/")[0])]
    number = usual(len(files), ENOUGH) if jobs is None else jobs

    def look(share: tuple[int, int]) -> _Looked:
        return _looked({path: os.lstat(f"{root}/{path}") for path in paths} for paths in clusters[slice(*share)])

    state, latest = _joined(results(look, shares(len(clusters), number, _LARGEST), number))
    return DiskState(state, {path: files[path] for path in latest})


def scanning(root: str, jobs: int | None) -> Generator[DiskState | None, None, None]:
    """Gives the state of all files below a directory; None if there is anything but files in folders, or unreadable.

    Other processes begin to look at once, so this one can do something else before it reads the state.
    """
    folders = _folders(root)
    if folders is None:
        return (None for _ in "1")
    number = usual(len(folders), _FOLDERS) if jobs is None else jobs
    parts = results(lambda share: _below(root, folders[slice(*share)]), shares(len(folders), number), number)
    return _scanned(root, parts)


def _scanned(root: str, parts: Generator[_Looked | None, None, None]) -> Generator[DiskState | None, None, None]:
    with closing(parts):
        try:
            looked_at = list(parts)
            known = [part for part in looked_at if part is not None]
            state, latest = _joined(known)
            yield DiskState(state, hashes(root, latest)) if len(known) == len(looked_at) else None
        except OSError:
            yield None


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


def _below(root: str, folders: Iterable[str]) -> _Looked | None:
    clusters = []
    for folder in folders:
        files = _stats(root, folder)
        if files is None:
            return None
        clusters.append(files)
    return _looked(clusters)


def _stats(root: str, folder: str) -> Stats | None:
    """What all files below a folder look like; None if anything else is there."""
    # Not by `walk`: looking at a file as soon as its name is known takes half of the time of a second pass over all.
    stats: dict[str, os.stat_result] = {}
    waiting = [folder]
    while waiting:
        prefix = waiting.pop()
        with os.scandir(f"{root}/{prefix}") as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(f"{prefix}{entry.name}/")
                elif not entry.is_file(follow_symlinks=False) or entry.name == TEMPORARY:
                    return None
                else:
                    stats[prefix + entry.name] = os.lstat(entry.path)
    return stats


def _looked(clusters: Iterable[Stats]) -> _Looked:
    digests, paths, times = list[str](), list[str](), array("q")
    for files in clusters:
        rows = []
        for path, stat in sorted(files.items()):
            changed, entered = stat.st_mtime_ns, stat.st_ctime_ns
            times.append(max(changed, entered))
            rows.append((path, stat.st_size, changed, entered, stat.st_ino))
        paths += map(itemgetter(0), rows)
        if rows:  # a folder without files is not part of the output
            digests.append(digest(dumps(rows, _PLAIN)))  # faster than text
    return _Looked(digests, paths, times)


def _joined(parts: Iterable[_Looked]) -> tuple[str, list[str]]:
    """The sha256 of what all files look like, and the paths of those that were changed last."""
    digests, paths, times = list[str](), list[str](), array("q")
    for part in parts:
        digests += part.digests
        paths += part.paths
        times.extend(part.times)
    newest = max(times, default=0)
    # A whole second as the newest time suggests a file system that counts no finer.
    since = newest - (_TICK if newest % 1_000_000_000 else _COARSE_TICK)
    latest = [path for path, time in zip(paths, times, strict=True) if time >= since]
    return digest("".join(digests).encode()), latest
