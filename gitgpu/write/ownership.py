"""Which files of the output directory gitgpu generated, and which of these were edited manually.

The header of a file names gitgpu and the path of the file. If the header is not enough, the cache of the last build
and Git decide: a merge in Git can move files, and a hand edit can remove the header.
"""

from collections.abc import Iterator, Mapping
from posixpath import basename
from typing import NamedTuple

from gitgpu.load.generated import claimed_paths
from gitgpu.load.git_state import GitFiles
from gitgpu.write.cache import UNDECIDED
from gitgpu.write.tree import DiskFile, as_checked_in, digest


class LastBuild(NamedTuple):
    """The sha256 of the files that the last build wrote, by path, as far as they are known.

    `has_same_stamp` says that it used the same spec, catalog and program as this build.
    """

    files: Mapping[str, str] = {}
    has_same_stamp: bool = False


def files_to_ask_git(files: Mapping[str, DiskFile], wanted: Mapping[str, str], last: LastBuild) -> set[str]:
    """The files whose owner or editor only Git knows. All `files` differ from what is wanted."""
    unknown_paths = {
        path for path in _unknown(files, wanted, last) if path in wanted or _may_have_moved(path, files[path])
    }
    return unknown_paths | {path for path, file in files.items() if _is_changed(file, last.files.get(path))}


def foreign_files(
    files: Mapping[str, DiskFile], wanted: Mapping[str, str], last: LastBuild, git: GitFiles | None
) -> list[str]:
    """The files that gitgpu did not generate, sorted. All `files` differ from what is wanted.

    Git knows wanted files whose committed or staged version has the header, and committed or staged files that it
    moved: their header names another folder.
    """
    foreign = []
    for path in _unknown(files, wanted, last):
        content = git.staged.get(path, git.committed.get(path)) if git else None
        ours = claimed_paths(content or b"") if path in wanted else _may_have_moved(path, files[path])
        if content is None or not ours:
            foreign.append(path)
    return sorted(foreign)


def _unknown(files: Mapping[str, DiskFile], wanted: Mapping[str, str], last: LastBuild) -> Iterator[str]:
    """The files that neither their header nor the last build proves to be generated."""
    for path, file in files.items():
        if path in wanted:
            ours = bool(file.claimed) or path in last.files
        else:
            ours = path in file.claimed or last.files.get(path) == file.sha256
            ours = ours or (path in last.files and bool(file.claimed))
        if not ours:
            yield path


def _may_have_moved(path: str, file: DiskFile) -> bool:
    """Whether the header names a file with the same name in another folder."""
    return any(basename(claimed) == basename(path) for claimed in file.claimed)


def hand_edits(files: Mapping[str, DiskFile], last: LastBuild, git: GitFiles | None) -> tuple[str, ...]:
    """The generated files that were edited manually, sorted: neither a build nor a merge in Git has changed them.

    Without a cache and without Git, nothing is known about a file.
    """
    changed = {path: file for path, file in files.items() if _is_changed(file, last.files.get(path))}
    if git is None:
        return tuple(sorted(changed.keys() & last.files.keys()))
    edited = []
    for path, file in changed.items():
        was_built = path in last.files
        is_staged = git.is_merging and path in git.staged and _is(file, git.staged[path])
        is_edited = was_built
        if path in git.committed:
            # The last build had the same inputs and wrote a different text, so the edit has been committed.
            committed_edit = was_built and last.has_same_stamp and not git.is_merging
            is_edited = committed_edit or not _is(file, git.committed[path])
        if is_edited and not is_staged and path not in git.unmerged:
            edited.append(path)
    return tuple(sorted(edited))


def _is_changed(file: DiskFile, written: str | None) -> bool:
    return not file.has_conflict and written not in (UNDECIDED, file.sha256, file.checked_in)


def _is(file: DiskFile, content: bytes) -> bool:
    return digest(as_checked_in(content)) == file.checked_in
