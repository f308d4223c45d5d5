"""GPU software that AKS Automatic rejects: AKS has to install its own."""

from collections.abc import Iterator
from typing import NamedTuple

from gitgpu.diagnostic import Severity
from gitgpu.model.driver_owner import is_claimed
from gitgpu.model.fleet import Cluster, Pool
from gitgpu.model.inputs import Inputs
from gitgpu.model.spec.origin import SpecPlace
from gitgpu.model.value_origins import cluster_with_place, is_written, pool_place, stack_place
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.automatic import refused_fabric, refused_software
from gitgpu.spelling import join_names


class _Refused(NamedTuple):
    """What a value in the spec asks for: in words, the namespaces, and how to do without."""

    place: SpecPlace
    cluster: Cluster
    software: dict[str, str]
    instead: str


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Each value that asks for such software, once for each cluster."""
    seen = set()
    for cluster, pool in inputs.placements():
        for refused in _refused(inputs, cluster, pool):
            finding = _finding(refused)
            key = (finding.origin.ref, finding.pointer, finding.message)
            if key not in seen:
                seen.add(key)
                yield finding


def _refused(inputs: Inputs, cluster: Cluster, pool: Pool) -> Iterator[_Refused]:
    if software := refused_software(inputs, cluster, pool):
        if pool.device_plugin:
            place = pool_place(pool, "devicePlugin")
        else:
            place = pool_place(pool, "driver") if pool.driver else _driver_of_cluster(cluster)
        yield _Refused(place, cluster, software, _instead(cluster, pool))
    if fabric := refused_fabric(inputs, cluster, pool):
        yield _Refused(pool_place(pool, "rdma"), cluster, fabric, "remove rdma")


def _driver_of_cluster(cluster: Cluster) -> SpecPlace:
    """The place of the driver of its stack; with the default, that of what makes it an AKS Automatic cluster."""
    place = stack_place(cluster, "driver")
    return place if is_written(place.origin, place.pointer) else SpecPlace(cluster.origin, ("spec", "sku"))


def _instead(cluster: Cluster, pool: Pool) -> str:
    """What to set instead, so that AKS installs the software if it can."""
    if pool.manufacturer == "amd":
        return "use a cluster with sku: base, as AKS manages no AMD GPUs"
    without = "remove partition, and " if pool.sharing.way or pool.mig else ""
    claims = " and allocation: device-plugin" if is_claimed(cluster, pool) else ""
    return f"{without}set driver: managed{claims}"


def _finding(refused: _Refused) -> Finding:
    place, cluster, software, instead = refused
    words, namespaces = join_names(list(software.values())), join_names(list(software))
    sku = SpecPlace(cluster.origin, ("spec", "sku"))
    where = cluster.name if place == sku else cluster_with_place(cluster, "sku")
    message = f"AKS Automatic on {where} rejects pods that mount paths of the node, such as those of {words}"
    remedy = f"{instead}; to keep it, add {namespaces} to safeguards.excludedNamespaces of the Cluster"
    return Finding(*place, message, remedy)


RULE = Rule(
    code="AUT001",
    name="pods-below-baseline-of-automatic",
    twin="APL103",
    severity=Severity.ERROR,
    summary="A pool on an AKS Automatic cluster needs GPU software that AKS Automatic rejects.",
    help="AKS Automatic enforces the Pod Security level baseline: no privileged pods, and no paths of the node. Device "
    "plugins, exporters, detectors and drivers need them. With driver: managed, AKS installs and updates its own. "
    "Otherwise, the namespace has to be excluded from the safeguards; the runbook does that for all namespaces in "
    "`safeguards.excludedNamespaces`.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/deployment-safeguards.md",
        "https://github.com/Azure/AKS/issues/5442",
        "https://github.com/GoogleCloudPlatform/PerfKitBenchmarker/pull/6795",
    ),
    facts=("admission/aks-automatic",),
    check=_check,
)
