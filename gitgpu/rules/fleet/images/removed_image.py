"""AKS must still offer the node image of a pool."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.dates import has_begun, known_day
from gitgpu.model.inputs import Inputs
from gitgpu.model.software.node_images import life
from gitgpu.model.syntax.version import minor
from gitgpu.model.value_origins import pool_place
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.clusters import group_clusters, pools_with_clusters
from gitgpu.spelling import join_names


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Pools whose node images AKS has removed."""
    for pool, clusters in pools_with_clusters(inputs):
        for kubernetes, names in group_clusters(clusters, lambda cluster: minor(cluster.kubernetes)).items():
            row, system = life(pool, kubernetes, inputs.catalog) or ({}, {})
            if system and has_begun(system["imagesRemoved"], known_day(row, inputs.today)):
                day = system["imagesRemoved"]
                message = f"AKS removed the images of {system['os']} on {day}, which nodes on {join_names(names)} need"
                remedy = "upgrade the cluster, or set image.family: Ubuntu"
                yield Finding(*pool_place(pool, "image", "family"), message, remedy, row)


RULE = Rule(
    code="DRV015",
    name="removed-image",
    twin="DRV104",
    severity=Severity.ERROR,
    of_running_nodes=True,
    summary="AKS has removed the node images that a pool needs.",
    help="The image family and the Kubernetes version determine the operating system. Some time after its end of "
    "support, AKS removes the images, and no node can start.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/includes/azure-linux-retirement.md",
        "https://learn.microsoft.com/azure/aks/upgrade-os-version",
    ),
    check=_check,
)
