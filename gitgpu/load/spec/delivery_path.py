"""`delivery.path` and `out` must agree on the path of the overlays in the repository."""

from collections.abc import Iterator, Sequence
from typing import Any

from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.load.configuration.out_directory import OutDirectory
from gitgpu.load.spec.shape import Document
from gitgpu.source import Pointer, pointer_text

_PATH: Pointer = ("spec", "delivery", "path")
_MEND = "remove path, because it defaults to out, or set path: {path}"


def with_delivery_path(documents: Sequence[Document], out: OutDirectory) -> list[Document]:
    """The same documents; a Fleet without `delivery.path` gets the path of the output directory."""
    return [_with_path(document, out.path) for document in documents]


def contradictions(documents: Sequence[Document], out: OutDirectory) -> Iterator[Diagnostic]:
    """CFG003 for each `delivery.path` that is not the output directory of the configuration."""
    for document in documents:
        path = _delivery(document).get("path") if document.sound and out.out_at.line else None
        if path is not None and not _agree(path, out):
            message = (
                f"delivery.path is {path}, but {out.out_at} sets out, which is {out.path} in the repository: "
                "Flux or Argo CD would not find what a build writes"
            )
            remedy = f"{_MEND.format(path=out.path)}; to write for another repository, pass --out instead of out"
            span = document.places.span(_PATH)
            yield Diagnostic("CFG003", Severity.ERROR, message, remedy, span, pointer_text(_PATH), document.ref)


def _agree(path: str, out: OutDirectory) -> bool:
    """Whether both can be the same directory. Without a Git work tree, only the end of the path may be known."""
    return path == out.path or not out.known or (not out.rooted and path.endswith(f"/{out.path}"))


def _with_path(document: Document, path: str) -> Document:
    if document.kind != "Fleet" or not document.sound:
        return document
    spec = document.data["spec"]
    delivery = {"path": path, **spec["delivery"]}
    return document._replace(data={**document.data, "spec": {**spec, "delivery": delivery}})


def _delivery(document: Document) -> dict[str, Any]:
    delivery: dict[str, Any] = document.data["spec"].get("delivery", {})
    return delivery
