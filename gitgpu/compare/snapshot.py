"""One side of a comparison: the files of a fleet's overlays, and the objects in those that are asked for."""

from collections.abc import Iterable, Iterator, Mapping
from posixpath import dirname
from typing import Any, NamedTuple, TypeAlias

from gitgpu.conform.objects import Identity, identity
from gitgpu.diagnostic import Diagnostic
from gitgpu.load.access import MAPPING
from gitgpu.load.delivery.kustomize import is_kustomization
from gitgpu.load.generated import changed_by
from gitgpu.load.manifest.objects import is_object
from gitgpu.load.overlays import RUNBOOK, is_overlay
from gitgpu.load.parse.yaml import parse
from gitgpu.load.text import Text

Files: TypeAlias = Mapping[str, str]
Key: TypeAlias = tuple[str, Identity]


PAGE = "Page"  # the kind that a text of the runbook has here, as if it were an object


class Thing(NamedTuple):
    """One object of the overlays: its file below the output directory, its identity and its content.

    `changed_by` is what its header says about patches and values of the user.
    """

    path: str
    identity: Identity
    body: Mapping[str, Any]
    changed_by: tuple[str, ...] = ()

    @property
    def layer(self) -> str:
        """The folder of the cluster that it is in; a delivery engine applies them one after the other."""
        return layer_of(self.path)

    @property
    def is_patch(self) -> bool:
        """Is it a patch of an object with another owner? Such files are in a subfolder of a layer."""
        return self.path.count("/") > 2

    @property
    def key(self) -> Key:
        """What makes it the same object; a patch need not say its namespace, so its folder counts."""
        return (dirname(self.path) if self.is_patch else "", self.identity)

    @property
    def name(self) -> str:
        """Kind and name, with the namespace where there is one."""
        return "/".join(part for part in self.identity[1:] if part)


def at(body: Any, *path: str) -> Any:
    """The value at a path of whatever was written; None where there is none, or no mapping on the way."""
    for key in path:
        body = body.get(key) if isinstance(body, MAPPING) else None
    return body


def layer_of(path: str) -> str:
    """The folder of its cluster that a file is in."""
    parts = path.split("/")
    return parts[1] if len(parts) > 2 else ""


def clusters(files: Files) -> dict[str, dict[str, str]]:
    """The manifests of each cluster by path; indexes and the lock, which follow from them, are left out."""
    found: dict[str, dict[str, str]] = {}
    for path, text in sorted(files.items()):
        if is_overlay(path) and not is_kustomization(path):
            found.setdefault(path.partition("/")[0], {})[path] = text
    return found


def same(before: str | None, after: str | None) -> bool:
    """Do two texts of a file say the same below the comments at their head, which name lines of the spec?"""
    return before == after or (before is not None and after is not None and _bare(before) == _bare(after))


def _bare(text: str) -> str:
    start = 0
    while text.startswith(("#", "//"), start):
        start = text.find("\n", start) + 1 or len(text)
    return text[start:]


def things(files: Files, paths: Iterable[str], where: str) -> tuple[dict[Key, Thing], list[Diagnostic]]:
    """The objects of some of the files by key, and why files cannot be read; `where` is before their paths."""
    found: dict[Key, Thing] = {}
    faults: list[Diagnostic] = []
    for path in paths:
        if layer_of(path) == RUNBOOK:
            page = Identity("", PAGE, "", path.rpartition("/")[2])
            found["", page] = Thing(path, page, {"text": _bare(files[path])})
            continue
        documents, wrong = parse(Text(f"{where}{path}", files[path], path))
        faults += wrong
        notes = changed_by(files[path])
        found.update((thing.key, thing) for thing in _things(path, (each.data for each in documents), notes))
    return found, faults


def _things(path: str, documents: Iterable[Any], notes: tuple[str, ...]) -> Iterator[Thing]:
    for data in documents:
        if is_object(data):
            yield Thing(path, identity(data), data, notes)
