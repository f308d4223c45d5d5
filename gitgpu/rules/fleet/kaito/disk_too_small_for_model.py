"""A pool whose OS disk is too small for a model."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.catalog import Facts
from gitgpu.model.inputs import Inputs
from gitgpu.model.software.kaito import needs
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.served_models import Fault, ServedModel, findings


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
)
