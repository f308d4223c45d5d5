"""Patches of Kustomize: which objects they target, and how they change them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from gitgpu.access import reach, rows, text_at
from gitgpu.load.parse.yaml import parse
from gitgpu.load.text import Text
from gitgpu.model.names.kinds import group_kind
from gitgpu.objects.delivery.images import Image, images, replace_images, written_images
from gitgpu.objects.delivery.jsonpatch import apply_operations
from gitgpu.objects.delivery.merge import merge_named, merge_value
from gitgpu.objects.delivery.patch_targets import is_selected

_FLUX = "toolkit.fluxcd.io"


@dataclass(frozen=True, slots=True)
class Patch:
    """A patch as text and as data: a list of operations, or a part of an object.

    `target` contains the (key, text) pairs of its selector. Without any, the patch itself names its object. Values that
    are `copied` are merged by the names of containers and groups, and leave the metadata as it is.
    """

    text: str
    target: tuple[tuple[str, str], ...] = ()
    data: Any = field(default=None, compare=False)
    copied: bool = False


Change: TypeAlias = Patch | Image


def changes(spec: Any) -> tuple[Change, ...]:
    """The patches and images of a Flux Kustomization, without patches that cannot be parsed: Flux rejects them."""
    all_changes: list[Change] = []
    for patch in rows(spec, "patches"):
        all_changes += written_patches(text_at(patch, "patch"), reach(patch, "target"))
    return (*all_changes, *images(spec))


def written_patches(text: str, target: Any) -> list[Patch]:
    """The patches in a text, one for each document; none if it cannot be parsed."""
    chosen: dict[str, str] = {}
    if isinstance(target, dict):
        chosen = {str(key): str(value) for key, value in target.items()}
    documents, faults = parse(Text("patch", text, "patch"), as_json=True)
    if faults:
        return []
    selected = tuple(sorted(chosen.items()))
    several = len(documents) > 1
    patches = []
    for number, document in enumerate(documents):
        distinct = f"{text}\n# {number}" if several else text  # patches with the same text are equal, so it is numbered
        patches.append(Patch(distinct, selected, document.data))
    return patches


def application_changes(kustomize: Any) -> tuple[Change, ...]:
    """The patches and images that an Argo CD Application adds to the kustomization that it applies."""
    texts = reach(kustomize, "images")
    image_changes = written_images(texts) if isinstance(texts, list) else ()
    return (*changes({"patches": rows(kustomize, "patches")}), *image_changes)


def apply_patches(body: dict[str, Any], patches: tuple[Change, ...], namespace: str = "") -> dict[str, Any] | None:
    """The object after the changes, or None if they delete it. `namespace` is the one that a kustomization sets."""
    for patch in patches:
        if isinstance(patch, Image):
            body = replace_images(body, patch)
        elif not _is_for(patch, body, namespace):
            continue
        elif isinstance(patch.data, list):
            body = apply_operations(body, patch.data)
        elif isinstance(patch.data, dict):
            if patch.data.get("$patch") == "delete":
                return None
            body = merge_named(body, _spec(patch.data)) if patch.copied else _merged(body, patch.data)
    return body


def additions(every: Iterable[Change]) -> tuple[Change, ...]:
    """The changes that only add to, or overwrite, Flux objects, without duplicates."""
    merges = [change for change in every if isinstance(change, Patch) and isinstance(change.data, dict)]
    plain_merges = [patch for patch in dict.fromkeys(merges) if "$patch" not in patch.text]
    return tuple(patch for patch in plain_merges if _FLUX in f"{patch.text}{patch.target}")


def _merged(body: dict[str, Any], data: dict[str, Any]) -> dict[str, Any]:
    """The object merged with a patch. It keeps its kind, name and namespace, regardless of the patch."""
    result: dict[str, Any] = merge_value(body, data, listed=not is_custom(body))
    result |= {key: body[key] for key in ("apiVersion", "kind") if key in body}
    meta, old = result.get("metadata"), reach(body, "metadata")
    if isinstance(meta, dict) and isinstance(old, dict):
        names = {key: old[key] for key in ("name", "namespace") if key in old}
        result["metadata"] = {key: value for key, value in meta.items() if key not in ("name", "namespace")} | names
    return result


def is_custom(body: Mapping[str, Any]) -> bool:
    """Whether it is a custom resource. Kustomize knows the merge keys of built-in kinds, and replaces other lists."""
    group = group_kind(body)[0]
    return "." in group and not group.endswith(".k8s.io")


def _spec(data: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in data.items() if key not in ("apiVersion", "kind", "metadata")}


def _is_for(patch: Patch, body: Mapping[str, Any], namespace: str) -> bool:
    if patch.target:
        return is_selected(patch.target, body, namespace)
    data = patch.data
    if not isinstance(data, dict) or group_kind(data) != group_kind(body):
        return False
    wanted = text_at(data, "metadata", "namespace")
    same = not wanted or wanted in (text_at(body, "metadata", "namespace"), namespace)
    return same and text_at(data, "metadata", "name") == text_at(body, "metadata", "name")
