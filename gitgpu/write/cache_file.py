"""The cache on disk, next to the output directory. If it cannot be read or written, a build works without it."""

import os
from collections.abc import Iterable, Mapping
from contextlib import suppress

from gitgpu.diagnostic import Diagnostic
from gitgpu.write.cache import Cache, Stamp, dump, parse, read_head
from gitgpu.write.cache_path import cache_path
from gitgpu.write.disk_state import disk_state, scanning
from gitgpu.write.tree import EVERYTHING, digest, hashes, walk


def read_cache(root: str) -> Cache | Diagnostic:
    """The cache of the last build, which is empty if there was none; or why it cannot be used."""
    path = cache_path(root)
    try:
        with open(path, "rb") as file:
            return parse(file.read().decode("utf-8", "replace"), os.path.relpath(path))
    except OSError:
        return Cache()


def read_stamp(root: str, since: float = 0) -> Stamp | None:
    """What the last build was made from. None without a usable cache, or if it is older than `since` (in seconds)."""
    head = _head(root, since)
    return head.stamp if head else None


def needs_no_build(
    root: str, stamp: Stamp, scan: Iterable[str | None] | None = None, *, by_content: bool = True
) -> bool:
    """Whether the whole directory was built from exactly this, and not changed since. Then there is nothing to build.

    `scan` yields the digest of its state, if it is being read already. If the size, time or inode of a file differs,
    the content of all files is compared, unless `by_content` is false. Times and inodes differ in every checkout, so
    without `by_content`, a copied or forged cache proves nothing.
    """
    head = _head(root)
    if head is None or head.stamp != stamp or not stamp.inputs:
        return False
    [state] = scanning(root, None) if scan is None else scan
    if state is None:
        return False
    same = state == head.state.digest
    if same or not by_content:  # the digest of an empty directory proves nothing: anyone can compute it
        return same and _are_latest(root, head.state.latest) and (by_content or state != digest(b""))
    return _has_same_content(root)


def _are_latest(root: str, latest: Mapping[str, str]) -> bool:
    """Whether the files that had just changed when the state was recorded still have the same content."""
    try:
        return hashes(root, latest) == latest
    except OSError:
        return False


def _has_same_content(root: str) -> bool:
    """Whether the files have the content in the cache, as after a copy or checkout. If so, records their state."""
    cache = read_cache(root)
    if isinstance(cache, Diagnostic):
        return False
    try:
        files = walk(root, EVERYTHING, known=True).files
        if files != {*cache.files}:
            return False
        state = disk_state(root, cache.files)  # before the content: later changes differ from this state
        if hashes(root, files) != cache.files:
            return False
    except OSError:
        return False
    write_cache(root, cache._replace(state=state))
    return True


def write_cache(root: str, cache: Cache) -> None:
    """Replace the cache. Errors are not reported, because they only make the next build slower."""
    path = cache_path(root)
    folder = os.path.dirname(path)
    with suppress(OSError):
        # A link could lead anywhere, and the file would be written there.
        if os.path.islink(folder):
            return
        os.makedirs(folder, exist_ok=True)
        _write(os.path.join(folder, ".gitignore"), ("*\n",), os.O_EXCL)
    with suppress(OSError):
        _write(f"{path}.tmp", dump(cache), os.O_TRUNC)
        # A rename is atomic: another process sees the old cache or the new one, never half of it.
        os.replace(f"{path}.tmp", path)


def _head(root: str, since: float = 0) -> Cache | None:
    path = cache_path(root)
    try:
        if os.stat(path).st_mtime < since:
            return None
        with open(path, "rb") as file:
            head = read_head(file.readline().decode("utf-8", "replace"), path)
    except OSError:
        return None
    if isinstance(head, Diagnostic):
        return None
    cache, _ = head
    return cache


def _write(path: str, lines: Iterable[str], how: int) -> None:
    flags = os.O_WRONLY | os.O_CREAT | how | getattr(os, "O_NOFOLLOW", 0)
    # The same mode as `open` uses; the system applies the umask.
    with open(path, "wb", opener=lambda name, _: os.open(name, flags, 0o666)) as file:
        file.writelines(line.encode() for line in lines)


def known_files(cache: Cache | Diagnostic) -> Mapping[str, str]:
    """The files that a cache lists; none if the cache cannot be used."""
    return {} if isinstance(cache, Diagnostic) else cache.files
