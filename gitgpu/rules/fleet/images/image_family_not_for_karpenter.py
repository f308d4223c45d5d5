"""Karpenter has fewer image families than AKS node pools have osSKUs."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.value_origins import clusters_with_provisioner, pool_place
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.clusters import karpenter_pools_with_clusters
from gitgpu.spelling import join_names


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Linux families that only AKS node pools have. WIN006 reports those of Windows."""
    rows = {row["name"]: row for row in inputs.catalog.must("pools", "aks")["osSkus"]}
    families = inputs.catalog.rows("images")
    for pool, clusters in karpenter_pools_with_clusters(inputs):
        name = pool.image.get("family")
        if not (name and clusters) or name in families or pool.windows or rows[name]["os"] != "Linux":
            continue
        names = join_names(clusters_with_provisioner(pool, clusters))
        message = f"AKSNodeClasses have no image family {name}, and Karpenter creates the nodes on {names}"
        remedy = f"use {' or '.join(sorted(families))}; for an AKS node pool, set provisioner"
        yield Finding(*pool_place(pool, "image", "family"), message, remedy)


RULE = Rule(
    code="DRV107",
    name="image-family-not-for-karpenter",
    severity=Severity.ERROR,
    of_running_nodes=True,
    summary="A pool whose nodes Karpenter creates has an image family that only AKS node pools have.",
    help="The API server rejects an AKSNodeClass with a family that its definition does not list.",
    sources=(
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/apis/v1beta1/aksnodeclass.go",
    ),
    facts=("images", "pools/aks"),
    check=_check,
)
