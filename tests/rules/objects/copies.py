"""Many objects from a few: copies of an example with other names, as objects or as the input of rules."""

from typing import Any

from gitgpu.objects.items import gather, item_of
from gitgpu.objects.objects import Item, Objects
from tests.rules.objects.samples import KUBERNETES, read, shared_norms

ALWAYS_THERE = frozenset({"", "default"})  # names of objects that AKS or Kubernetes creates


def copies(text: str, number: int, kind: str = "") -> list[Item]:
    """About this many objects: those of the text, then copies with a number in names and in references to them.

    With `kind`, only objects of this kind are copied.
    """
    norms = shared_norms()
    items = [item_of(given, norms.contracts.clamp(KUBERNETES), norms)[0] for given in read(text)]
    again = [item for item in items if kind in ("", item.identity.kind)]
    names = {item.identity.name for item in again} - ALWAYS_THERE
    return [*items, *(_copy(item, names, f"-{at}") for at in range(1, number // len(again)) for item in again)]


def copied(text: str, number: int, kind: str = "") -> Objects:
    """The same objects in the form that rules get, as a whole cluster."""
    return gather(copies(text, number, kind), KUBERNETES, shared_norms(), closed=True)


def _copy(item: Item, names: set[str], suffix: str) -> Item:
    renamed = item.identity._replace(name=item.identity.name + suffix)
    return item._replace(given=item.given._replace(body=_renamed(item.body, names, suffix)), identity=renamed)


def _renamed(value: Any, names: set[str], suffix: str) -> Any:
    if isinstance(value, dict):
        return {key: _renamed(inner, names, suffix) for key, inner in value.items()}
    if isinstance(value, list):
        return [_renamed(inner, names, suffix) for inner in value]
    return value + suffix if isinstance(value, str) and value in names else value
