"""The order in which files change, such that a run killed between any two steps is finished by the next one."""

from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

from gitgpu.diagnostic import Diagnostic
from gitgpu.write.cache import Cache
from gitgpu.write.changes import Changes, folders_of
from gitgpu.write.scope import Scope
from gitgpu.write.tree import Tree


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
    """The input of a run: the directory, the caches of the last build and of this one, the changes and their scope.

    `gone` are files of the last build that were removed by hand, and `lock` is the lock of an old release, if it has to
    be removed.
    """

    tree: Tree
    old: Cache | Diagnostic
    new: Cache
    changes: Changes
    scope: Scope
    gone: frozenset[str] = frozenset()
    lock: str = ""

    @property
    def removed(self) -> tuple[str, ...]:
        """Every file that the run removes, sorted."""
        return tuple(sorted((*self.changes.removed, self.lock))) if self.lock else self.changes.removed

    @property
    def is_current(self) -> bool:
        """Is every file as it is wanted?"""
        return not (self.changes.written or self.removed or self.tree.leftovers)


class Applied(NamedTuple):
    """What a run did, by sorted path; `edited` are files that were changed by hand. A fault stops the run."""

    written: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    unchanged: tuple[str, ...] = ()
    edited: tuple[str, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()


class Comparison(NamedTuple):
    """What a run would write or remove, by sorted path, and the diffs of the manifests among them."""

    stale: tuple[str, ...] = ()
    edited: tuple[str, ...] = ()
    diffs: tuple[str, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()


def preparations(view: View) -> Iterator[Step]:
    """What comes before the files are written: the temporary files of a killed run go, and the directory is made."""
    if view.changes.written:
        yield Step(Act.MAKE_FOLDER, "")
    yield from (Step(Act.REMOVE, path) for path in view.tree.leftovers)


def removals(view: View) -> Iterator[Step]:
    """What is removed at last, because it is known by its header until then."""
    yield from (Step(Act.REMOVE, path) for path in view.removed)
    emptied = folders_of((*view.removed, *view.gone)) & view.tree.folders
    yield from (Step(Act.REMOVE_FOLDER, path) for path in sorted(emptied, reverse=True))
