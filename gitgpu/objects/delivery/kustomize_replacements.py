"""Targets of `replacements` in kustomizations: Kustomize writes values there that lint does not look up."""

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple, TypeAlias

from gitgpu.access import children, list_at, reach, rows
from gitgpu.load.parse.yaml import parse
from gitgpu.load.text import Text
from gitgpu.objects.delivery.kustomize import Kustomization
from gitgpu.objects.delivery.patch_targets import is_selected
from gitgpu.objects.delivery.substitution import Substituted
from gitgpu.source import Pointer

_STEP = re.compile(r"(?:\\.|\[[^\]]*\]|[^.\\])+")  # of a path: a backslash precedes a dot that is part of a key
_CHOICE = re.compile(r"\[(.*?)=(.*)\]")  # of an item in a list: [name=main]
Selector: TypeAlias = tuple[tuple[str, str], ...]


class Target(NamedTuple):
    """The fields of the objects that a selector matches, as paths."""

    select: Selector
    paths: tuple[str, ...]


def replaced_fields(kustomizations: Mapping[str, Kustomization], texts: Mapping[str, Text]) -> tuple[Target, ...]:
    """The targets of all replacements, also those in files that were read."""
    targets: list[Target] = []
    for kustomization in kustomizations.values():
        for entry in rows(kustomization.data, "replacements"):
            for replacement in _written(entry, kustomization, texts):
                targets += _targets(replacement)
    return tuple(targets)


def with_replaced_fields(written: Substituted, targets: Iterable[Target], namespace: str) -> Substituted:
    """The object, with the fields that Kustomize replaces as unknown values."""
    holes: set[Pointer] = set()
    for target in targets:
        if is_selected(target.select, written.body, namespace):
            for path in target.paths:
                holes.update(_places(written.body, _STEP.findall(path), ()))
    return written._replace(holes=written.holes | holes) if holes else written


def _targets(replacement: Any) -> Iterator[Target]:
    for target in rows(replacement, "targets"):
        select = tuple((str(key), str(value)) for key, value in children(reach(target, "select")))
        paths = tuple(path for path in list_at(target, "fieldPaths") if isinstance(path, str))
        yield Target(select, paths or ("metadata.name",))


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
