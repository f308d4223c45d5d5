"""Writes the files of a spec, new or edited: all of them, or none."""

import os
import stat
from collections.abc import Mapping, Sequence

from gitgpu.diagnostic import Diagnostic
from gitgpu.load.read import read_bytes
from gitgpu.load.text import Text
from gitgpu.write.apply import conflicts, create
from gitgpu.write.atomic_file import TEMPORARY, busy, os_fault, rewrite, write_file
from gitgpu.write.faults import already_there, fault

_MARK = "\N{ZERO WIDTH NO-BREAK SPACE}"  # the byte order mark, which readers drop


def write_spec(root: str, files: Mapping[str, str], *, force: bool) -> tuple[Diagnostic, ...]:
    """Writes new files to a directory, and returns faults. Existing files are replaced only with `force`."""
    if not force:
        if existing := conflicts(root, files):
            remedy = "use another directory with --out, or replace it with --force"
            return already_there(existing, remedy)
        return create(root, files)
    for path, text in files.items():
        folder = os.path.dirname(f"{root}/{path}")
        try:
            os.makedirs(folder, exist_ok=True)
        except OSError as error:
            return (os_fault(f"{root}/{path}", error),)
        try:
            write_file(f"{root}/{path}", text)
        except FileExistsError:
            return (busy(f"{folder}/{TEMPORARY}"),)
        except OSError as error:
            return (os_fault(f"{root}/{path}", error),)
    return ()


def write_edited(texts: Sequence[Text], before: Mapping[str, str]) -> tuple[Diagnostic, ...]:
    """Replace files with the edited texts. If one cannot be written, the others get the content of `before` again."""
    locked = [text.name for text in texts if _is_read_only(text.name)]
    if locked:
        remedy = "make the file writable, or edit it yourself"
        return tuple(fault("OUT011", name, "is read-only: nothing was changed", remedy) for name in locked)
    marks = {text.name: _mark(text.name) for text in texts}
    for done, text in enumerate(texts):
        if faults := rewrite(text.name, marks[text.name] + text.content):
            for other in texts[:done]:
                faults += rewrite(other.name, marks[other.name] + before[other.name])
            return faults
    return ()


def _is_read_only(path: str) -> bool:
    """Whether the file has no write permission. It could be replaced anyway, if its directory has it."""
    return os.path.lexists(path) and not os.lstat(path).st_mode & (stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH)


def _mark(name: str) -> str:
    """The byte order mark of a file, if it has one: an edit keeps it."""
    return _MARK if read_bytes(name, 3) == _MARK.encode() else ""
