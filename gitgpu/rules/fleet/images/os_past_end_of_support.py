"""A pool should run an operating system that AKS supports."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.dates import has_begun, known_day, over
from gitgpu.model.inputs import Inputs
from gitgpu.model.software.node_images import life
from gitgpu.model.syntax.version import minor
from gitgpu.model.value_origins import pool_place
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.clusters import group_clusters, pools_with_clusters
from gitgpu.spelling import join_names


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Pools whose operating system is past its end of support. Another rule reports removed images."""
    for pool, clusters in pools_with_clusters(inputs):
        for kubernetes, names in group_clusters(clusters, lambda cluster: minor(cluster.kubernetes)).items():
            row, system = life(pool, kubernetes, inputs.catalog) or ({}, {})
            today = known_day(row, inputs.today) if row else ""
            if system and over(system["endOfSupport"], today) and not has_begun(system["imagesRemoved"], today):
                message = f"AKS support for {system['os']} ended on {system['endOfSupport']} ({join_names(names)})"
                if system["imagesRemoved"]:
                    message += f"; its images are removed on {system['imagesRemoved']}"
                remedy = "use a newer image.family, or Ubuntu on a newer Kubernetes version"
                yield Finding(*pool_place(pool, "image", "family"), message, remedy, row)


RULE = Rule(
    code="DRV016",
    name="os-past-end-of-support",
    severity=Severity.WARNING,
    summary="AKS no longer supports the operating system of a pool.",
    help="After that date AKS builds no new images: no security fixes and no newer driver. Later it removes the "
    "images, and no node can start.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/includes/ubuntu-22-04-retirement.md",
        "https://learn.microsoft.com/azure/aks/upgrade-os-version",
    ),
    check=_check,
)
