"""Patches of custom resources as `replacements`: Kustomize replaces lists of kinds that it does not know as a whole.

The file of such a patch is a source of values, which an annotation keeps out of the output. Each value is copied to its
place in that object, and what is missing above it is created:
api/filters/replacement of kubernetes-sigs/kustomize.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.access import MAPPING
from gitgpu.model.names.annotations import LOCAL_CONFIG_ANNOTATION, TARGET_ANNOTATION
from gitgpu.objects.delivery.merge import ELEMENTS
from gitgpu.objects.delivery.patches import is_custom

_WHOLE = frozenset({"requiredDuringSchedulingIgnoredDuringExecution"})  # values that belong together
_HEAD = ("apiVersion", "kind", "metadata")


def needs_replacements(body: Mapping[str, Any]) -> bool:
    """Whether Kustomize would not merge a patch into an object by the names of containers and groups.

    Without such lists it merges the mappings, and a text such as "1" stays a text.
    """
    return is_custom(body) and _has_elements(body)


def _has_elements(value: Any) -> bool:
    if not isinstance(value, MAPPING):
        return False
    return any((isinstance(below, list) and key in ELEMENTS) or _has_elements(below) for key, below in value.items())


def as_source(body: Mapping[str, Any], folder: str) -> dict[str, Any]:
    """The patch as an object whose values are copied, with a name that no other object has: that of its folder."""
    metadata = body["metadata"]
    own = {LOCAL_CONFIG_ANNOTATION: "true", TARGET_ANNOTATION: metadata["name"]}
    annotations = {**metadata.get("annotations", {}), **own}
    return {**body, "metadata": {**metadata, "name": folder, "annotations": annotations}}


def replacements(body: Mapping[str, Any], folder: str) -> list[dict[str, Any]]:
    """The `replacements` that copy each value of a patch into the object with its kind and name."""
    target = {
        "group": str(body["apiVersion"]).rpartition("/")[0],
        "kind": body["kind"],
        "name": body["metadata"]["name"],
    }
    return [
        {
            "source": {"kind": body["kind"], "name": folder, "fieldPath": path},
            "targets": [{"select": target, "fieldPaths": [path], "options": {"create": True}}],
        }
        for path in _paths(body)
    ]


def metadata_patch(body: Mapping[str, Any]) -> dict[str, Any]:
    """The labels and annotations as a patch of their own; {} if there are none. A copied text can become a number."""
    added = {key: body["metadata"][key] for key in ("labels", "annotations") if body["metadata"].get(key)}
    name = {"name": body["metadata"]["name"]}
    return {**{key: body[key] for key in ("apiVersion", "kind")}, "metadata": {**name, **added}} if added else {}


def _paths(body: Mapping[str, Any]) -> Iterator[str]:
    for key, value in body.items():
        if key not in _HEAD:
            yield from _below(value, key)


def _below(value: Any, path: str) -> Iterator[str]:
    """The path of each value, with `[key=name]` for the elements of lists that have names."""
    key = path.rpartition(".")[2]
    if isinstance(value, MAPPING) and key not in _WHOLE:
        for name, inner in value.items():
            yield from _below(inner, f"{path}.{_step(str(name))}")
    elif isinstance(value, list) and key in ELEMENTS:
        for element in value:
            by = ELEMENTS[key]
            inner = {name: each for name, each in element.items() if name != by}
            yield from _below(inner, f"{path}.[{by}={element[by]}]")
    elif value is not None:
        yield path


def _step(key: str) -> str:
    return f"[{key}]" if "." in key or "/" in key else key
