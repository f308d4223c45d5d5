"""The disk writer: it changes a directory; `put` changes one file.

A run may be killed at any moment. Each file is replaced by a rename, so it is old or new; and a lock that owns the old
paths and the new ones is in place before anything else changes, so that the next run knows what is ours and finishes.
"""

import hashlib
import math
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from errno import EEXIST, ENOTEMPTY
from types import MappingProxyType

from gitgpu.diagnostic import Diagnostic
from gitgpu.write.atomic_file import TEMPORARY, busy, failed, occupied, write_file
from gitgpu.write.changes import Changes, Tree, changes, diff, fault, not_ours, refused
from gitgpu.write.exclusive import held
from gitgpu.write.lock import NAME, Lock, Scope, Stamp, dump, merge, mixed, parse, prove
from gitgpu.write.steps import Act, Applied, Comparison, Step, View, steps

MARK, HEAD = b"gitgpu", 400  # what each of our files has in its first bytes
ENOUGH = 1000  # files to see of a directory without a lock, which is refused for the first of them


def apply(root: str, files: Mapping[str, str], lock: Lock, scope: Scope) -> Applied:
    """Make the directory hold these files. `lock` is their seal, and all of them are in scope.

    Writes nothing when the directory is so already, or when it holds anything that is not ours.
    """
    prove(root, lock, scope)
    with held(root) as alone:
        return _apply(root, files, lock, scope) if alone else Applied(diagnostics=(occupied(root),))


def _apply(root: str, files: Mapping[str, str], lock: Lock, scope: Scope) -> Applied:
    view = _look(root, lock, scope)
    if not isinstance(view, View):
        return Applied(diagnostics=view)
    done: list[Step] = []
    faults = _run(root, steps(files, view), done)
    written = tuple(step.path for step in done if step.act is Act.PUT and step.path != NAME)
    removed = tuple(step.path for step in done if step.act is Act.REMOVE and step.path in view.tree.files)
    return Applied(written, removed, view.changes.unchanged, view.changes.edited, faults)


def compare(root: str, files: Mapping[str, str], lock: Lock, scope: Scope) -> Comparison:
    """What `apply` would do. Reads only."""
    prove(root, lock, scope)
    view = _look(root, lock, scope)
    if not isinstance(view, View):
        return Comparison(diagnostics=view)
    stale = sorted((*view.changes.written, *view.tree.files.intersection(view.changes.removed)))
    try:
        before = {path: _read(root, path).decode(errors="replace") for path in view.tree.files.intersection(stale)}
    except OSError as error:
        return Comparison(diagnostics=(_failed(root, "", error),))
    diffs = tuple(diff(f"{root}/{path}", before.get(path, ""), files.get(path, "")) for path in stale)
    partly = view.new._replace(stamp=mixed(view.new.stamp))  # clusters that were built one by one leave this
    odd = view.lock_is_stale and (NAME not in view.tree.files or view.old != partly)
    return Comparison((*stale, NAME) if odd else tuple(stale), view.changes.edited, diffs)


def create(root: str, files: Mapping[str, str]) -> tuple[Diagnostic, ...]:
    """Write new files, all or, when one of them is there already, none; nothing is replaced and no lock is kept."""
    there = [f"{root}/{path}" for path in files if os.path.lexists(f"{root}/{path}")]
    if there:
        return tuple(fault("OUT005", path, "already exists", "use another directory") for path in there)
    made = ((Step(Act.MAKE_FOLDER, os.path.dirname(path)), Step(Act.PUT, path, text)) for path, text in files.items())
    return _run(root, (step for pair in made for step in pair), [])


def stamped(root: str, since: float = 0) -> Stamp | None:
    """What the last build was made from; None without a lock that can be read, or with one older than `since`."""
    try:
        if os.stat(f"{root}/{NAME}").st_mtime < since:
            return None
        lock = parse(_read(root, NAME), NAME)
    except OSError:
        return None
    return lock.stamp if isinstance(lock, Lock) else None


def unchanged(root: str, stamp: Stamp) -> bool:
    """Whether the whole directory was made from exactly this and not touched since: then there is nothing to build."""
    try:
        tree = _walk(root)
        lock = _last(root, tree)
        if tree.odd or tree.leftovers or not isinstance(lock, Lock) or lock.stamp != stamp or not stamp.inputs:
            return False
        return tree.files == {NAME, *lock.files} and _hashes(root, lock.files) == lock.files
    except OSError:
        return False


