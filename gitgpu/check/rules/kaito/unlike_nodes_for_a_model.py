"""The nodes of a pool with models must be alike."""

from collections.abc import Iterator

from gitgpu.check.requested_sizes import pool_with_sizes_place
from gitgpu.check.rule import Finding, Rule
from gitgpu.check.served_models import POOLS, Fault, ServedModel, findings
from gitgpu.diagnostic import Severity
from gitgpu.model.catalog import Facts
from gitgpu.model.inputs import Inputs

BAD = """\
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {name: prod-swc}
spec: {region: swedencentral, kubernetesVersion: "1.36", stack: {kaito: helm}}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: a100}
spec:
  clusters: [prod-swc]
  sku: [Standard_NC24ads_A100_v4, Standard_NC48ads_A100_v4]
  limits: {gpus: 4}
  image: {osDiskGB: 256}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuWorkload
metadata: {name: chat, namespace: serving}
spec:
  pools: [a100]
  inference: {preset: phi-4-mini-instruct}
"""
GOOD = BAD.replace("[Standard_NC24ads_A100_v4, Standard_NC48ads_A100_v4]", "Standard_NC24ads_A100_v4")


def check(inputs: Inputs) -> Iterator[Finding]:
    """Each fault once, however many clusters have it."""
    return findings(inputs, _faults)


def _faults(one: ServedModel, row: Facts) -> Iterator[Fault]:
    """Pools with different GPUs, or with several sizes where KAITO is told of one."""
    del row
    named = one.on_add_on or one.model.task == "rag"
    for pool in one.pools:
        sorts = {sku.name if named else (sku.gpu and sku.gpu.name, sku.gpus) for sku in pool.skus}
        if len(sorts) > 1:
            what = "sizes" if named else "sorts of nodes"
            message = f"pool {pool_with_sizes_place(pool)} has {len(sorts)} {what}, and KAITO takes one for a model"
            yield POOLS, message, f"name one size as sku of {pool.name}"


RULE = Rule(
    code="KTO006",
    name="unlike-nodes-for-a-model",
    severity=Severity.ERROR,
    summary="A model runs in a pool of several sizes that are not alike for KAITO.",
    help="KAITO sizes a model by one node and refuses nodes whose GPU, number of GPUs or memory differ. Where an "
    "object names the size itself (the add-on, and document engines), there is one.",
    sources=(
        "https://github.com/kaito-project/kaito/blob/0894eb2b567d48cd2d66afe579acb1542b226af4/api/v1beta1/workspace_validation.go",
        "https://github.com/kaito-project/kaito/blob/0894eb2b567d48cd2d66afe579acb1542b226af4/pkg/ragengine/controllers/ragengine_controller.go",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)
