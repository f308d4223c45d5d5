"""An idleReplicaCount other than 0."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.autoscalers import scaled_objects
from gitgpu.rules.object_rule import Finding, Rule

BAD = """
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: {name: chat, namespace: serving}
spec:
  scaleTargetRef: {name: chat}
  idleReplicaCount: 1
  minReplicaCount: 2
  triggers: [{type: azure-queue, metadata: {queueName: prompts, connectionFromEnv: STORAGE}}]
"""


def _check(objects: Objects) -> Iterator[Finding]:
    for item in scaled_objects(objects):
        spec = item.body["spec"]
        idle, minimum = spec.get("idleReplicaCount") or 0, spec.get("minReplicaCount") or 0
        if 0 < idle < minimum:  # KED004 reports any other idle count above zero
            message = f"idleReplicaCount {idle} does not last: KEDA's HPA brings the workload back to {minimum}"
            remedy = f"set idleReplicaCount: 0, or remove it and set minReplicaCount: {idle}"
            yield Finding(item, ("spec", "idleReplicaCount"), message, remedy)


RULE = Rule(
    code="KED041",
    name="idle-replicas-above-zero",
    severity=Severity.WARNING,
    summary="A ScaledObject has an idleReplicaCount that is not 0.",
    help="The HorizontalPodAutoscaler does nothing only at zero replicas. Above zero it scales up to minReplicaCount, "
    "KEDA scales down again, and pods keep starting and stopping.",
    sources=(
        "https://github.com/kedacore/keda/issues/2314",
        "https://github.com/kedacore/keda/issues/8172",
    ),
    check=_check,
    bad=BAD,
    good=BAD.replace("idleReplicaCount: 1", "idleReplicaCount: 0"),
    near_misses=(
        # KED004 reports an idle count that is not below the minimum.
        BAD.replace("idleReplicaCount: 1", "idleReplicaCount: 2"),
        # KED004 reports an idle count without a minimum.
        BAD.replace("  minReplicaCount: 2\n", ""),
    ),
)
