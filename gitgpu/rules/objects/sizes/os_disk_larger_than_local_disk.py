"""An OS disk that does not fit on the local disk."""

from collections.abc import Iterator

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.model.sku import Sku
from gitgpu.objects.node.candidate_sizes import candidates, named_sizes, own_class
from gitgpu.objects.node.node_pools import NodePool, node_pools
from gitgpu.objects.objects import Item, Objects
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.spelling import join_names


def _check(objects: Objects) -> Iterator[Finding]:
    short: dict[str, tuple[Item, dict[str, Sku]]] = {}
    for pool in node_pools(objects):
        owner = own_class(pool, objects)
        if owner:
            sizes = {sku.name: sku for sku in _short(pool, objects, reach(owner.body, "spec", "osDiskSizeGB") or 0)}
            short.setdefault(owner.identity.name, (owner, {}))[1].update(sizes)
    for owner, by_name in short.values():
        if by_name:
            disk_gb = owner.body["spec"]["osDiskSizeGB"]
            names = join_names(sorted(by_name))
            message = f"an OS disk of {disk_gb} GB does not fit on the local disk of {names}, so it becomes remote"
            room = min(sku.ephemeral_max_gb or 0 for sku in by_name.values())
            yield Finding(owner, ("spec", "osDiskSizeGB"), message, f"use {room:g} or less for a local disk")


def _short(pool: NodePool, objects: Objects, disk_gb: int) -> Iterator[Sku]:
    """The sizes that the pool lists, but whose local disk has room only for a smaller OS disk."""
    if not disk_gb:
        return
    left = {sku.name for sku in candidates(pool, objects)}
    for _, sku in named_sizes(pool, objects):
        # Without a local disk, the OS disk is remote at any size.
        if sku.name in left and sku.ephemeral_max_gb and sku.ephemeral_max_gb < disk_gb:
            yield sku


RULE = Rule(
    code="NPS012",
    name="os-disk-larger-than-local-disk",
    twin="DSK002",
    severity=Severity.WARNING,
    summary="The OS disk of an AKSNodeClass is larger than the local disk of its NodePool's sizes.",
    help="A local OS disk is free and pulls large GPU images faster. Karpenter silently falls back to a remote disk "
    "when osDiskSizeGB does not fit.",
    sources=(
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/providers/instancetype/instancetypes.go",
        "https://github.com/Azure/karpenter-provider-azure/issues/1247",
    ),
    check=_check,
)
