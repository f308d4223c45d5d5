"""The order in which files change. If a run is killed between any two steps, the next run can finish its work."""

from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

from gitgpu.diagnostic import Diagnostic
from gitgpu.write.cache import Cache
from gitgpu.write.changes import Changes, folders_of
from gitgpu.write.scope import Scope
from gitgpu.write.tree import Tree


class Act(StrEnum):
    """What a step does to its path. A folder is removed only if it is empty."""

    PUT = "put"
    REMOVE = "remove"
    MAKE_FOLDER = "make-folder"
    REMOVE_FOLDER = "remove-folder"


class Step(NamedTuple):
    """One operation on one path below the output directory; the directory itself is ""."""

    act: Act
    path: str
    text: str = ""


class View(NamedTuple):
    """The input of a run: the directory, the caches of the last build and of this one, the changes and their scope.

    `gone` are files of the last build that were removed by hand.
    """

    tree: Tree
    old: Cache | Diagnostic
    new: Cache
    changes: Changes
    scope: Scope
    gone: frozenset[str] = frozenset()

    @property
    def is_current(self) -> bool:
        """Whether there is nothing to change."""
        return not (self.changes.written or self.changes.removed or self.tree.leftovers)


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
    """The steps before files are written: make the directory, and remove the temporary files of a killed run."""
    if view.changes.written:
        yield Step(Act.MAKE_FOLDER, "")
    yield from (Step(Act.REMOVE, path) for path in view.tree.leftovers)


def removals(view: View) -> Iterator[Step]:
    """The steps that remove files. They are last: until then, a file can be recognised by its header."""
    yield from (Step(Act.REMOVE, path) for path in view.changes.removed)
    emptied = folders_of((*view.changes.removed, *view.gone)) & view.tree.folders
    yield from (Step(Act.REMOVE_FOLDER, path) for path in sorted(emptied, reverse=True))
