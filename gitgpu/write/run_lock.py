"""One run at a time in an output directory: two would take each other's temporary files for those of a killed run."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress


@contextmanager
def run_lock(root: str) -> Iterator[bool]:
    """Locks a directory, which is created if needed. False if another run has locked it.

    The operating system locks the directory itself, so the lock leaves no file, and ends with the process. Where this
    is not possible (Windows, some network file systems), nothing is locked.
    """
    folder = _opened(root)
    try:
        yield folder is None or _locked(folder)
    finally:
        if folder is not None:
            os.close(folder)


def _opened(root: str) -> int | None:
    with suppress(OSError, AttributeError):  # no O_DIRECTORY on Windows; other errors are reported later
        if not os.path.lexists(root):
            os.makedirs(root)
        return os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    return None


def _locked(folder: int) -> bool:
    try:
        return lock(folder)
    except OSError:  # a system or a file system without locks
        return True


def lock(file: int) -> bool:
    """Locks an open file until it is closed. False if another process has locked it. Raises OSError without locks."""
    try:
        import fcntl  # noqa: PLC0415
    except ImportError as error:  # Windows
        raise OSError("no locks") from error
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
