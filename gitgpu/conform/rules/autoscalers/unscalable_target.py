"""A scaler on something that has no replicas to set."""

from collections.abc import Iterator

from gitgpu.conform.objects import Objects, reach
from gitgpu.conform.rule import Finding, Rule
from gitgpu.conform.workload.autoscalers import TARGET, autoscalers, scaled_objects, target
from gitgpu.diagnostic import Severity

_BUILT_IN = {"apps": ("Deployment", "ReplicaSet", "StatefulSet"), "": ("ReplicationController",)}
_REMEDIES = {"Job": "write a ScaledJob", "CronJob": "write a ScaledJob", "Workspace": "scale an InferenceSet instead"}


def _check(objects: Objects) -> Iterator[Finding]:
    for item in (*scaled_objects(objects), *autoscalers(objects)):
        wanted = target(item)
        written = reach(item.body, *TARGET, "apiVersion")
        if wanted.kind in objects.catalog.must("triggers", "keda")["unscalable"]:
            message = f"a {wanted.kind} has no number of replicas that could be set"
            remedy = _REMEDIES.get(wanted.kind, "scale a Deployment or StatefulSet instead")
            yield Finding(item, (*TARGET, "kind"), message, remedy)
        elif wanted.group in _BUILT_IN and wanted.kind not in _BUILT_IN[wanted.group]:
            of = f"{written} has no kind {wanted.kind}" if written else "without an apiVersion, apps/v1 is meant"
            message = of if written else f"{of}, and that has no kind {wanted.kind}"
            place = (*TARGET, "apiVersion") if written else (*TARGET, "kind")
            yield Finding(item, place, message, f"write the apiVersion of {wanted.kind} beside the kind")


RULE = Rule(
    code="KED023",
    name="unscalable-target",
    severity=Severity.ERROR,
    summary="A scaler's target is of a kind without a scale subresource, or of a group that has no such kind.",
    help="KEDA and the HPA set replicas through the scale subresource. DaemonSets, Jobs and KAITO's Workspaces have "
    "none, so the scaler never gets Ready.",
    sources=(
        "https://keda.sh/docs/2.18/concepts/scaling-deployments/",
        "https://github.com/kaito-project/kaito/blob/0894eb2b567d48cd2d66afe579acb1542b226af4/config/crd/bases/kaito.sh_workspaces.yaml",
        "https://github.com/kaito-project/kaito/blob/0894eb2b567d48cd2d66afe579acb1542b226af4/config/crd/bases/kaito.sh_inferencesets.yaml",
    ),
    check=_check,
    bad="""
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: {name: phi-4, namespace: serving}
spec:
  scaleTargetRef: {apiVersion: kaito.sh/v1beta1, kind: Workspace, name: phi-4}
  triggers: [{type: azure-queue, metadata: {queueName: prompts, accountName: contoso}}]
""",
    good="""
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: {name: phi-4, namespace: serving}
spec:
  scaleTargetRef: {apiVersion: kaito.sh/v1beta1, kind: InferenceSet, name: phi-4}
  triggers: [{type: azure-queue, metadata: {queueName: prompts, accountName: contoso}}]
""",
)
