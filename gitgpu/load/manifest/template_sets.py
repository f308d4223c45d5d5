"""Files in which a tool replaces tokens such as `<CLUSTER_NAME>`. If many files have them, they are templates."""

import re
from collections.abc import Container, Mapping

from gitgpu.load.manifest.objects import ManifestFile
from gitgpu.load.text import Text
from gitgpu.source import Span

# A token that a script replaces, such as <CLUSTER_NAME>.
_TOKEN = re.compile(r"<[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+>", re.ASCII)
_CAUSED = ("LNT002", "YML001", "YML003")  # faults that a token causes
_MAX_FILES = 10  # files: people do not fill in more by hand


def without_token_files(
    files: Mapping[str, ManifestFile], texts: Mapping[str, Text], named: Container[str] | None
) -> dict[str, ManifestFile]:
    """The manifest files. If many have tokens, they are templates, except those that are named explicitly."""
    templates: dict[str, ManifestFile] = {}
    for name, read in files.items():
        token = _first_token(read, texts[name]) if named is not None and name not in named else None
        if token:
            templates[name] = ManifestFile((), (), (), (), token)
    return {**files, **(templates if len(templates) >= _MAX_FILES else {})}


def _first_token(read: ManifestFile, text: Text) -> Span | None:
    """The place of the first fault that a token in its line, or in the line before, has caused."""
    wrong = [fault.span for fault in read.faults if fault.code in _CAUSED]
    lines = text.content.splitlines() if wrong else []
    for span in wrong:
        # Also the line before: a fault is reported at the end of the value, which may be on the next line.
        if any(_TOKEN.search(line) for line in lines[max(span.line - 2, 0) : span.line]):
            return span
    return None
