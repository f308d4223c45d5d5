"""An image family with a fixed release supports a range of Kubernetes versions."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.software.node_images import family, release
from gitgpu.model.syntax.version import minor
from gitgpu.model.value_origins import pool_place
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.clusters import group_clusters, pools_with_clusters
from gitgpu.rules.inputs.kubernetes import life_cycles
from gitgpu.spelling import join_names


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Image families on clusters whose Kubernetes version is known and outside the range of the family."""
    versions = life_cycles(inputs.catalog)
    for pool, clusters in pools_with_clusters(inputs):
        name = family(pool, inputs.catalog)
        row = inputs.catalog.facts("images", name)
        for kubernetes, names in group_clusters(clusters, lambda cluster: minor(cluster.kubernetes)).items():
            # CLU002 reports an unknown Kubernetes version.
            if row and kubernetes in versions and release(pool, kubernetes, inputs.catalog) is None:
                bounds = " or ".join(release_row["kubernetes"] for release_row in row["versions"])
                message = f"{name} is available for Kubernetes {bounds} only, but {join_names(names)} runs {kubernetes}"
                remedy = "set image.family: Ubuntu; AKS then picks the release for the Kubernetes version"
                yield Finding(*pool_place(pool, "image", "family"), message, remedy, row)


RULE = Rule(
    code="DRV014",
    name="image-family-not-supported-by-kubernetes",
    twin="DRV103",
    severity=Severity.WARNING,
    summary="AKS does not support the image family of a pool with the Kubernetes version of the cluster.",
    help="AKS builds images for a given OS release only for certain Kubernetes versions. Karpenter does not check "
    "the family against the version: nodes fail to start or get no updates.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/upgrade-os-version.md",
        "https://learn.microsoft.com/azure/aks/upgrade-os-version",
    ),
    check=_check,
)
