"""Decisions about devices by ResourceClaim: what a workload claims, and the driver that serves claims for GPUs."""

from collections.abc import Mapping
from typing import NamedTuple

from gitgpu.plan.decided.charts import Chart
from gitgpu.plan.decided.daemon_placement import DaemonPlacement

GPUS, NICS = "gpus", "nics"  # the names of claims in a pod, and of their requests


class Claim(NamedTuple):
    """Devices by claim: the template of each pod's claim, its name in the pod, the class of its devices and how many.

    `channel` is the template that the workload's compute domain creates; "" without one.
    """

    template: str
    name: str
    device_class: str
    number: int
    channel: str = ""


class DraDriver(NamedTuple):
    """NVIDIA's DRA driver on its nodes: `root` is the path of the GPU driver on the node, `labels` select the nodes."""

    chart: Chart
    placement: DaemonPlacement
    root: str
    labels: Mapping[str, str]
    compute_domains: bool
