"""Writes the files of a spec to a directory: all of them, or none if one exists."""

import os
from collections.abc import Mapping

from gitgpu.diagnostic import Diagnostic
from gitgpu.write.apply import conflicts, create
from gitgpu.write.atomic_file import TEMPORARY, busy, os_fault, write_file
from gitgpu.write.faults import fault


def write_spec(root: str, files: Mapping[str, str], *, force: bool) -> tuple[Diagnostic, ...]:
    """Write the files, and return faults. Existing files are replaced only with `force`."""
    if not force:
        if existing := conflicts(root, files):
            remedy = "use another directory with --out, or replace it with --force"
            return tuple(fault("OUT005", path, "already exists", remedy) for path in existing)
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
