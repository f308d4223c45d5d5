"""The disk writer: `apply` updates a directory, `create` makes new files.

A run may be killed at any moment. Each file is replaced by a rename, so it is either old or new, and its header says
that gitgpu generated it: the next run finishes the work. Before the first change, the cache is replaced with one
without the hashes of the files that change, so that none of them counts as edited manually.
"""

import os
from collections.abc import Mapping
from typing import NamedTuple

from gitgpu.diagnostic import Diagnostic
from gitgpu.load.git_state import git_files
from gitgpu.load.overlays import is_built
from gitgpu.load.read import read_bytes
from gitgpu.write.atomic_file import occupied_fault
from gitgpu.write.cache import UNDECIDED, Cache, Stamp, merge, mixed_stamp
from gitgpu.write.cache_file import known_files, read_cache, write_cache
from gitgpu.write.changes import blocking_faults, changes, not_ours
from gitgpu.write.disk_state import disk_state
from gitgpu.write.faults import already_there
from gitgpu.write.file_texts import Texts
from gitgpu.write.ownership import LastBuild, files_to_ask_git, foreign_files, hand_edits
from gitgpu.write.run import Done, failure, run, write_files
from gitgpu.write.run_lock import run_lock
from gitgpu.write.scope import Scope, prove
from gitgpu.write.steps import Act, Applied, Comparison, Step, View, preparations, removals
from gitgpu.write.tree import Tree, digest, hashes, look_at, read_file, walk
from gitgpu.write.unified_diff import diff


def apply(root: str, files: Texts, stamp: Stamp, scope: Scope, jobs: int | None = 1) -> Applied:
    """Make the directory contain exactly these files, which were built from `stamp` and are all in scope.

    Writes nothing if the directory is up to date, or contains files that gitgpu did not generate. `jobs` is the number
    of processes that write; None chooses it by the number of files.
    """
    prove(root, files, scope)
    with run_lock(root) as alone:
        if not alone:
            return Applied(diagnostics=(occupied_fault(root),))
        view = _look(root, files, stamp, scope)
        return _changed(root, files, view, jobs) if isinstance(view, View) else Applied(diagnostics=view)


def _changed(root: str, files: Texts, view: View, jobs: int | None) -> Applied:
    # First, so that a run which is killed later leaves a cache without claims about these files.
    if not view.is_current:
        write_cache(root, _meanwhile(view))
    written = removed = Done()
    prepared = run(root, preparations(view))
    if not prepared.faults:
        written = write_files(root, files, view.changes.written, jobs)
    if not (prepared.faults or written.faults):
        removed = run(root, removals(view))
    faults = (*prepared.faults, *written.faults, *removed.faults)
    # A cache that is older than the program is not trusted. With a new one, the next build can skip the work.
    proves_output = bool(view.scope.whole and view.new.stamp.inputs)
    if not faults and (proves_output or not (view.is_current and view.new.says_same(view.old))):
        write_cache(root, _stated(root, view.new, view.scope, jobs))
    removed_paths = tuple(sorted(frozenset(view.changes.removed).intersection(removed.paths)))
    unusable = (view.old,) if isinstance(view.old, Diagnostic) else ()
    return Applied(written.paths, removed_paths, view.changes.unchanged, view.changes.edited, (*unusable, *faults))


def compare(root: str, files: Texts, stamp: Stamp, scope: Scope) -> Comparison:
    """What `apply` would do. Reads only."""
    prove(root, files, scope)
    view = _look(root, files, stamp, scope)
    if not isinstance(view, View):
        return Comparison(diagnostics=view)
    stale = sorted((*view.changes.written, *view.changes.removed))
    try:
        before = {path: read_file(root, path).decode(errors="replace") for path in view.tree.files.intersection(stale)}
    except OSError as error:
        return Comparison(diagnostics=(failure(root, "", error),))
    diffs = tuple(diff(f"{root}/{path}", before.get(path, ""), files.get(path, "")) for path in stale)
    return Comparison(tuple(stale), view.changes.edited, diffs)


def create(root: str, files: Mapping[str, str]) -> tuple[Diagnostic, ...]:
    """Write new files: all of them, or none if one of them exists. Nothing is replaced.

    Some that have this text already were written by a run that was killed, and this one finishes its work.
    """
    if existing := conflicts(root, files):
        return already_there(existing, "use another directory")
    plan: list[Step] = []
    for path, text in files.items():
        plan += (Step(Act.MAKE_FOLDER, os.path.dirname(path)), Step(Act.PUT, path, text))
    return run(root, plan).faults


def conflicts(root: str, files: Mapping[str, str]) -> list[str]:
    """The existing files that `create` would have to replace. None if some of the files exist with their text."""
    existing = [path for path in files if os.path.lexists(f"{root}/{path}")]
    if len(existing) < len(files):
        existing = [path for path in existing if not _has_text(f"{root}/{path}", files[path])]
    return [f"{root}/{path}" for path in existing]


def _has_text(path: str, text: str) -> bool:
    return not os.path.islink(path) and read_bytes(path, len(text.encode()) + 1) == text.encode()


def _look(root: str, files: Texts, stamp: Stamp, scope: Scope) -> View | tuple[Diagnostic, ...]:
    """Read the directory, or return faults if it contains anything that must not be changed."""
    wanted = {path: digest(text.encode()) for path, text in files.items()}
    old = read_cache(root)
    try:
        tree = walk(root, scope, known=bool(known_files(old)) or is_built(root))
        faults = tuple(blocking_faults(root, tree, wanted))
        return faults or _view(root, tree, old, _Wanted(wanted, stamp, scope))
    except OSError as error:
        return (failure(root, "", error),)


class _Wanted(NamedTuple):
    """What a build wants on disk: the hashes of its files by path, its stamp and its scope."""

    hashes: Mapping[str, str]
    stamp: Stamp
    scope: Scope


def _view(root: str, tree: Tree, old: Cache | Diagnostic, new: _Wanted) -> View | tuple[Diagnostic, ...]:
    wanted, stamp, scope = new
    cache = Cache() if isinstance(old, Diagnostic) else old
    last = LastBuild(cache.files, has_same_stamp=bool(stamp.inputs) and cache.stamp == stamp)
    disk = hashes(root, tree.files & wanted.keys())
    same = {path for path, value in disk.items() if value == wanted[path]}
    differing = {path: look_at(root, path) for path in tree.files - same}
    git = git_files(root, files_to_ask_git(differing, wanted, last))
    foreign = foreign_files(differing, wanted, last, git)
    if foreign:
        return tuple(not_ours(root, path) for path in foreign)
    ours = disk | {path: file.sha256 for path, file in differing.items()}
    differences = changes(ours, wanted, hand_edits(differing, last, git))
    removed_paths = frozenset(path for path in last.files.keys() - wanted.keys() if scope.holds(path))
    return View(tree, old, merge(cache, stamp, wanted, scope), differences, scope, removed_paths)


def _meanwhile(view: View) -> Cache:
    """The cache while files change: it lists old and new files, without the hashes of those that change."""
    files = {**known_files(view.old), **view.new.files}
    for path in (*view.changes.written, *view.changes.removed):
        files[path] = UNDECIDED
    return Cache(mixed_stamp(view.new.stamp), files)


def _stated(root: str, cache: Cache, scope: Scope, jobs: int | None) -> Cache:
    """The cache with the state of the files on disk, if the build covers all of them."""
    try:
        return cache._replace(state=disk_state(root, cache.files, jobs)) if scope.whole else cache
    except OSError:
        return cache
