"""GPU Feature Discovery goes where gitgpu's device plugin goes."""

from collections.abc import Iterator, Sequence

from gitgpu.check.names import join_names
from gitgpu.check.rule import Finding, Rule
from gitgpu.check.value_origins import is_written, stack_place
from gitgpu.diagnostic import Severity
from gitgpu.model.fleet import Cluster
from gitgpu.model.inputs import Inputs, has_our_plugin

WHERE = ("spec", "stack", "discovery")
BAD = """\
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {name: lab-swc}
spec:
  region: swedencentral
  kubernetesVersion: "1.36"
  stack: {discovery: gfd}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: t4}
spec:
  clusters: [lab-swc]
  sku: Standard_NC16as_T4_v3
  driver: managed
  limits: {gpus: 4}
"""
GOOD = BAD.replace("driver: managed", "driver: aks")


def check(inputs: Inputs) -> Iterator[Finding]:
    """Clusters that ask for it themselves and have no pool for it; and the Fleet, where it asks for nobody."""
    asking = [one for one in inputs.clusters if one.stack.discovery == "gfd"]
    idle = [one for one in asking if not _has_nodes(inputs, one)]
    alike: dict[bool, list[Cluster]] = {}
    for cluster in idle:
        alike.setdefault(is_written(cluster.origin, WHERE), []).append(cluster)
    for cluster in alike.get(True, ()):
        yield _finding(inputs, [cluster])
    if len(idle) == len(asking) and False in alike:
        yield _finding(inputs, alike[False])


def _finding(inputs: Inputs, clusters: Sequence[Cluster]) -> Finding:
    names = join_names([one.name for one in clusters])
    message = f"no pool on {names} has nodes for GPU Feature Discovery, and so it is not installed"
    remedy = "leave discovery out, or write driver: aks on a pool whose GPUs pods ask for by their number"
    return Finding(*stack_place(inputs, clusters[0], "discovery"), message, remedy)


def _has_nodes(inputs: Inputs, cluster: Cluster) -> bool:
    return any(has_our_plugin(cluster, pool) for pool in inputs.pools_on(cluster))


RULE = Rule(
    code="DSC001",
    name="discovery-without-nodes",
    severity=Severity.WARNING,
    summary="A cluster asks for GPU Feature Discovery, and gitgpu advertises the GPUs of none of its pools.",
    help="The labels tell what the device plugin advertises: so both come with driver aks. The GPU Operator brings "
    "discovery of its own, AKS managed GPU nodes and claimed GPUs get none from gitgpu, and it is for NVIDIA GPUs.",
    sources=(
        "https://github.com/NVIDIA/k8s-device-plugin/blob/1b826acc6af3079d8923bac395c3124b8861a9a6/deployments/helm/nvidia-device-plugin/templates/daemonset-gfd.yml",
        "https://github.com/NVIDIA/gpu-operator/blob/10ee5b3638b89e11e949412aafa5ba99279c3721/deployments/gpu-operator/values.yaml",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)
