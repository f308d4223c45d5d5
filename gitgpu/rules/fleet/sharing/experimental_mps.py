"""MPS is experimental in the NVIDIA device plugin."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.rules.fleet_rule import Finding, Rule


def _check(inputs: Inputs) -> Iterator[Finding]:
    """The first pool of the fleet that uses MPS."""
    shared_pools = [pool for pool in inputs.pools if pool.sharing.way == "mps" and pool.clusters]
    # The fleet is warned once: one reason suppresses it for all pools.
    for pool in shared_pools[:1]:
        message = "MPS support of the NVIDIA device plugin is experimental"
        remedy = "use timeSlicing, or suppress PRT014 with a reason"
        yield Finding(pool.origin, ("spec", "partition", "mps"), message, remedy)


RULE = Rule(
    code="PRT014",
    name="experimental-mps",
    severity=Severity.WARNING,
    summary="A pool shares its GPUs with MPS.",
    help="MPS has been an experimental feature of the device plugin since 0.15.0. Its configuration may change in "
    "any release.",
    sources=("https://github.com/NVIDIA/k8s-device-plugin/blob/1b826acc6af3079d8923bac395c3124b8861a9a6/README.md",),
    check=_check,
)
