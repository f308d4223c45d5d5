"""Variables of kustomizations: Kustomize replaces `$(NAME)` with a field of an object, which lint does not look up."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.access import children, rows, text_at
from gitgpu.objects.delivery.kustomize import Kustomization
from gitgpu.objects.delivery.substitution import Substituted
from gitgpu.source import Pointer

_VARIABLE = re.compile(r"\$\(([^()]+)\)")


def variables(kustomizations: Mapping[str, Kustomization]) -> frozenset[str]:
    """The names of all variables of some kustomizations."""
    found: set[str] = set()
    for kustomization in kustomizations.values():
        found.update(text_at(variable, "name") for variable in rows(kustomization.data, "vars"))
    return frozenset(found)


def with_variables(written: Substituted, names: frozenset[str]) -> Substituted:
    """The object, with the places of these variables as unknown values."""
    if not names or "$(" not in repr(written.body):  # most objects
        return written
    return written._replace(holes=written.holes | frozenset(_places(written.body, names, ())))


def _places(value: Any, names: frozenset[str], place: Pointer) -> Iterator[Pointer]:
    if isinstance(value, str) and not names.isdisjoint(_VARIABLE.findall(value)):
        yield place
    for key, entry in children(value):
        yield from _places(entry, names, (*place, key))
