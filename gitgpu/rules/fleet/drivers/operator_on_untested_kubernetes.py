"""The GPU Operator should run on a Kubernetes version that it is tested on."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.catalog import Facts
from gitgpu.model.fleet import Cluster, Pool
from gitgpu.model.inputs import Inputs
from gitgpu.model.software.node_images import release, within
from gitgpu.model.syntax.version import minor
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.drivers import has_known_operator, operator
from gitgpu.spelling import join_names


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Clusters with pools of the operator whose operating system is tested, but not on this Kubernetes version."""
    for cluster in inputs.clusters:
        untested: dict[tuple[str, str], list[str]] = {}
        charts: dict[str, Facts] = {}
        for pool in inputs.pools_on(cluster):
            chart, maker = operator(pool, inputs.catalog_for(cluster))
            charts[maker] = chart
            if _untested(inputs, chart, cluster, pool):
                untested.setdefault((maker, chart["version"]), []).append(pool.name)
        for (maker, version), pools in untested.items():
            message = f"{maker} does not test GPU Operator {version} on Kubernetes {minor(cluster.kubernetes)}"
            # AKS installs no driver for AMD GPUs.
            other = "set driver: aks on these pools, or " if maker == "NVIDIA" else ""
            remedy = f"{other}use a version that {maker} lists"
            place = ("spec", "kubernetesVersion")
            yield Finding(cluster.origin, place, f"{message} (pool {join_names(pools)})", remedy, charts[maker])


def _untested(inputs: Inputs, chart: Facts, cluster: Cluster, pool: Pool) -> bool:
    """Whether the release is tested on the operating system, but not on this Kubernetes version.

    The operating system of FIPS images is unknown.
    """
    kubernetes = minor(cluster.kubernetes)
    image = release(pool, kubernetes, inputs.catalog)
    if not has_known_operator(inputs, pool, cluster) or not image or pool.image.get("fips"):
        return False
    tested = [row["kubernetes"] for row in chart["validated"] if row["os"] == image["os"]]
    # DRV003 reports an operating system that is not tested at all.
    return bool(tested) and not any(within(kubernetes, bounds) for bounds in tested)


RULE = Rule(
    code="DRV012",
    name="operator-on-untested-kubernetes",
    severity=Severity.WARNING,
    summary="The GPU Operator runs on a Kubernetes version that it is not tested on.",
    help="Each release of the operator is tested on a range of Kubernetes versions for each operating system. "
    "Outside of that range, removed APIs or changed node internals may break it.",
    sources=(
        "https://github.com/NVIDIA/cloud-native-docs/blob/52dcb7b8d956784344e241df476de17094a4574c/gpu-operator/platform-support.rst",
    ),
    check=_check,
)
