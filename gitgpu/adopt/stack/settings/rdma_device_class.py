"""The DeviceClass of InfiniBand NICs that AKS manages, as templates of claims name it."""

from collections.abc import Iterator

from gitgpu.adopt.nic_claims import nic_claims, nic_templates
from gitgpu.adopt.stack.evidence import Evidence
from gitgpu.adopt.stack.view import View
from gitgpu.model.names.labels import MANAGED_BY_LABEL
from gitgpu.objects.node.agent_pools import has_managed_nics
from gitgpu.objects.objects import Item
from gitgpu.objects.workload.pods import pods


def infer(view: View) -> Iterator[Evidence]:
    """The class of each template that pods use, or that gitgpu wrote, if AKS manages the NICs of a pool."""
    if not any(nodes.agent and has_managed_nics(nodes.agent) for nodes in view.pools):
        return
    used = {claim.template.identity for pod in pods(view.objects) for claim in nic_claims(pod, view.objects)}
    for claim in nic_templates(view.objects):
        if claim.template.identity in used or _is_ours(claim.template):
            reason = f"ResourceClaimTemplate {claim.template.identity.name} claims NICs of this class"
            yield Evidence(("rdmaDeviceClass",), claim.device_class, reason, view.original(claim.template))


def _is_ours(item: Item) -> bool:
    return (item.body["metadata"].get("labels") or {}).get(MANAGED_BY_LABEL) == "gitgpu"
