"""A pool whose OS disk is too small for a model."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.catalog import Facts
from gitgpu.model.inputs import Inputs
from gitgpu.model.software.kaito import needs
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.served_models import Fault, ServedModel, findings

BAD = """\
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {name: prod-swc}
spec: {region: swedencentral, kubernetesVersion: "1.36", stack: {kaito: helm}}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: a100}
spec: {clusters: [prod-swc], sku: Standard_NC24ads_A100_v4, limits: {gpus: 4}}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuWorkload
metadata: {name: chat, namespace: serving}
spec:
  pools: [a100]
  inference: {preset: gemma-3-27b-instruct}
"""
LARGE_ENOUGH = BAD.replace("limits: {gpus: 4}", "limits: {gpus: 4}, image: {osDiskGB: 180}")
GOOD = BAD.replace("limits: {gpus: 4}", "limits: {gpus: 4}, image: {osDiskGB: 256}")


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Each finding once, regardless of the number of clusters."""
    return findings(inputs, _faults)


def _faults(placed: ServedModel, row: Facts) -> Iterator[Fault]:
    """Models that need a larger disk than their pool has; the add-on creates its own nodes."""
    needed = needs(placed.model.settings.get("preset", ""), row)
    # KTO002 reports a preset that the release does not have.
    if needed is None or placed.on_add_on:
        return
    disk_gib = needed["diskGiB"]
    for pool in placed.pools:
        if pool.os_disk_gb < disk_gib:
            message = (
                f"{placed.model.settings['preset']} needs {disk_gib} GB of disk; pool {pool.name} has {pool.os_disk_gb}"
            )
            yield placed.place("preset"), message, f"set image: {{osDiskGB: {disk_gib}}} or more for {pool.name}"


RULE = Rule(
    code="KTO014",
    name="disk-too-small-for-model",
    severity=Severity.WARNING,
    summary="The OS disk of a pool is smaller than the disk that KAITO requests for a model.",
    help="The weights are downloaded to the same disk as the images. When the disk is full, the kubelet evicts the "
    "pod, and the download starts again.",
    sources=(
        "https://github.com/kaito-project/kaito/blob/0894eb2b567d48cd2d66afe579acb1542b226af4/pkg/model/interface.go",
    ),
    check=_check,
    bad=BAD,
    good=GOOD,
    near_misses=(
        # Exactly the disk that KAITO requests.
        LARGE_ENOUGH,
    ),
)
