"""AKS Automatic has node auto-provisioning, and so no node pools with the cluster autoscaler."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.aks_node_pool import bounds
from gitgpu.model.fleet import Pool
from gitgpu.model.inputs import Inputs
from gitgpu.model.spec.origin import Origin
from gitgpu.model.value_origins import PROVISIONER, is_written
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.spelling import join_names


def _check(inputs: Inputs) -> Iterator[Finding]:
    for cluster in inputs.clusters:
        pools = [pool for pool in inputs.pools_on(cluster) if cluster.is_automatic and _is_autoscaled(pool)]
        names = [pool.name for pool in pools if not is_written(pool.origin, PROVISIONER)]
        if names:
            yield _finding(cluster.origin, names)
        for pool in pools:
            if is_written(pool.origin, PROVISIONER):
                yield _finding(pool.origin, [pool.name])


def _finding(chosen: Origin, names: list[str]) -> Finding:
    maker = "the node auto-provisioning of AKS Automatic"
    message = f"{join_names(names)} cannot use the cluster autoscaler next to {maker}"
    remedy = "remove provisioner, or set nodes.min and nodes.max of each pool to the same number"
    return Finding(chosen, PROVISIONER, message, remedy)


def _is_autoscaled(pool: Pool) -> bool:
    nodes = bounds(pool)
    return not pool.by_karpenter and not pool.windows and nodes.minimum != nodes.maximum


RULE = Rule(
    code="AUT002",
    name="autoscaled-pools-on-automatic",
    severity=Severity.ERROR,
    summary="A cluster with sku: automatic has node pools that use the cluster autoscaler.",
    help="Node auto-provisioning is on in every AKS Automatic cluster and cannot be turned off. AKS refuses the "
    "cluster autoscaler next to it, except with a feature flag for migrations.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/intro-aks-automatic.md",
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/migrate-from-autoscaler-to-node-auto-provisioning.md",
    ),
    check=_check,
)
