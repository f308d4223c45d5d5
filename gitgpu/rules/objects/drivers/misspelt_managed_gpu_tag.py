"""A tag that is almost the tag for AKS-managed GPUs."""

from collections.abc import Iterator
from difflib import SequenceMatcher

from gitgpu.access import mapping_at
from gitgpu.diagnostic import Change, Repair, Severity
from gitgpu.model.driver_owner import MANAGED_TAG
from gitgpu.model.names.kinds import AKS_NODE_CLASS
from gitgpu.objects.node.agent_pools import agent_pools
from gitgpu.objects.objects import Item, Objects
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.source import Pointer

_EXACT = MANAGED_TAG.lower()  # Azure ignores the case of tag names
_STEM = "enablemanagedgpu"  # too short for the ratio below
_CUTOFF = 0.88  # ratio of difflib: two or three letters differ


def _check(objects: Objects) -> Iterator[Finding]:
    for item, place in _tag_maps(objects):
        tags = mapping_at(item.body, *place)
        if not any(str(name).lower() == _EXACT for name in tags):
            for name in tags:
                if _is_near(str(name)):
                    message = f"unknown tag {name}; AKS reads {MANAGED_TAG}"
                    repair = Repair(Change.KEY, (*place, name), MANAGED_TAG)
                    yield Finding(item, (*place, name), message, f"use {MANAGED_TAG}", at_key=True, repair=repair)


def _tag_maps(objects: Objects) -> Iterator[tuple[Item, Pointer]]:
    yield from ((item, ("spec", "tags")) for item in objects.of(*AKS_NODE_CLASS))
    yield from ((pool.item, pool.place("tags")) for pool in agent_pools(objects))


def _is_near(name: str) -> bool:
    plain = "".join(letter for letter in name.lower() if letter.isalnum())
    return plain in (_STEM, _EXACT) or SequenceMatcher(None, plain, _EXACT).ratio() >= _CUTOFF


RULE = Rule(
    code="STK036",
    name="misspelt-managed-gpu-tag",
    severity=Severity.WARNING,
    summary="The name of a tag is close to the one that turns on AKS-managed GPUs, but does not match it.",
    help="Azure accepts any tag, but the node looks for one exact name. With any other name, the node gets the driver "
    "but no device plugin and no exporter, so it advertises no GPU.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/aks-managed-gpu-nodes.md",
        "https://github.com/Azure/AgentBaker/blob/06836ee2301e362039418c3a7ed0fe6004a641fd/parts/linux/cloud-init/artifacts/cse_helpers.sh",
    ),
    check=_check,
    fixable=True,
)
