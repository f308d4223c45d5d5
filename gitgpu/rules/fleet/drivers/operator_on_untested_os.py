"""The GPU Operator should run on an operating system that it is tested on."""

from collections.abc import Iterator
from functools import partial

from gitgpu.diagnostic import Severity
from gitgpu.model.catalog import Catalog
from gitgpu.model.fleet import Cluster
from gitgpu.model.inputs import Inputs
from gitgpu.model.software.node_images import release
from gitgpu.model.syntax.version import minor
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.clusters import group_clusters, pools_with_clusters
from gitgpu.rules.inputs.drivers import has_known_operator, operator
from gitgpu.spelling import join_names


def _check(inputs: Inputs) -> Iterator[Finding]:
    for pool, clusters in pools_with_clusters(inputs):
        operator_clusters = [cluster for cluster in clusters if has_known_operator(inputs, pool, cluster)]
        for (kubernetes, catalog), names in group_clusters(operator_clusters, partial(_facts, inputs)).items():
            chart, maker = operator(pool, catalog)
            tested = list(dict.fromkeys(row["os"] for row in chart["validated"]))
            image = release(pool, kubernetes, inputs.catalog)
            # DRV014 reports a family that does not support the Kubernetes version.
            if image and tested and image["os"] not in tested:
                message = (
                    f"{maker} does not test GPU Operator {chart['version']} on {image['os']} ({join_names(names)})"
                )
                # AKS installs no driver for AMD GPUs.
                other = ", or set driver: aks" if pool.manufacturer == "nvidia" else ""
                remedy = f"set image.family: Ubuntu (tested: {', '.join(tested)}){other}"
                yield Finding(pool.origin, ("spec", "image", "family"), message, remedy, chart)


def _facts(inputs: Inputs, cluster: Cluster) -> tuple[str, Catalog]:
    return minor(cluster.kubernetes), inputs.catalog_for(cluster)


RULE = Rule(
    code="DRV003",
    name="operator-on-untested-os",
    twin="STK008",
    severity=Severity.WARNING,
    summary="The GPU Operator runs on an operating system that it is not tested on.",
    help="The driver of the operator is built for a distribution. Without an image for the distribution, the driver "
    "never starts.",
    sources=(
        "https://github.com/NVIDIA/cloud-native-docs/blob/52dcb7b8d956784344e241df476de17094a4574c/gpu-operator/platform-support.rst",
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/nvidia-gpu-operator.md",
    ),
    check=_check,
)
