"""One file on disk, replaced by a rename: at any moment it is old or new."""

import os
from contextlib import suppress

from gitgpu.diagnostic import Diagnostic
from gitgpu.write.changes import fault

TEMPORARY = ".gitgpu-write.tmp"  # one in a folder at most: files are written one after the other


def put(path: str, text: str) -> None:
    """The file with this text. Raises FileExistsError when somebody else is writing in the folder, and OSError."""
    temporary = os.path.join(os.path.dirname(path), TEMPORARY)
    try:
        with open(temporary, "xb") as file:
            file.write(text.encode())
        os.replace(temporary, path)
    except FileExistsError:  # somebody else writes here: the temporary is theirs
        raise
    except OSError:
        with suppress(OSError):
            os.unlink(temporary)
        raise


def rewrite(path: str, text: str) -> tuple[Diagnostic, ...]:
    """A file of somebody's with another text; its mode stays, and a link stays one. What went wrong is a fault."""
    target = os.path.realpath(path)
    try:
        mode = os.stat(target).st_mode
        put(target, text)
        os.chmod(target, mode)
    except OSError as error:
        remedy = "mend that and run the same command again: it carries on from here"
        return (fault("OUT004", path, error.strerror or str(error), remedy),)
    return ()
