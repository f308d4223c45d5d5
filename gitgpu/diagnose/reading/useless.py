"""Answers of the API server that are JSON and have no objects: tables, metadata alone, and errors."""

from collections.abc import Mapping
from typing import Any

from gitgpu.access import text_at
from gitgpu.diagnostic import Diagnostic, fault
from gitgpu.model.names.groups import META_GROUP
from gitgpu.model.names.kinds import group_kind
from gitgpu.objects.manifest.manifest_file import is_object
from gitgpu.source import Span

_AS_OBJECTS = "pass the output of `kubectl get ... -o json`, whose items have a spec and a status"


def is_array(data: Any) -> bool:
    """Whether it is an array of objects, as `jq .items` prints it."""
    return isinstance(data, list) and any(map(is_object, data))


def useless_answer(body: Mapping[str, Any], file: str) -> tuple[Diagnostic, ...]:
    """The fault that an answer has no object; () for anything else."""
    group, kind = group_kind(body)
    if group == META_GROUP:
        form = "a table in JSON" if kind == "Table" else "only the metadata of objects"
        return (fault("IMP003", f"{form}, not objects", _AS_OBJECTS, Span(file, 1, 1)),)
    if (group, kind) == ("", "Status"):
        message = f"an error of the API server, not objects: {text_at(body, 'reason') or 'no reason is given'}"
        return (fault("IMP003", message, "correct its cause, and run the command again", Span(file, 1, 1)),)
    return ()
