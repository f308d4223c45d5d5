"""Applies a patch to its workload as a strategic merge does, to show the pods as they are after Kustomize."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from gitgpu.diagnostic import Places
from gitgpu.objects.delivery.merge import merge_named
from gitgpu.objects.objects import Given, Identity, Item, identity
from gitgpu.objects.schema.contract import Scope
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


def apply_overlays(
    patches: Iterable[tuple[Given, str]], items: Sequence[Item]
) -> tuple[list[Item], frozenset[Identity]]:
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
            both = Given(merge_named(owner.body, given.body), Patched(owner.places, given.places))
            patched_items[index] = patched_items[index]._replace(given=both, identity=wanted)
        if not owners:
            bare.add(wanted)
            body = {**given.body, "metadata": {**given.body["metadata"], "namespace": namespace}}
            patched_items.append(Item(given._replace(body=body, patch=False), wanted, Scope.NAMESPACED))
    return patched_items, frozenset(bare)
