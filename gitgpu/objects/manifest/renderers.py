"""Files of a repository that render manifests: Terraform's templatefile, and scripts and pages with envsubst."""

import posixpath
import re
from collections.abc import Iterable, Iterator
from functools import cache

from gitgpu.load.read import is_file, listing, read_text
from gitgpu.load.text import Text

_NAMES = re.compile(r"\.(?:tf|tofu|sh|bash|md|mk|ps1)\Z|\A(?:Makefile|Justfile|justfile|README)\Z")
_RENDERS = re.compile(r"\b(?:templatefile|template_file|templatestring|envsubst)\b")
_MAX_BYTES, _MAX_FILES = 512 * 1024, 60  # of a file, and files of a folder: others are not read


def rendered_texts(texts: Iterable[Text]) -> Iterator[Text]:
    """The texts whose names are in a file that renders manifests, in their folder or in one above it.

    Only folders inside the directory that the user named are searched.
    """

    @cache
    def renderers(folder: str) -> tuple[str, ...]:
        return tuple(_renderers(folder))

    for text in texts:
        name = posixpath.basename(text.name)
        if any(name in content for folder in _folders(text) for content in renderers(folder)):
            yield text


def _folders(text: Text) -> Iterator[str]:
    """The folders that a text is in, up to the directory that the user named."""
    root = text.name.removesuffix(text.label).rstrip("/")
    folder = posixpath.dirname(text.name)
    while True:
        yield folder
        if folder in ("", "/", root):
            return
        folder = posixpath.dirname(folder)


def _renderers(folder: str) -> Iterator[str]:
    names = [name for name in listing(folder or ".") if _NAMES.search(name)]
    for name in names[:_MAX_FILES]:
        path = posixpath.join(folder, name)
        read = read_text(path, maximum=_MAX_BYTES) if is_file(path) else None
        if isinstance(read, Text) and _RENDERS.search(read.content):
            yield read.content
