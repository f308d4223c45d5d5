"""Files with the output of other programs, which may have an encoding of Windows."""

from collections.abc import Sequence
from functools import partial

from gitgpu.cli.input.texts import read_named, with_notes
from gitgpu.diagnostic import Diagnostic
from gitgpu.inventory.documents import Document, documents
from gitgpu.inventory.encodings import decode_output
from gitgpu.inventory.foreign_files import READ
from gitgpu.load.read import read_paths
from gitgpu.load.text import Text


def read_outputs(named: Sequence[str]) -> tuple[list[Text], list[Diagnostic]]:
    """The texts. A broken link in a directory is a note."""
    read = partial(read_paths, decoding=decode_output, suffixes=READ)
    return with_notes(named, *read_named(named, read=read, decoding=decode_output))


def read_documents(named: Sequence[str]) -> tuple[list[Document], list[Diagnostic]]:
    """The documents of the texts."""
    texts, faults = read_outputs(named)
    parsed: list[Document] = []
    for text in texts:
        of_text, wrong = documents(text)
        parsed += of_text
        faults += wrong
    return parsed, faults
