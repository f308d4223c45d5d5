"""Kubernetes objects: single ones, lists of `kubectl get -o yaml` and `-o json`, and lists of a kind (NodePoolList).

The format follows the Kubernetes API (ObjectMeta, List): kubernetes.io/docs/reference/kubernetes-api/.
"""

from collections.abc import Iterator
from typing import Any

from gitgpu.diagnostic import Places
from gitgpu.inventory.combined import together
from gitgpu.inventory.kubernetes_objects import Source as Origin
from gitgpu.inventory.kubernetes_objects import observed_object
from gitgpu.inventory.observed import Inventory, Skipped
from gitgpu.inventory.source import Source
from gitgpu.objects.manifest.manifest_file import ItemPlaces, is_object, typed_item
from gitgpu.source import Pointer

NAME = "kubernetes"


def reads(data: Any, places: Places) -> Inventory:
    """The objects in a document. Only objects of Azure Service Operator name a cluster."""
    return together(_objects(data, places))


def _objects(data: Any, places: Places) -> Iterator[Inventory]:
    waiting: list[tuple[Any, Pointer]] = [(data, ())]
    while waiting:
        body, prefix = waiting.pop()
        item_places = ItemPlaces(places, prefix) if prefix else places
        items = body.get("items") if isinstance(body, dict) else None
        if is_object(body) and body["kind"].endswith("List") and isinstance(items, list):
            entries = [(typed_item(item, body), (*prefix, "items", number)) for number, item in enumerate(items)]
            waiting += reversed(entries)
        elif is_object(body):
            yield observed_object(body, item_places, Origin(NAME))
        else:
            yield Inventory(
                (), (Skipped("item", item_places.span(), "not a Kubernetes object: it has no apiVersion and kind"),)
            )


SOURCE = Source(NAME, is_object, reads)
