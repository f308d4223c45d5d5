"""What a change of the SKU of a cluster needs. In overlays, AKS Automatic clusters have a page that creates them."""

from collections.abc import Iterable, Iterator

from gitgpu.compare.change import Change, Kind
from gitgpu.compare.effects import Effect
from gitgpu.compare.snapshot import PAGE

_CREATES = "create-cluster.sh"
_EFFECTS = {
    Kind.ADDED: "AKS cannot change the SKU of an existing cluster to Automatic: create a new cluster with "
    f"runbook/{_CREATES}, move the workloads to it, and delete the old one",
    Kind.REMOVED: "AKS changes the SKU of a cluster from Automatic to Base without replacing nodes: add a system node "
    "pool, then run `az aks update --sku base`; from then on you upgrade the cluster and its system nodes",
}


def sku_effects(cluster: str, changes: Iterable[Change], kind: Kind) -> Iterator[Effect]:
    """The effects on an existing cluster."""
    for change in changes:
        identity = change.object.identity
        if kind is Kind.CHANGED and (identity.kind, identity.name) == (PAGE, _CREATES) and change.kind in _EFFECTS:
            yield Effect(cluster, _EFFECTS[change.kind])
