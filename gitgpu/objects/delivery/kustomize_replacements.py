"""Targets of `replacements` in kustomizations: Kustomize writes values there that lint does not look up."""

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, TypeAlias

from gitgpu.access import children, list_at, reach, rows, text_at
from gitgpu.load.parse.yaml import parse
from gitgpu.load.text import Text
from gitgpu.objects.delivery.kustomize import Kustomization
from gitgpu.objects.delivery.patch_targets import is_selected
from gitgpu.objects.delivery.patches import Patch
from gitgpu.objects.delivery.substitution import Substituted
from gitgpu.source import Pointer

_STEP = re.compile(r"(?:\\.|\[[^\]]*\]|[^.\\])+")  # of a path: a backslash precedes a dot that is part of a key
_CHOICE = re.compile(r"\[(.*?)=(.*)\]")  # of an item in a list: [name=main]
Selector: TypeAlias = tuple[tuple[str, str], ...]  # (key, text) pairs that an object must match
Steps: TypeAlias = tuple[str, ...]  # of the path of a field


def replaced_fields(
    kustomizations: Mapping[str, Kustomization], texts: Mapping[str, Text]
) -> Mapping[Selector, Sequence[Steps]]:
    """The paths of fields that are replaced, by selector, also of replacements in files that were read."""
    # Overlays repeat replacements, so each is listed once.
    targets: dict[tuple[Selector, Steps], None] = {}
    for kustomization in kustomizations.values():
        copied = names_of_copies(kustomization)
        for entry in rows(kustomization.data, "replacements"):
            if text_at(entry, "source", "name") in copied:
                continue
            for replacement in _written(entry, kustomization, texts):
                targets.update(dict.fromkeys(_targets(replacement)))
    paths: dict[Selector, list[Steps]] = {}
    for select, steps in targets:
        paths.setdefault(select, []).append(steps)
    return paths


def names_of_copies(kustomization: Kustomization) -> frozenset[str]:
    """The names of the sources whose values lint copies as well: gitgpu's patches."""
    copies = [change for change in kustomization.changes if isinstance(change, Patch) and change.copied]
    return frozenset(text_at(copy.data, "metadata", "name") for copy in copies)


def with_replaced_fields(
    written: Substituted, paths: Mapping[Selector, Iterable[Steps]], namespace: str
) -> Substituted:
    """The object, with the fields that Kustomize replaces as unknown values."""
    holes: set[Pointer] = set()
    for select, fields in paths.items():
        if is_selected(select, written.body, namespace):
            for steps in fields:
                holes.update(_places(written.body, steps, ()))
    return written._replace(holes=written.holes | holes) if holes else written


def _targets(replacement: Any) -> Iterator[tuple[Selector, Steps]]:
    for target in rows(replacement, "targets"):
        select = tuple((str(key), str(value)) for key, value in children(reach(target, "select")))
        paths = [path for path in list_at(target, "fieldPaths") if isinstance(path, str)]
        for path in paths or ("metadata.name",):
            yield select, tuple(_STEP.findall(path))


def _written(entry: Mapping[str, Any], kustomization: Kustomization, texts: Mapping[str, Text]) -> list[Any]:
    """The replacements of an entry: itself, or those in the file that it names."""
    path = entry.get("path")
    if not isinstance(path, str):
        return [entry]
    text = texts.get(posixpath.normpath(posixpath.join(posixpath.dirname(kustomization.file), path)))
    documents = parse(text)[0] if text else ()
    found = (document.data if isinstance(document.data, list) else [document.data] for document in documents)
    return list(chain.from_iterable(found))


def _places(value: Any, steps: Sequence[str], place: Pointer) -> Iterator[Pointer]:
    """The places that the steps of a path lead to: keys, indexes, `[key=value]`, and `*` for all."""
    if not steps:
        yield place
        return
    choice = _CHOICE.fullmatch(steps[0])
    step = steps[0].replace("\\.", ".").removeprefix("[").removesuffix("]")  # [key.with/dots] is one key
    for key, below in children(value):
        chosen = str(reach(below, choice[1])) == choice[2] if choice else step in ("*", str(key))
        if chosen:
            yield from _places(below, steps[1:], (*place, key))
