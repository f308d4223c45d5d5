"""Applies a patch to its workload as a strategic merge does, to show the pods as they are after Kustomize."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from gitgpu.diagnostic import Places
from gitgpu.objects.objects import Given, Identity, Item, identity
from gitgpu.objects.schema.contract import Scope
from gitgpu.objects.workload.shape import ELEMENTS
from gitgpu.source import Span

_OURS = ("affinity", "tolerations")  # what a gitgpu patch replaces as a whole


class Patched(NamedTuple):
    """The places of a patched workload: values that the patch sets are in the patch."""

    owner: Places
    patch: Places

    def span(self, pointer: Sequence[str | int] = (), *, key: bool = False) -> Span:
        """The place of a value."""
        is_ours = any(part in _OURS for part in pointer)
        return (self.patch if is_ours else self.owner).span(pointer, key=key)


def overlaid(patches: Iterable[tuple[Given, str]], items: Sequence[Item]) -> tuple[list[Item], frozenset[Identity]]:
    """Applies patches to the items, and returns the identities of patches that have no item.

    Such a patch becomes a workload with few known fields. A patch applies to the workload with the same kind, name and
    namespace, or without a namespace: Kustomize may set that later.
    """
    patched_items = list(items)
    bare: set[Identity] = set()
    for given, namespace in patches:
        wanted = identity(given.body)._replace(namespace=namespace)
        owners = [
            index
            for index, item in enumerate(patched_items)
            if item.identity in (wanted, wanted._replace(namespace=""))
        ]
        for index in owners:
            owner = patched_items[index].given
            both = Given(merge_patch(owner.body, given.body), Patched(owner.places, given.places))
            patched_items[index] = patched_items[index]._replace(given=both, identity=wanted)
        if not owners:
            bare.add(wanted)
            body = {**given.body, "metadata": {**given.body["metadata"], "namespace": namespace}}
            patched_items.append(Item(given._replace(body=body, patch=False), wanted, Scope.NAMESPACED))
    return patched_items, frozenset(bare)


def merge_patch(owner: Any, patch: Any) -> Any:
    """The owner with the patch applied: mappings by key, containers and groups by name; any other list is replaced."""
    if not isinstance(owner, Mapping) or not isinstance(patch, Mapping):
        return patch
    both = dict(owner)
    for key, value in patch.items():
        # Of the lists, only those of ELEMENTS have a merge key that gitgpu's patches rely on.
        by = ELEMENTS.get(key, "")
        both[key] = _elements(owner.get(key), value, by) if by else merge_patch(owner.get(key), value)
    return both


def _elements(owner: Any, patch: Sequence[Mapping[str, Any]], by: str) -> list[Any]:
    named = {entry.get(by): entry for entry in patch}
    elements: list[Any] = []
    for entry in filter(None, owner or ()):
        own = named.pop(entry.get(by), None)
        elements.append(entry if own is None else merge_patch(entry, own))
    return [*elements, *named.values()]
