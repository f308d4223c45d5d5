"""KAITO from Helm runs models on Karpenter's nodes."""

from collections.abc import Iterator

from gitgpu.check.rule import Finding, Rule
from gitgpu.check.served import POOLS, Fault, Served, findings
from gitgpu.diagnostic import Severity
from gitgpu.model.catalog import Facts
from gitgpu.model.inputs import Inputs

ID = "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/a/providers/Microsoft.ContainerService"
ID += "/managedClusters/b"
BAD = """\
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {name: prod-swc}
spec:
  region: swedencentral
  kubernetesVersion: "1.36"
  provisioner: cluster-autoscaler
  resourceId: ID
  stack: {kaito: helm}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: a100}
spec:
  clusters: [prod-swc]
  sku: Standard_NC24ads_A100_v4
  limits: {nodes: 4}
  image: {osDiskGB: 256}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuWorkload
metadata: {name: chat, namespace: serving}
spec:
  pools: [a100]
  inference: {preset: phi-4-mini-instruct}
""".replace("ID", ID)
GOOD = "\n".join(
    line for line in BAD.splitlines() if not line.strip().startswith(("provisioner:", "resourceId:"))
).replace("{nodes: 4}", "{gpus: 4}")


def check(inputs: Inputs) -> Iterator[Finding]:
    """Each fault once, however many clusters have it."""
    return findings(inputs, _faults)


def _faults(one: Served, row: Facts) -> Iterator[Fault]:
    """Models on clusters whose nodes Karpenter does not make."""
    del row
    if one.cluster.has_node_pools and not one.on_add_on:
        message = f"KAITO would not find the nodes of {one.cluster.name}: gitgpu labels those of Karpenter for it"
        yield POOLS, message, "write provisioner: nap on the Cluster, or take pools of another one"


RULE = Rule(
    code="KTO020",
    name="nodes-that-kaito-does-not-find",
    severity=Severity.ERROR,
    summary="A model for KAITO from Helm runs on a cluster with node pools of AKS.",
    help="KAITO reads on a node which GPUs it has, and refuses models where nothing says so. On Karpenter's nodes "
    "gitgpu writes it beforehand, as labels of the NodePool; it does not yet do so for node pools of AKS.",
    sources=(
        "https://github.com/kaito-project/kaito/blob/0894eb2b567d48cd2d66afe579acb1542b226af4/api/v1beta1/workspace_validation.go",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)
