"""Applies a patch to its workload as a strategic merge does, to show the pods as they are after Kustomize."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from gitgpu.access import mapping_at, rows, text_at
from gitgpu.diagnostic import Diagnostic, Places, Severity
from gitgpu.model.names.prefixes import KUBERNETES_PREFIX
from gitgpu.model.syntax.whole_number import whole_number
from gitgpu.objects.delivery.merge import merge_named
from gitgpu.objects.objects import Given, Identity, Item, identity
from gitgpu.objects.schema.contract import Scope
from gitgpu.objects.workload.pod_templates import pod_templates
from gitgpu.objects.workload.pods import pod_of
from gitgpu.source import Span
from gitgpu.spelling import join_names

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


def rejections(before: Iterable[Item], after: Iterable[Item]) -> Iterator[tuple[Item, Diagnostic]]:
    """The objects that the API server rejects once they are patched, and the fault.

    `after` starts with the objects of `before`, in order. A patch for a wrong name adds a container without an image,
    and a limit of devices must be the request that the object has (validateContainerCommon and
    validateContainerResourceRequirements in pkg/apis/core/validation/validation.go of Kubernetes 1.36.2).
    """
    for old, new in zip(before, after, strict=False):
        fault = None if new is old else _added_container(old, new) or next(_unequal_requests(new), None)
        if fault:
            yield new, fault


def _added_container(old: Item, new: Item) -> Diagnostic | None:
    own, merged = _containers(old), _containers(new)
    added = [name for name, container in merged.items() if name not in own and not container.get("image")]
    if not own or not added:
        return None
    message = f"the patch is for container {join_names(added)}, and the object has {join_names(list(own))}"
    remedy = "set target.container of the GpuWorkload to the container that gets the GPUs"
    return Diagnostic("CNF001", Severity.ERROR, message, remedy, old.given.places.span())


def _unequal_requests(item: Item) -> Iterator[Diagnostic]:
    for template in pod_templates(item):
        pod = pod_of(item, template)
        for place, container in pod.containers():
            limits, requests = (mapping_at(container, "resources", kind) for kind in ("limits", "requests"))
            for name, request in requests.items():
                is_device = "/" in name and KUBERNETES_PREFIX not in name
                if is_device and name in limits and whole_number(str(limits[name])) != whole_number(str(request)):
                    message = f"the patch sets a limit of {limits[name]} {name}, and the container requests {request}"
                    remedy = (
                        "set the number of the request in the GpuWorkload, or remove the request from the container"
                    )
                    span = pod.item.given.places.span((*place, "resources", "requests", name))
                    yield Diagnostic("CNF001", Severity.ERROR, message, remedy, span)


def _containers(item: Item) -> dict[str, dict[str, Any]]:
    """The containers of all pods of an object, by name."""
    containers = (row for template in pod_templates(item) for row in rows(template.body, "spec", "containers"))
    return {text_at(container, "name"): container for container in containers}
