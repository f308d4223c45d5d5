"""One side of a comparison: the files of a fleet's overlays, and the objects in some of them."""

from collections.abc import Iterable, Mapping
from posixpath import basename, dirname
from typing import Any, NamedTuple, TypeAlias

from gitgpu.access import text_at
from gitgpu.diagnostic import Diagnostic
from gitgpu.load.generated import change_phrases
from gitgpu.load.overlays import RUNBOOK, is_overlay
from gitgpu.load.parse.yaml import parse
from gitgpu.load.text import Text
from gitgpu.model.names.annotations import TARGET_ANNOTATION
from gitgpu.objects.delivery.kustomization_names import is_kustomization
from gitgpu.objects.manifest.manifest_file import is_object
from gitgpu.objects.objects import Identity, identity

Files: TypeAlias = Mapping[str, str]
Key: TypeAlias = tuple[str, Identity]


PAGE = "Page"  # the kind of a text of the runbook, which is treated as an object here


class OverlayObject(NamedTuple):
    """An object of the overlays: its file below the output directory, its identity and its content.

    `changed_by` are the header lines about patches and values of the user.
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
        """Whether it is a patch of an object with a different owner. Such files are in a subfolder of a layer."""
        return self.path.count("/") > 2

    @property
    def key(self) -> Key:
        """What identifies it. The folder of a patch counts, because a patch may omit its namespace."""
        return (dirname(self.path) if self.is_patch else "", self.identity)

    @property
    def name(self) -> str:
        """Kind and name, with the namespace if it has one."""
        return "/".join(part for part in self.identity[1:] if part)


def layer_of(path: str) -> str:
    """The folder of its cluster that a file is in."""
    parts = path.split("/")
    return parts[1] if len(parts) > 2 else ""


def clusters(files: Files) -> dict[str, dict[str, str]]:
    """The manifests of each cluster by path, without indexes and the lock, which are derived from them."""
    by_cluster: dict[str, dict[str, str]] = {}
    for path, text in sorted(files.items()):
        if is_overlay(path) and not is_kustomization(path):
            cluster, _, _ = path.partition("/")
            by_cluster.setdefault(cluster, {})[path] = text
    return by_cluster


def same(before: str | None, after: str | None) -> bool:
    """Whether two texts of a file are the same apart from header comments, which name lines in the spec."""
    return before == after or (before is not None and after is not None and _bare(before) == _bare(after))


def _bare(text: str) -> str:
    start = 0
    while text.startswith(("#", "//"), start):
        start = text.find("\n", start) + 1 or len(text)
    return text[start:]


def _identity(body: Mapping[str, Any]) -> Identity:
    """The identity of an object; for a patch whose values are copied, that of the object that gets them."""
    target = text_at(body, "metadata", "annotations", TARGET_ANNOTATION)
    return identity(body)._replace(name=target) if target else identity(body)


def objects_in(files: Files, paths: Iterable[str], where: str) -> tuple[dict[Key, OverlayObject], list[Diagnostic]]:
    """The objects of these files by key, and why files cannot be read. `where` comes before their paths in faults."""
    objects: dict[Key, OverlayObject] = {}
    faults: list[Diagnostic] = []
    for path in paths:
        if layer_of(path) == RUNBOOK:
            page = Identity("", PAGE, "", basename(path))
            objects["", page] = OverlayObject(path, page, {"text": _bare(files[path])})
            continue
        documents, wrong = parse(Text(f"{where}{path}", files[path], path))
        faults += wrong
        notes = change_phrases(files[path])
        for document in documents:
            if is_object(document.data):
                obj = OverlayObject(path, _identity(document.data), document.data, notes)
                objects[obj.key] = obj
    return objects, faults
