"""Patches that a kustomization names by path, from the files that were read."""

from collections.abc import Mapping
from posixpath import dirname, join, normpath
from typing import Any

from gitgpu.access import list_at, reach, text_at
from gitgpu.load.parse.yaml import parse
from gitgpu.load.text import Text
from gitgpu.model.names.annotations import TARGET_ANNOTATION
from gitgpu.model.names.kinds import group_kind
from gitgpu.objects.delivery.images import images
from gitgpu.objects.delivery.kustomize import Kustomization
from gitgpu.objects.delivery.patches import Change, Patch, written_patches

_KEYS = ("patchesStrategicMerge", "patches", "patchesJson6902")  # in the order in which Kustomize applies them


def with_patch_files(
    kustomizations: Mapping[str, Kustomization], texts: Mapping[str, Text]
) -> dict[str, Kustomization]:
    """The kustomizations with the patches of all files that were read. `unread` are the keys with other patches."""
    return {name: _completed(kustomization, texts) for name, kustomization in kustomizations.items()}


def _completed(kustomization: Kustomization, texts: Mapping[str, Text]) -> Kustomization:
    read: list[Patch] = []
    unread: set[str] = set()
    for key in _KEYS:
        entries = kustomization.data.get(key)
        for entry in entries if isinstance(entries, list) else ():
            content = _content(entry, kustomization, texts)
            patches = None if content is None else written_patches(content, reach(entry, "target"))
            read += patches or ()
            if not patches:
                unread.add(key)
    sources, copies = _copies(kustomization, texts)
    named = {text_at(copy.data, "metadata", "name") for copy in copies}
    if any(text_at(entry, "source", "name") not in named for entry in list_at(kustomization.data, "replacements")):
        unread.add("replacements")
    uses = tuple(use._replace(patch=use.patch or use.path in sources) for use in kustomization.uses)
    changes: tuple[Change, ...] = (*read, *copies, *images(kustomization.data))
    return kustomization._replace(uses=uses, changes=changes, unread=frozenset(unread))


def _copies(kustomization: Kustomization, texts: Mapping[str, Text]) -> tuple[set[str], list[Patch]]:
    """The files of gitgpu's patches whose values `replacements` copy, and these patches."""
    sources: set[str] = set()
    copies: list[Patch] = []
    for use in kustomization.uses if kustomization.data.get("replacements") else ():
        text = texts.get(use.path)
        if text and TARGET_ANNOTATION in text.content:
            for document in parse(text)[0]:
                if target := text_at(document.data, "metadata", "annotations", TARGET_ANNOTATION):
                    group, kind = group_kind(document.data)
                    chosen = (("group", group), ("kind", kind), ("name", target))
                    copies.append(Patch(text.content, chosen, document.data, copied=True))
                    sources.add(use.path)
    return sources, copies


def _content(entry: Any, kustomization: Kustomization, texts: Mapping[str, Text]) -> str | None:
    """The text of a patch, inline or in a file; None if the file was not read."""
    path = entry.get("path") if isinstance(entry, dict) else entry
    if isinstance(entry, dict) and isinstance(entry.get("patch"), str):
        return str(entry["patch"])
    if not isinstance(path, str):
        return None
    if "\n" in path:
        return path
    patch_file = texts.get(normpath(join(dirname(kustomization.file), path)))
    return patch_file.content if patch_file else None
