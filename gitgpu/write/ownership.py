"""Which files of the output directory gitgpu generated, and which of these were edited manually.

The header of a file names gitgpu and the path of the file. If the header is not enough, the cache of the last build
and Git decide: a merge in Git can move files, and a hand edit can remove the header.
"""

from collections.abc import Iterator, Mapping
from posixpath import basename
from typing import NamedTuple

from gitgpu.load.generated import claimed_paths
from gitgpu.load.git_state import checkout, committed, is_merging, staged, unmerged
from gitgpu.write.cache import UNDECIDED
from gitgpu.write.tree import DiskFile, as_checked_in, digest


class LastBuild(NamedTuple):
    """The sha256 of the files that the last build wrote, by path, as far as they are known.

    `has_same_stamp` says that it used the same spec, catalog and program as this build.
    """

    files: Mapping[str, str] = {}
    has_same_stamp: bool = False


def foreign_files(root: str, files: Mapping[str, DiskFile], wanted: Mapping[str, str], last: LastBuild) -> list[str]:
    """The files that gitgpu did not generate, sorted. All `files` differ from what is wanted."""
    doubtful = []
    for path, file in files.items():
        if path in wanted:
            ours = bool(file.claimed) or path in last.files
        else:
            ours = path in file.claimed or last.files.get(path) == file.sha256
            ours = ours or (path in last.files and bool(file.claimed))
        if not ours:
            doubtful.append(path)
    return sorted(set(doubtful) - set(_ours_by_git(root, {path: files[path] for path in doubtful}, wanted)))


def _ours_by_git(root: str, files: Mapping[str, DiskFile], wanted: Mapping[str, str]) -> Iterator[str]:
    """The files that are ours according to Git.

    These are wanted files whose committed or staged version has the header, and committed or staged files that Git
    moved: their header names another folder.
    """
    candidates = [path for path, file in files.items() if path in wanted or _may_have_moved(path, file)]
    work_tree = checkout(root) if candidates else None
    if work_tree is None:
        return
    for path, content in {**committed(work_tree, candidates), **staged(work_tree, candidates)}.items():
        if path not in wanted or claimed_paths(content):
            yield path


def _may_have_moved(path: str, file: DiskFile) -> bool:
    """Whether the header names a file with the same name in another folder."""
    return any(basename(claimed) == basename(path) for claimed in file.claimed)


def hand_edits(root: str, files: Mapping[str, DiskFile], last: LastBuild) -> tuple[str, ...]:
    """The generated files that were edited manually, sorted: neither a build nor a merge in Git has changed them.

    Without a cache and without Git, nothing is known about a file.
    """
    changed = {path: file for path, file in files.items() if _is_changed(file, last.files.get(path))}
    work_tree = checkout(root) if changed else None
    if work_tree is None:
        return tuple(sorted(changed.keys() & last.files.keys()))
    merging = is_merging(work_tree)
    head = committed(work_tree, changed)
    in_index = staged(work_tree, changed) if merging else {}
    resolving = unmerged(work_tree, changed)
    edited = []
    for path, file in changed.items():
        was_built = path in last.files
        by_git = path in resolving or (path in in_index and _is(file, in_index[path]))
        is_edited = was_built
        if path in head:
            # The last build had the same inputs and wrote a different text, so the edit has been committed.
            committed_edit = was_built and last.has_same_stamp and not merging
            is_edited = committed_edit or not _is(file, head[path])
        if is_edited and not by_git:
            edited.append(path)
    return tuple(sorted(edited))


def _is_changed(file: DiskFile, written: str | None) -> bool:
    return not file.has_conflict and written not in (UNDECIDED, file.sha256, file.checked_in)


def _is(file: DiskFile, content: bytes) -> bool:
    return digest(as_checked_in(content)) == file.checked_in
