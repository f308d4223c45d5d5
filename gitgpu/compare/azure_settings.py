"""What a change of the settings of a cluster in Azure means: pages of the runbook have the commands that set them."""

from collections.abc import Collection, Iterable, Iterator

from gitgpu.compare.change import Change, Kind
from gitgpu.compare.effects import Effect
from gitgpu.compare.sides import Sides
from gitgpu.compare.snapshot import PAGE, OverlayObject
from gitgpu.model.catalog import Catalog

_CREATES = "create-cluster.sh"  # only AKS Automatic clusters have it
_COMMANDS = "cluster.sh"
_ELSEWHERE = frozenset({"cluster.tf.json", _CREATES})  # pages that can have the same settings
_OF_SKU = {
    Kind.ADDED: "AKS cannot change the SKU of an existing cluster to Automatic: create a new cluster with "
    f"runbook/{_CREATES}, move the workloads to it, and delete the old one",
    Kind.REMOVED: "AKS changes the SKU of a cluster from Automatic to Base without replacing nodes: add a system node "
    "pool, then run `az aks update --sku base`; from then on you upgrade the cluster and its system nodes",
}


def azure_effects(
    cluster: str, changes: Iterable[Change], sides: Sides[Collection[OverlayObject]], catalog: Catalog
) -> Iterator[Effect]:
    """What a change of its SKU needs, and what stays on, if both sides have the cluster."""
    if all(sides):
        yield from _sku_effects(cluster, changes)
        yield from _left_on_effects(cluster, sides, catalog)


def _sku_effects(cluster: str, changes: Iterable[Change]) -> Iterator[Effect]:
    for change in changes:
        identity = change.object.identity
        if (identity.kind, identity.name) == (PAGE, _CREATES) and change.kind in _OF_SKU:
            yield Effect(cluster, _OF_SKU[change.kind])


def _left_on_effects(cluster: str, sides: Sides[Collection[OverlayObject]], catalog: Catalog) -> Iterator[Effect]:
    """What stays on: the page with the commands turns nothing off."""
    before, after = (_pages(side) for side in sides)
    if _ELSEWHERE & after.keys():
        return
    was, now = (pages.get(_COMMANDS, "") for pages in (before, after))
    for row in catalog.rows("prerequisites").values():
        heading = f"\n# {row['what']}"  # a preview has more words
        if "disable" in row and heading in was and heading not in now:
            remedy = f"run `{row['disable']}`" if row["disable"] else "turn it off in Azure"
            yield Effect(cluster, f"{row['what']} stays on: {remedy} once nothing in the cluster uses it")


def _pages(objects: Iterable[OverlayObject]) -> dict[str, str]:
    """The text of each page of the runbook."""
    return {obj.identity.name: str(obj.body["text"]) for obj in objects if obj.identity.kind == PAGE}
