"""A model that needs more GPU memory than a node of its pool has."""

from collections.abc import Iterator

from gitgpu.check.requested_sizes import pool_with_sizes_place
from gitgpu.check.rule import Finding, Rule
from gitgpu.check.served_models import Fault, ServedModel, findings
from gitgpu.diagnostic import Severity
from gitgpu.model.catalog import Facts
from gitgpu.model.inputs import Inputs
from gitgpu.model.sku import Sku
from gitgpu.model.software.kaito import Model, gpus_needed, needs, tuning_gpus
from gitgpu.spelling import counted

BAD = """\
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {name: prod-swc}
spec: {region: swedencentral, kubernetesVersion: "1.36", stack: {kaito: helm}}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: a100}
spec: {clusters: [prod-swc], sku: Standard_NC24ads_A100_v4, limits: {gpus: 4}, image: {osDiskGB: 256}}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuWorkload
metadata: {name: chat, namespace: serving}
spec:
  pools: [a100]
  inference: {preset: gpt-oss-120b}
"""
GOOD = BAD.replace("gpt-oss-120b", "gpt-oss-20b")


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Each finding once, however many clusters have it."""
    return findings(inputs, _faults)


def _faults(placed: ServedModel, row: Facts) -> Iterator[Fault]:
    """Models with a pool that has a size too small for them."""
    needed = needs(placed.model.settings.get("preset", ""), row)
    for pool in placed.pools if needed else ():
        small = [sku for sku in pool.skus if not _fits(placed.model, needed or {}, row, sku)]
        if small and small[0].gpu:
            model, sku, gpu = placed.model.settings["preset"], small[0], small[0].gpu
            verb = "tuning" if placed.model.task == "tuning" else "serving"
            want = f"{verb} {model} needs {_wanted(placed.model, needed or {}, row, sku)}{_overstated(needed or {})}"
            there = f"pool {pool_with_sizes_place(pool)}"
            message = f"{want}, and a node of {there} has {sku.gpus} ({gpu.name}, {gpu.memory_gib:g} GiB each)"
            yield placed.place("preset"), message, "use a pool of a larger size, or a smaller model"


def _fits(model: Model, needed: Facts, row: Facts, sku: Sku) -> bool:
    """Does the model fit on a node of the size? True when the catalog does not know the size well enough."""
    if sku.gpu is None or not sku.gpus or not sku.whole:
        return True
    count = _count(model, needed, row, sku)
    return count is not None and count <= sku.gpus


def _count(model: Model, needed: Facts, row: Facts, sku: Sku) -> int | None:
    """GPUs of that size which KAITO calculates for the model; None when no number of them is enough."""
    memory = sku.gpu.memory_gib if sku.gpu else 0
    if model.task == "tuning":
        return tuning_gpus(needed, memory) if "tuningGiB" in needed else 0
    return gpus_needed(needed, row, sku.gpus or 1, memory)


def _wanted(model: Model, needed: Facts, row: Facts, sku: Sku) -> str:
    count = _count(model, needed, row, sku)
    return "larger GPUs" if count is None else f"{counted(count, 'GPU')} of that memory"


def _overstated(needed: Facts) -> str:
    """Says so when this release of KAITO assumes more weights than the model has."""
    if "actualGiB" not in needed:
        return ""
    return f" (KAITO assumes weights of {needed['weightsGiB']:g} GiB, actual: {needed['actualGiB']:g})"


RULE = Rule(
    code="KTO003",
    name="model-too-large-for-node",
    severity=Severity.ERROR,
    summary="A node of the pool has less GPU memory than KAITO calculates for a model.",
    help="KAITO calculates from the weights of a model how many GPUs it needs. A model that spans nodes would wait "
    "until all of them are ready, but a pool that starts nodes for pods starts one. The model has to fit on one node.",
    sources=(
        "https://github.com/kaito-project/kaito/issues/2308",
        "https://github.com/kaito-project/kaito/blob/0894eb2b567d48cd2d66afe579acb1542b226af4/pkg/workspace/estimator/nodesestimator/estimator.go",
        "https://github.com/kaito-project/kaito/blob/461f75cd536b9ede07667b44bcc3e31ff7d6f13a/api/v1beta1/workspace_validation.go",
    ),
    check=_check,
    bad=BAD,
    good=GOOD,
)
