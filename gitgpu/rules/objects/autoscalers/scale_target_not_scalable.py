"""A scaler with a target that has no replicas."""

from collections.abc import Iterator

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import WORKSPACE
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.autoscalers import TARGET, autoscalers, scaled_objects, target
from gitgpu.rules.object_rule import Finding, Rule

# The kinds of Kubernetes with a scale subresource. In other groups any kind can have one.
_BUILT_IN = {"apps": ("Deployment", "ReplicaSet", "StatefulSet"), "": ("ReplicationController",)}
_REMEDIES = {
    "Job": "use a ScaledJob instead",
    "CronJob": "use a ScaledJob instead",
    WORKSPACE.kind: "scale an InferenceSet instead",
}


def _check(objects: Objects) -> Iterator[Finding]:
    for item in (*scaled_objects(objects), *autoscalers(objects)):
        scale_target = target(item)
        written = reach(item.body, *TARGET, "apiVersion")
        if scale_target.kind in objects.catalog.must("triggers", "keda")["unscalable"]:
            message = f"a {scale_target.kind} has no scale subresource"
            remedy = _REMEDIES.get(scale_target.kind, "scale a Deployment or StatefulSet instead")
            yield Finding(item, (*TARGET, "kind"), message, remedy)
        elif scale_target.group in _BUILT_IN and scale_target.kind not in _BUILT_IN[scale_target.group]:
            default = "" if written else ", the default apiVersion,"
            message = f"{written or 'apps/v1'}{default} has no kind {scale_target.kind}"
            place = (*TARGET, "apiVersion") if written else (*TARGET, "kind")
            yield Finding(item, place, message, f"add the apiVersion of {scale_target.kind} to the scale target")


RULE = Rule(
    code="KED023",
    name="scale-target-not-scalable",
    twin="SCL009",
    severity=Severity.ERROR,
    summary="The target of a scaler is a kind without a scale subresource, or its API group does not have that kind.",
    help="KEDA and the HPA set replicas through the scale subresource. DaemonSets, Jobs and KAITO Workspaces do not "
    "have one, so the scaler never becomes Ready.",
    sources=(
        "https://keda.sh/docs/2.18/concepts/scaling-deployments/",
        "https://github.com/kaito-project/kaito/blob/0894eb2b567d48cd2d66afe579acb1542b226af4/config/crd/bases/kaito.sh_workspaces.yaml",
        "https://github.com/kaito-project/kaito/blob/0894eb2b567d48cd2d66afe579acb1542b226af4/config/crd/bases/kaito.sh_inferencesets.yaml",
    ),
    facts=("triggers/keda",),
    check=_check,
)
