"""More MPS clients than a GPU accepts."""

from collections.abc import Iterator

from gitgpu.access import list_at, reach
from gitgpu.diagnostic import Severity
from gitgpu.model.software.mps import client_limits
from gitgpu.objects.objects import Objects
from gitgpu.objects.software.plugin_configs import plugin_configs
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    limit = client_limits(objects.catalog)[-1]  # a configuration does not name its GPUs
    for config in plugin_configs(objects):
        for entry in list_at(config.sharing, "mps", "resources"):
            replicas = reach(entry, "replicas")
            if type(replicas) is int and replicas > limit:
                message = f"a GPU accepts at most {limit} MPS clients, not {replicas} as in configuration {config.name}"
                yield Finding(config.item, config.pointer, message, f"set replicas: {limit} or less")


RULE = Rule(
    code="SHR092",
    name="too-many-mps-clients",
    twin="SCH024",
    severity=Severity.ERROR,
    summary="A configuration of the device plugin shares each GPU among more MPS clients than a GPU accepts.",
    help="NVIDIA's MPS control daemon accepts 48 clients on a GPU with compute capability 7.5 or newer and 16 on an "
    "older one. With a higher number it does not start, and the node advertises no GPUs.",
    sources=(
        "https://github.com/NVIDIA/k8s-device-plugin/blob/1b826acc6af3079d8923bac395c3124b8861a9a6/cmd/mps-control-daemon/mps/device.go",
    ),
    facts=("devices/nvidia",),
    check=_check,
)
