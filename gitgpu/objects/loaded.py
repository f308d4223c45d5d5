"""Kubernetes objects as they are in a file."""

from typing import Any, NamedTuple

from gitgpu.diagnostic import Diagnostic, Places
from gitgpu.source import Span


class Loaded(NamedTuple):
    """One Kubernetes object and its file."""

    body: dict[str, Any]
    places: Places
    file: str


class ManifestFile(NamedTuple):
    """The content of a text: its objects, the places of other documents, and the faults of the text.

    `waiting` are objects with `${NAME}`, each with the fault to report if Flux does not replace it. `template` is the
    place of the first action of a template in a directory; nothing else is reported about such a file.
    """

    objects: tuple[Loaded, ...]
    others: tuple[Span, ...]
    faults: tuple[Diagnostic, ...]
    waiting: tuple[tuple[Loaded, Diagnostic], ...] = ()
    template: Span | None = None
