"""A container that requests several MIG instances, although a process uses only one."""

import re
from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.names.prefixes import MIG_PREFIX
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.pods import described_pods
from gitgpu.rules.object_rule import Finding, Rule

_SEVERAL = re.compile("[2-9]|[1-9][0-9]{1,4}", re.ASCII)


def _check(objects: Objects) -> Iterator[Finding]:
    for pod in described_pods(objects):
        for place, name, amount in pod.devices():
            if name.startswith(MIG_PREFIX) and _SEVERAL.fullmatch(amount):
                message = f"the container requests {amount} MIG instances, but a process uses only one"
                yield Finding(pod.item, place, message, "set 1, and use a larger profile or more replicas")


RULE = Rule(
    code="POD103",
    name="several-mig-instances",
    twin="PRT010",
    severity=Severity.WARNING,
    summary="A container requests several MIG instances.",
    help="A process sees one MIG instance through CUDA, and instances cannot communicate as GPUs do. Several instances "
    "help only a container that runs several processes and gives each its own instance.",
    sources=("https://docs.nvidia.com/datacenter/tesla/mig-user-guide/mig-device-names.html",),
    check=_check,
)
