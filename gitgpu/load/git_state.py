"""The state of files in a Git work tree: committed, staged, and the sides of a merge."""

import os
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

from gitgpu.load.allowed_paths import work_tree
from gitgpu.load.git import GitFailedError, git_output

# The references that exist while Git waits for conflicts to be resolved.
_OTHER_SIDES = ("MERGE_HEAD", "REBASE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD")
# An octopus merge has more than two parents; three are enough to find whose build a file was.
_PARENTS = ("HEAD^1", "HEAD^2", "HEAD^3")
_BREAKS = frozenset("\r\n")
_MOVES = 1000  # moves of HEAD that are searched for the start of a rebase, which makes one for each commit


class Checkout(NamedTuple):
    """A directory in a work tree: the root of the work tree, and the path from there, empty or ending with a slash."""

    top: str
    inside: str


def checkout(directory: str) -> Checkout | None:
    """The work tree around a directory, which need not exist; None if there is none, or if Git cannot read it."""
    tree = work_tree(directory)
    if not tree or not _revisions(Checkout(tree, ""), ("HEAD",)):
        return None
    inside = os.path.relpath(os.path.realpath(directory), tree).replace(os.sep, "/")
    return Checkout(tree, "" if inside == "." else f"{inside}/")


class GitFiles(NamedTuple):
    """What Git knows about some files of a directory: their committed and staged content, by path.

    `unmerged` are those with unresolved conflicts. `is_merging` says whether Git is merging, or the last commit merges.
    """

    committed: Mapping[str, bytes]
    staged: Mapping[str, bytes]
    unmerged: frozenset[str]
    is_merging: bool


def git_files(directory: str, paths: Collection[str]) -> GitFiles | None:
    """What Git knows about these files. None without files, a work tree or a commit."""
    at = checkout(directory) if paths else None
    if at is None:
        return None
    return GitFiles(committed_files(at, paths), staged_files(at, paths), unmerged_files(at, paths), is_merging(at))


def committed_files(at: Checkout, paths: Iterable[str], revision: str = "HEAD") -> dict[str, bytes]:
    """The content of these files of the directory at a revision, without those that do not exist there."""
    return _contents(at, {f"{revision}:{at.inside}{path}": path for path in paths})


def staged_files(at: Checkout, paths: Iterable[str]) -> dict[str, bytes]:
    """The staged content of these files; for a file with a merge conflict, the content of one side."""
    contents: dict[str, bytes] = {}
    # Later entries overwrite earlier ones: a resolved file (0) has precedence, then the base (1) and our side (2).
    for stage in ("3", "2", "1", "0"):
        contents |= _contents(at, {f":{stage}:{at.inside}{path}": path for path in paths})
    return contents


def unmerged_files(at: Checkout, paths: Iterable[str]) -> frozenset[str]:
    """The files that have unresolved merge conflicts."""
    conflicting: set[str] = set()
    for stage in ("2", "3"):
        conflicting |= _contents(at, {f":{stage}:{at.inside}{path}": path for path in paths}).keys()
    return frozenset(conflicting)


def is_merging(at: Checkout) -> bool:
    """Whether a merge, rebase, cherry-pick or revert is in progress, or the last commit is a merge."""
    return bool(_revisions(at, (*_OTHER_SIDES, "HEAD^2")))


def merged_revisions(at: Checkout) -> tuple[str, ...]:
    """The revisions of the merge or rebase in progress, or of the last commit or rebase if it joined revisions."""
    others = _revisions(at, _OTHER_SIDES)
    rebased = _rebased(at, in_progress="REBASE_HEAD" in others)
    if others or rebased:
        return ("HEAD", *others, *rebased)
    parents = _revisions(at, _PARENTS)
    return parents if len(parents) > 1 else ()


def _rebased(at: Checkout, *, in_progress: bool) -> tuple[str, ...]:
    """The branch before its last rebase, and the commit it was rebased onto; empty if HEAD has moved since."""
    try:
        arguments = ("log", "--walk-reflogs", f"--max-count={_MOVES}", "--no-show-signature", "--format=%H %gs", "HEAD")
        lines = git_output(at.top, *arguments).decode(errors="replace").splitlines()
    except GitFailedError:
        return ()
    moves = [line.partition(" ") for line in lines]
    last = moves[0][2] if moves else ""
    # A pull that rebases ends with "(finish)". Other pulls merge, or only move forward.
    if not (in_progress or last.startswith("rebase") or (last.startswith("pull") and "(finish)" in last)):
        return ()
    starts = [commit for commit, _, reason in moves if "(start)" in reason]
    return _revisions(at, ("ORIG_HEAD", *starts[:1]))


def _revisions(at: Checkout, names: Iterable[str]) -> tuple[str, ...]:
    """The names that resolve to commits."""
    return tuple(_contents(at, {f"{name}^{{commit}}": name for name in names}))


def _contents(at: Checkout, names: Mapping[str, str]) -> dict[str, bytes]:
    """The objects of these names, by the key of each name; missing ones and names with line breaks are omitted."""
    # Git reads one name from each line, and drops a carriage return at its end.
    names = {name: key for name, key in names.items() if not _BREAKS.intersection(name)}
    if not names:
        return {}
    try:
        raw = git_output(at.top, "cat-file", "--batch", stdin=os.fsencode("".join(f"{name}\n" for name in names)))
    except GitFailedError:
        return {}
    contents = zip(names.values(), _objects(raw), strict=False)
    return {name: content for name, content in contents if content is not None}


def _objects(raw: bytes) -> Iterator[bytes | None]:
    """The output of `cat-file --batch`, object by object; None for an object that is missing or ambiguous."""
    start = 0
    while start < len(raw):
        end = raw.find(b"\n", start)
        size = raw[start:end].rpartition(b" ")[2]
        start = end + 1
        if not size.isdigit():
            yield None
            continue
        yield raw[start : start + int(size)]
        start += int(size) + 1
