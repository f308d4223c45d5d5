"""A model should run on GPUs that KAITO still tries."""

from collections.abc import Iterator

from gitgpu.check.names import join_names
from gitgpu.check.rule import Finding, Rule
from gitgpu.check.served_models import POOLS, Fault, ServedModel, findings
from gitgpu.diagnostic import Severity
from gitgpu.model.catalog import Facts
from gitgpu.model.inputs import Inputs
from gitgpu.model.version import version

BAD = """\
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {name: prod-swc}
spec: {region: swedencentral, kubernetesVersion: "1.36", stack: {kaito: helm}}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: a100}
spec: {clusters: [prod-swc], sku: Standard_NC16as_T4_v3, limits: {gpus: 4}, image: {osDiskGB: 256}}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuWorkload
metadata: {name: chat, namespace: serving}
spec:
  pools: [a100]
  inference: {preset: phi-4-mini-instruct}
"""
GOOD = BAD.replace("Standard_NC16as_T4_v3", "Standard_NC24ads_A100_v4")


def check(inputs: Inputs) -> Iterator[Finding]:
    """Each fault once, however many clusters have it."""
    return findings(inputs, _faults)


def _faults(one: ServedModel, row: Facts) -> Iterator[Fault]:
    """Pools with GPUs that are older than any in the release's table."""
    for pool in one.pools if "leastCapability" in row and not one.on_add_on else ():
        least = row["leastCapability"]
        old = sorted({sku.gpu.name for sku in pool.skus if sku.gpu and _older(sku.gpu.compute_capability, least)})
        if old:
            message = (
                f"{join_names(old)} of pool {pool.name} is older than capability {least}, where KAITO's table begins"
            )
            yield POOLS, message, "take a pool with A10, A100 or newer GPUs"


def _older(capability: str | None, least: str) -> bool:
    return capability is not None and version(capability) < version(least)


RULE = Rule(
    code="KTO019",
    name="gpu-that-kaito-gave-up",
    severity=Severity.WARNING,
    summary="A pool has GPUs of a compute capability that KAITO took out of its table of sizes.",
    help="Earlier releases had T4 and V100 in the table, and this one took all out that are below compute capability "
    "8.0: nobody tries the presets there any more.",
    sources=(
        "https://github.com/kaito-project/kaito/blob/0894eb2b567d48cd2d66afe579acb1542b226af4/pkg/sku/azure_sku_handler.go",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)
