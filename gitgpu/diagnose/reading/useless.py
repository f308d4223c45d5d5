"""Answers of the API server that are JSON and have no objects: tables, metadata alone, and errors."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from gitgpu.access import text_at
from gitgpu.diagnostic import Diagnostic, fault
from gitgpu.objects.manifest.manifest_file import is_object
from gitgpu.source import Span

_AS_OBJECTS = "pass the output of `kubectl get ... -o json`, whose items have a spec and a status"


def is_array(data: Any) -> bool:
    """Whether it is an array of objects, as `jq .items` prints it."""
    return isinstance(data, list) and any(map(is_object, data))


def useless_answers(objects: Iterable[Mapping[str, Any]], file: str) -> Iterator[Diagnostic]:
    """A fault for each kind of answer without objects."""
    found: dict[str, Diagnostic] = {}
    for body in objects:
        kind, version = body["kind"], body["apiVersion"]
        if version.startswith("meta.k8s.io/") and kind in ("Table", "PartialObjectMetadata"):
            form = "a table in JSON" if kind == "Table" else "only the metadata of objects"
            found.setdefault(kind, fault("IMP003", f"{form}, not objects", _AS_OBJECTS, Span(file, 1, 1)))
        elif kind == "Status" and version == "v1":
            reason = text_at(body, "reason") or "no reason is given"
            message = f"an error of the API server, not objects: {reason}"
            found.setdefault(
                kind, fault("IMP003", message, "correct its cause, and run the command again", Span(file, 1, 1))
            )
    yield from found.values()
