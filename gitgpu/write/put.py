"""One file on disk, replaced by a rename: at any moment it is old or new."""

import os
from contextlib import suppress

from gitgpu.diagnostic import Diagnostic
from gitgpu.write.changes import fault

TEMPORARY = ".gitgpu-write.tmp"  # one in a folder at most: files are written one after the other


def put(path: str, text: str, mode: int | None = None) -> None:
    """The file with this text. Raises FileExistsError when somebody else is writing in the folder, and OSError."""
    temporary = os.path.join(os.path.dirname(path), TEMPORARY)
    try:
        with open(temporary, "xb") as file:
            file.write(text.encode())
        if mode is not None:
            os.chmod(temporary, mode)
        os.replace(temporary, path)
    except FileExistsError:  # somebody else writes here: the temporary is theirs
        raise
    except BaseException:  # Ctrl-C, too, leaves nothing behind that somebody might commit
        with suppress(OSError):
            os.unlink(temporary)
        raise


def rewrite(path: str, text: str) -> tuple[Diagnostic, ...]:
    """A file of somebody's with another text; its mode stays, and a link stays one. What went wrong is a fault."""
    target = os.path.realpath(path)
    try:
        put(target, text, os.stat(target).st_mode)
    except FileExistsError:
        return (busy(os.path.join(os.path.dirname(path), TEMPORARY)),)
    except OSError as error:
        return (failed(path, error),)
    return ()


def busy(temporary: str) -> Diagnostic:
    """Somebody else's temporary is there."""
    remedy = "wait for the other run to end; when there is none, remove the file"
    return fault("OUT004", temporary, "another run of gitgpu is writing here", remedy)


def failed(place: str, error: OSError) -> Diagnostic:
    """What the operating system did not let us do."""
    remedy = "mend that and run the same command again: it carries on from here"
    return fault("OUT004", place, error.strerror or str(error), remedy)