def _look(root: str, lock: Lock, scope: Scope) -> View | tuple[Diagnostic, ...]:
    """Read the directory; faults instead, if it holds anything that we may not touch."""
    try:
        tree = _walk(root)
        old = _last(root, tree)
        if isinstance(old, Diagnostic):
            return (old,)
        faults = tuple(refused(root, tree, old, lock))
        disk = _hashes(root, () if faults else tree.files.intersection(old.files))
        made = changes(disk, old, lock, scope)
        faults += tuple(not_ours(root, path) for path in _strange(root, made))
        new = merge(old, lock, scope)
        stale = NAME not in tree.files or _read(root, NAME) != dump(new).encode()
    except OSError as error:
        return (_failed(root, "", error),)
    return faults or View(tree, old, new, made, stale)


def _strange(root: str, made: Changes) -> Iterator[str]:
    """What the lock claims and the build would remove, though it is not as gitgpu left it and does not name gitgpu."""
    for path in sorted({*made.removed}.intersection(made.edited)):
        if MARK not in _read(root, path)[:HEAD]:
            yield path


def _last(root: str, tree: Tree) -> Lock | Diagnostic:
    """The lock that the last build left, an empty one if there is none."""
    return parse(_read(root, NAME), f"{root}/{NAME}") if NAME in tree.files else Lock(Stamp("", "", ""), {})


def _run(root: str, plan: Iterable[Step], done: list[Step]) -> tuple[Diagnostic, ...]:
    for step in plan:
        try:
            _ACTS[step.act](f"{root}/{step.path}" if step.path else root, step.text)
        except FileExistsError as error:
            if step.act is not Act.PUT:  # something that is no folder is in the place of one
                return (_failed(root, step.path, error),)
            return (busy(f"{root}/{os.path.dirname(step.path)}/{TEMPORARY}".replace("//", "/")),)
        except OSError as error:
            return (_failed(root, step.path, error),)
        done.append(step)
    return ()


def _remove_folder(path: str, _: str) -> None:
    try:
        os.rmdir(path)
    except OSError as error:
        if error.errno not in (ENOTEMPTY, EEXIST):
            raise


_ACTS: Mapping[Act, Callable[[str, str], None]] = MappingProxyType(
    {
        Act.PUT: write_file,
        Act.REMOVE: lambda path, _: os.unlink(path),
        Act.MAKE_FOLDER: lambda path, _: os.makedirs(path, exist_ok=True),
        Act.REMOVE_FOLDER: _remove_folder,
    }
)


def _walk(root: str) -> Tree:
    """Everything below the root, links not followed; an absent root is empty."""
    if not os.path.lexists(root):
        return Tree()
    if os.path.islink(root) or not os.path.isdir(root):
        return Tree(odd=("",))
    files, folders, leftovers, odd = list[str](), list[str](), list[str](), list[str]()
    waiting = [""]
    enough = math.inf if os.path.lexists(f"{root}/{NAME}") else ENOUGH
    while waiting and len(files) < enough:
        prefix = waiting.pop()
        for entry in _entries(f"{root}/{prefix}"):
            path = prefix + entry.name
            if entry.is_dir(follow_symlinks=False):
                folders.append(path)
                waiting.append(f"{path}/")
            elif not entry.is_file(follow_symlinks=False):
                odd.append(path)
            else:
                (leftovers if entry.name == TEMPORARY else files).append(path)
    return Tree(frozenset(files), frozenset(folders), tuple(sorted(leftovers)), tuple(odd))


def _entries(folder: str) -> list[os.DirEntry[str]]:
    with os.scandir(folder) as entries:
        return sorted(entries, key=lambda entry: entry.name, reverse=True)  # the last folder is the next


def _hashes(root: str, paths: Iterable[str]) -> dict[str, str]:
    return {path: hashlib.sha256(_read(root, path)).hexdigest() for path in paths}


def _read(root: str, path: str) -> bytes:
    with open(f"{root}/{path}", "rb", buffering=0) as file:
        return file.read()


def _failed(root: str, path: str, error: OSError) -> Diagnostic:
    return failed(f"{root}/{path}" if path else str(error.filename or root), error)
