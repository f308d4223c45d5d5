"""The driver branch of a pool must be one that the GPU Operator supports."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.software.drivers import operator_drivers, operator_version
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.clusters import pools_with_clusters
from gitgpu.rules.inputs.drivers import has_known_operator
from gitgpu.spelling import one_of


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Pools with a branch that the release of the operator does not support."""
    for pool, clusters in pools_with_clusters(inputs):
        if not pool.branch or pool.manufacturer == "amd":
            continue  # DRV061 reports branches that have no effect
        # The catalog has no drivers of an operator whose version it does not know.
        affected_clusters = [cluster for cluster in clusters if has_known_operator(inputs, pool, cluster)]
        releases = {operator_version(catalog): catalog for catalog in map(inputs.catalog_for, affected_clusters)}
        for release, catalog in releases.items():
            branches = operator_drivers(catalog)
            if pool.branch not in branches:
                message = f"GPU Operator {release} does not support driver branch {pool.branch}"
                remedy = f"use {one_of(sorted(branches))}, or remove driverBranch to use the default"
                if not branches:
                    message = f"the catalog does not know which driver branches GPU Operator {release} supports"
                    remedy = f"remove driverBranch, or add the drivers to the row of {release} in your own catalog"
                yield Finding(pool.origin, ("spec", "driverBranch"), message, remedy)


RULE = Rule(
    code="DRV060",
    name="driver-branch-not-supported-by-operator",
    severity=Severity.ERROR,
    summary="A pool sets a driver branch that the GPU Operator's release does not support.",
    help="NVIDIA publishes driver images for the branches that a release of the operator supports. For any other "
    "branch, the image cannot be pulled, and the node never gets a driver.",
    sources=(
        "https://github.com/NVIDIA/cloud-native-docs/blob/52dcb7b8d956784344e241df476de17094a4574c/gpu-operator/life-cycle-policy.rst",
    ),
    facts=("charts/gpu-operator",),
    check=_check,
)
