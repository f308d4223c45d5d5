"""Writing one file by a rename, so that at any moment it is either old or new."""

import os
import stat
from collections.abc import Callable, Collection
from contextlib import suppress

from gitgpu.diagnostic import Diagnostic
from gitgpu.write.faults import fault
from gitgpu.write.run_lock import lock

_WINDOWS = os.name == "nt"
_NEW_FILE = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
TEMPORARY = ".gitgpu-write.tmp"  # at most one in each folder, because files are written one after the other


def write_file(path: str, text: str | bytes, mode: int | None = None, *, alone: bool = False) -> None:
    """Writes a file. Raises OSError: FileExistsError if another process is writing in the folder.

    A temporary file that a killed process has left is replaced. A run that has locked the directory is `alone` in it:
    it need not lock the temporary file as well.
    """
    temporary = os.path.join(os.path.dirname(path), TEMPORARY)
    # If it replaces a file, only its owner may read it until it has the mode of that file.
    file = _created(temporary, 0o666 if mode is None else 0o600, _opened if alone else _locked)
    try:
        try:
            _write(file, text if isinstance(text, bytes) else text.encode())
        finally:
            if _WINDOWS:  # an open file cannot be renamed or removed there
                os.close(file)
        if mode is not None:
            os.chmod(temporary, stat.S_IMODE(mode))
        os.replace(temporary, path)
    except BaseException:  # also on Ctrl-C: a temporary file that stays could be committed
        with suppress(OSError):
            os.unlink(temporary)
        raise
    finally:
        if not _WINDOWS:
            os.close(file)


def rewrite(path: str, text: str, others: Collection[str] = ()) -> tuple[Diagnostic, ...]:
    """Replaces the text of a user's file, and keeps its mode. Errors are returned as faults.

    Nothing is written through a symbolic link, which may lead anywhere. A link to one of the files in `others`, which
    are rewritten too, is not a fault.
    """
    try:
        status = os.lstat(path)
        if not stat.S_ISREG(status.st_mode):
            target = os.path.realpath(path)
            shown = any(target == os.path.realpath(other) for other in others if not os.path.islink(other))
            return () if shown else (_not_regular(path),)
        write_file(path, text, status.st_mode)
    except FileExistsError:
        return (busy(os.path.join(os.path.dirname(path), TEMPORARY)),)
    except OSError as error:
        return (os_fault(path, error),)
    return ()


def _created(temporary: str, mode: int, create: Callable[[str, int], int]) -> int:
    """A new temporary file. Raises FileExistsError if another process is writing it."""
    try:
        return create(temporary, mode)
    except FileExistsError:
        if not _abandoned(temporary):
            raise
        return create(temporary, mode)


def _opened(temporary: str, mode: int) -> int:
    """A new file that is open. Python's `open` takes longer than the system calls alone."""
    return os.open(temporary, _NEW_FILE, mode)


def _locked(temporary: str, mode: int) -> int:
    """A new file that is open, and locked while it is."""
    file = _opened(temporary, mode)
    try:
        # Between these two steps, another process can take the file for one that was abandoned, and remove it.
        ours = lock(file) and _is_at(file, temporary)
    except OSError:  # a system or a file system without locks
        ours = True
    if not ours:
        os.close(file)
        raise FileExistsError(temporary)
    return file


def _abandoned(temporary: str) -> bool:
    """Removes a temporary file whose process has died, which ended its lock. False if a process is writing it."""
    with suppress(OSError):
        if not stat.S_ISREG(os.lstat(temporary).st_mode):
            return False
        file = os.open(temporary, os.O_RDWR | getattr(os, "O_NOFOLLOW", 0))
        try:
            if not lock(file) or not _is_at(file, temporary):
                return False
            os.unlink(temporary)
        finally:
            os.close(file)
        return True
    return False


def _is_at(file: int, path: str) -> bool:
    try:
        return os.path.samestat(os.fstat(file), os.lstat(path))
    except OSError:
        return False


def _write(file: int, content: bytes) -> None:
    while content:
        content = content[os.write(file, content) :]


def _not_regular(path: str) -> Diagnostic:
    remedy = "use the path of its target" if os.path.islink(path) else "use a regular file"
    kind = "a symbolic link" if os.path.islink(path) else "not a regular file"
    return fault("OUT011", path, f"is {kind}: nothing was written there", remedy)


def busy(temporary: str) -> Diagnostic:
    """The fault that another process has a temporary file in the folder."""
    remedy = "wait for it to finish; if no other gitgpu process is running, remove the file"
    return fault("OUT004", temporary, "another gitgpu process is writing here", remedy)


def occupied_fault(root: str) -> Diagnostic:
    """The fault that another run has locked the output directory."""
    return fault("OUT004", root, "another gitgpu process is writing here", "wait for it to finish")


def os_fault(place: str, error: OSError) -> Diagnostic:
    """An error of the operating system as a fault."""
    remedy = "fix the cause and run the command again: it continues from here"
    return fault("OUT004", place, error.strerror or str(error), remedy)
