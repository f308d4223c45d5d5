"""A retired tag that once kept AKS from installing the GPU driver."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.retirement import retired_tags
from gitgpu.objects.node.agent_pools import agent_pools
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for pool in agent_pools(objects):
        for tag, message in retired_tags(pool.spec.get("tags") or (), objects.catalog, objects.today):
            remedy = "remove the tag, and set gpuProfile: {driver: None}"
            place = pool.place("tags", tag)
            yield Finding(pool.item, place, f"{message} and rejects new pools with it", remedy, at_key=True)


RULE = Rule(
    code="APL010",
    name="retired-driver-tag",
    twin="SCH022",
    severity=Severity.ERROR,
    summary="An AKS node pool has a retired tag that once skipped the GPU driver installation.",
    help="AKS has rejected GPU pools with this tag since August 2025. Use the field gpuProfile.driver instead.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/includes/skip-gpu-driver-install-retirement.md",
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/use-nvidia-gpu.md",
    ),
    facts=("pools/aks",),
    check=_check,
)
