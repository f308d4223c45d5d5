"""A tag for AKS-managed GPUs whose value is not true."""

from collections.abc import Iterator

from gitgpu.access import reach
from gitgpu.diagnostic import Change, Repair, Severity
from gitgpu.model.names.kinds import AKS_NODE_CLASS
from gitgpu.objects.node.agent_pools import agent_pools
from gitgpu.objects.node.gpu_pools import managed_tag
from gitgpu.objects.objects import Item, Objects
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.source import Pointer

_YES = ("yes", "on", "1", "enabled", "enable")  # meant as true


def _check(objects: Objects) -> Iterator[Finding]:
    for item, tags in _tagged(objects):
        name, value = managed_tag(reach(item.body, *tags))
        if name and value.lower() not in ("true", "false"):  # false states the default
            place = (*tags, name)
            repair = Repair(Change.VALUE, place, '"true"') if value.lower() in _YES else None
            message = f"the tag {name} has no effect with the value '{value}'; AKS reads only \"true\""
            yield Finding(item, place, message, f'use "true", or remove the tag {name}', repair=repair)


def _tagged(objects: Objects) -> Iterator[tuple[Item, Pointer]]:
    """The objects with tags for VMs, and the place of the tags."""
    yield from ((item, ("spec", "tags")) for item in objects.of(*AKS_NODE_CLASS))
    yield from ((pool.item, pool.place("tags")) for pool in agent_pools(objects))


RULE = Rule(
    code="STK026",
    name="invalid-managed-gpu-tag-value",
    severity=Severity.WARNING,
    summary="The tag for AKS-managed GPUs has a value other than true or false.",
    help="The node compares the tag with the word true, ignoring case. With any other value it gets only the driver: "
    "no device plugin and no exporter.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/aks-managed-gpu-nodes.md",
        "https://github.com/Azure/AgentBaker/blob/06836ee2301e362039418c3a7ed0fe6004a641fd/parts/linux/cloud-init/artifacts/cse_helpers.sh",
    ),
    check=_check,
    fixable=True,
)
