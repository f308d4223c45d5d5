"""Writes rows to the directory of a catalog: all of them, or none. An empty row is removed."""

import os
from collections.abc import Mapping

from gitgpu.diagnostic import Diagnostic
from gitgpu.write.atomic_file import occupied_fault, os_fault, rewrite, write_file
from gitgpu.write.run_lock import run_lock


def write_rows(root: str, texts: Mapping[str, str]) -> tuple[Diagnostic, ...]:
    """Write rows to their paths below a directory. Those without text are removed. After a fault, all are restored."""
    with run_lock(root) as alone:
        return _write_all(root, texts) if alone else (occupied_fault(root),)


def _write_all(root: str, texts: Mapping[str, str]) -> tuple[Diagnostic, ...]:
    rows = {f"{root}/{path}": text for path, text in sorted(texts.items())}
    try:
        before = {path: _content(path) for path in rows}
    except OSError as error:
        return (os_fault(str(error.filename), error),)
    done: list[str] = []
    for path, text in rows.items():
        if faults := _write(path, text):
            for other in done:
                faults += _write(other, before[other])
            return faults
        done.append(path)
    return ()


def _content(path: str) -> str:
    """The content of a file, or "" if it does not exist."""
    if not os.path.lexists(path):
        return ""
    with open(path, encoding="utf-8", newline="") as file:
        return file.read()


def _write(path: str, text: str) -> tuple[Diagnostic, ...]:
    exists = os.path.lexists(path)
    try:
        if exists and text:
            return rewrite(path, text)
        if exists:
            os.unlink(path)
        elif text:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            write_file(path, text)
    except OSError as error:
        return (os_fault(path, error),)
    return ()
