"""The order in which files change, such that a run killed between any two steps is finished by the next one."""

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import NamedTuple

from gitgpu.diagnostic import Diagnostic
from gitgpu.write.changes import UNDECIDED, Changes, Tree, folders_of
from gitgpu.write.lock import NAME, Lock, dump, mixed


class Act(StrEnum):
    """What can be done to a path. A folder is removed only if it is empty."""

    PUT = "put"
    REMOVE = "remove"
    MAKE_FOLDER = "make-folder"
    REMOVE_FOLDER = "remove-folder"


class Step(NamedTuple):
    """One act on one path below the output directory; the directory itself is ""."""

    act: Act
    path: str
    text: str = ""


class View(NamedTuple):
    """What a run is decided on: what is there, what the last build left, what this one will leave."""

    tree: Tree
    old: Lock
    new: Lock
    changes: Changes
    lock_is_stale: bool


class Applied(NamedTuple):
    """What a run did, by sorted path; `edited` are files of ours that somebody had changed. A fault stops the run."""

    written: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    unchanged: tuple[str, ...] = ()
    edited: tuple[str, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()


class Comparison(NamedTuple):
    """What a run would write or remove (the lock too), by sorted path, and the diffs of the manifests among them."""

    stale: tuple[str, ...] = ()
    edited: tuple[str, ...] = ()
    diffs: tuple[str, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()


def steps(files: Mapping[str, str], view: View) -> Iterator[Step]:
    """Clean up, own the old paths and the new, write, remove, and at last own only what is there."""
    tree, changes = view.tree, view.changes
    stale = [path for path in changes.removed if path in tree.files]
    if view.lock_is_stale:
        yield Step(Act.MAKE_FOLDER, "")
    yield from (Step(Act.REMOVE, path) for path in tree.leftovers)
    if changes.written or stale:
        yield Step(Act.PUT, NAME, dump(_meanwhile(view)))
    yield from (Step(Act.MAKE_FOLDER, path) for path in sorted(folders_of(changes.written) - tree.folders))
    yield from (Step(Act.PUT, path, files[path]) for path in changes.written)
    yield from (Step(Act.REMOVE, path) for path in stale)
    emptied = folders_of(changes.removed) & tree.folders
    yield from (Step(Act.REMOVE_FOLDER, path) for path in sorted(emptied, reverse=True))
    if changes.written or stale or view.lock_is_stale:
        yield Step(Act.PUT, NAME, dump(view.new))


def _meanwhile(view: View) -> Lock:
    """The lock while files change: it owns the old and the new paths, and does not say which text they hold by now."""
    either = dict.fromkeys(view.changes.written, UNDECIDED)
    return view.new._replace(stamp=mixed(view.new.stamp), files={**view.new.files, **view.old.files, **either})
