"""KAITO's pods must tolerate the taints of the pool."""

from collections.abc import Iterator

from gitgpu.check.rule import Finding, Rule
from gitgpu.check.served_models import POOLS, Fault, ServedModel, findings
from gitgpu.check.value_origins import pool_with_place
from gitgpu.diagnostic import Severity
from gitgpu.model.catalog import Facts
from gitgpu.model.fleet import SPOT
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
  sku: Standard_NC24ads_A100_v4
  limits: {gpus: 4}
  image: {osDiskGB: 256}
  taints: [{key: team, value: search, effect: NoSchedule}]
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuWorkload
metadata: {name: chat, namespace: serving}
spec:
  pools: [a100]
  inference: {preset: phi-4-mini-instruct}
"""
GOOD = BAD.replace("{key: team, value: search,", "{key: sku, value: gpu,")


def check(inputs: Inputs) -> Iterator[Finding]:
    """Each fault once, however many clusters have it."""
    return findings(inputs, _faults)


def _faults(one: ServedModel, row: Facts) -> Iterator[Fault]:
    """Pools with other taints, where KAITO makes no nodes of its own."""
    known = row["tolerations"].get(one.model.task, {})
    for pool in () if one.on_add_on else one.pools:
        taints = {*pool.taints, *((SPOT,) if pool.only_spot else ())}
        for taint in sorted(taints):
            if taint.effect == "PreferNoSchedule":
                continue
            if taint.effect != "NoSchedule" or known.get(taint.key) not in ("", taint.value):
                told = f"{taint.key}={taint.value}:{taint.effect}".replace("=:", ":")
                remedy = f"take it off {pool.name}; sku=gpu:NoSchedule keeps other pods away, and KAITO tolerates it"
                yield (
                    POOLS,
                    f"KAITO's pods do not tolerate {told} of pool {pool_with_place(one.inputs, pool, 'taints')}",
                    remedy,
                )


RULE = Rule(
    code="KTO010",
    name="taint-that-kaito-does-not-tolerate",
    severity=Severity.ERROR,
    summary="A model runs in a pool with a taint that KAITO's pods do not tolerate.",
    help="KAITO fixes what its pods tolerate: nvidia.com/gpu, sku=gpu and, for models, the taint of spot nodes. "
    "Nothing can add to it, so its pods stay pending before any other taint.",
    sources=(
        "https://github.com/kaito-project/kaito/blob/0894eb2b567d48cd2d66afe579acb1542b226af4/pkg/workspace/inference/preset_inferences.go",
        "https://github.com/kaito-project/kaito/blob/0894eb2b567d48cd2d66afe579acb1542b226af4/pkg/ragengine/controllers/preset_rag.go",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)
