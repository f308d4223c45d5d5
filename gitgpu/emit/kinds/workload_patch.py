"""What a workload needs to land on its GPUs, as a patch that its owner includes as a Kustomize component.

The patch names no namespace: Kustomize sets an owner's `namespace:` after patches, and one that names it would match
nothing, silently. The folder says it instead.
"""

from collections.abc import Iterator

from gitgpu.emit.emitter import Body, Emitter, on_pools, tolerations
from gitgpu.emit.manifest import Layer, Manifest, Role
from gitgpu.plan.decision import ClusterPlan, WorkloadPlan

APIS = {"Deployment": "apps/v1", "StatefulSet": "apps/v1", "Job": "batch/v1"}
GPUS, CHANNEL = "gpus", "channel"  # what a pod calls its claims


def emit(plan: ClusterPlan) -> Iterator[Manifest]:
    """One patch a workload, in a folder of its own."""
    for one in plan.workloads:
        folder = f"{one.workload.namespace}.{one.workload.name}"  # a name has no dot: no two folders meet
        mark = one.workload.origin.mark
        yield Manifest(plan.cluster.name, Layer.WORKLOADS, _body(one), mark, Role.PATCH, folder)


def _body(one: WorkloadPlan) -> Body:
    workload = one.workload
    claims = {GPUS: one.claim.template, CHANNEL: one.claim.channel} if one.claim else {}
    held = {name: template for name, template in claims.items() if template}
    pod: Body = {"nodeSelector": {"kubernetes.io/os": "windows"}} if one.windows else {}
    pod["affinity"] = on_pools(one.pools)
    if one.tolerations:
        pod["tolerations"] = tolerations(one.tolerations)
    if held:
        pod["resourceClaims"] = [
            {"name": name, "resourceClaimTemplateName": template} for name, template in held.items()
        ]
    counted = {"limits": {one.resource: str(workload.gpus)}}
    resources = {"claims": [{"name": name} for name in held]} if held else counted
    pod["containers"] = [{"name": workload.container, "resources": resources}]
    return {
        "apiVersion": APIS[workload.target_kind],
        "kind": workload.target_kind,
        "metadata": {"name": workload.target_name},
        "spec": {"template": {"spec": pod}},
    }


EMITTER = Emitter("workload patch", emit)
