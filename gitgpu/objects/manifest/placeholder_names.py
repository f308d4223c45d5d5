"""Objects in directories whose names are placeholders: a script replaces them, so each folder has one note."""

import posixpath
from collections.abc import Container, Mapping

from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.objects.loaded import ManifestFile
from gitgpu.spelling import count_text

_NAMES = ("/metadata/name", "/metadata/namespace", "/metadata/generateName")


def with_noted_names(files: Mapping[str, ManifestFile], named: Container[str] | None) -> dict[str, ManifestFile]:
    """The files. Of those that the user does not name, the first one of a folder has a note instead of the errors."""
    if named is None:
        return dict(files)
    by_folder: dict[str, list[Diagnostic]] = {}
    for name, file in files.items():
        if name not in named:
            by_folder.setdefault(posixpath.dirname(name), []).extend(filter(_is_about_name, file.faults))
    notes = {min(faults, key=lambda fault: fault.span): len(faults) for faults in by_folder.values() if faults}
    noted: dict[str, ManifestFile] = {}
    for name, file in files.items():
        kept = [fault for fault in file.faults if name in named or not _is_about_name(fault)]
        kept += [_note(fault, notes[fault]) for fault in file.faults if fault in notes]
        noted[name] = file._replace(faults=tuple(kept)) if file.faults else file
    return noted


def _is_about_name(fault: Diagnostic) -> bool:
    return fault.code == "LNT002" and fault.pointer in _NAMES


def _note(fault: Diagnostic, number: int) -> Diagnostic:
    more = f", as in {count_text(number - 1, 'other object')} of this folder" if number > 1 else ""
    message = f"{fault.message.partition(',')[0]} as a name{more}: such objects were not checked"
    return fault._replace(severity=Severity.INFO, message=message)
