"""Settings of the DCGM exporter are for clusters that have one."""

from collections.abc import Iterator

from gitgpu.check.rule import Finding, Rule
from gitgpu.check.written import is_written
from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.source import Pointer

SETTINGS = ("counters", "probes")
BAD = """\
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {name: prod-swc}
spec:
  region: swedencentral
  kubernetesVersion: "1.36"
  stack: {metrics: {exporter: false, counters: standard}}
"""
GOOD = BAD.replace("exporter: false, ", "")


def check(inputs: Inputs) -> Iterator[Finding]:
    """Settings on clusters without an exporter, and the Fleet's where no cluster has one."""
    without = [one.origin for one in inputs.clusters if not one.stack.metrics.exporter]
    nowhere = bool(without) and len(without) == len(inputs.clusters)
    shared: Pointer = ("spec", "defaults", "stack", "metrics")
    places = [(one, ("spec", "stack", "metrics")) for one in without] + (
        [(inputs.fleet.origin, shared)] if nowhere else []
    )
    for origin, where in places:
        for key in (one for one in SETTINGS if is_written(origin, (*where, one))):
            message = f"nobody reads {key}, because exporter is false"
            yield Finding(origin, (*where, key), message, "remove it, or write exporter: true")


RULE = Rule(
    code="MET062",
    name="setting-of-no-exporter",
    severity=Severity.WARNING,
    summary="stack.metrics says what the DCGM exporter measures or how it is probed, and there is none.",
    help="counters and probes become the exporter's list of fields and the delays of its probes. With exporter: false "
    "neither gitgpu nor the GPU Operator runs one, and what somebody else runs has a list of its own.",
    sources=(
        "https://github.com/NVIDIA/dcgm-exporter/blob/d5e5f510a1b6b393f39a43293ccd9dc985defc79/etc/default-counters.csv",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)
