"""Rows of a catalog to its directory: each file is old or new at any moment, and a row that says nothing is removed."""

import os
from collections.abc import Mapping

from gitgpu.diagnostic import Diagnostic
from gitgpu.write.atomic_file import failed, occupied, rewrite, write_file
from gitgpu.write.exclusive import held


def write_rows(root: str, texts: Mapping[str, str]) -> tuple[Diagnostic, ...]:
    """Write rows by their paths below a directory; those without a text are removed. The first fault ends it."""
    with held(root) as alone:
        if not alone:
            return (occupied(root),)
        for path, text in sorted(texts.items()):
            if faults := _write(f"{root}/{path}", text):
                return faults
    return ()


def _write(path: str, text: str) -> tuple[Diagnostic, ...]:
    try:
        if not text:
            os.unlink(path)
        elif os.path.lexists(path):
            return rewrite(path, text)
        else:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            write_file(path, text)
    except OSError as error:
        return (failed(path, error),)
    return ()
