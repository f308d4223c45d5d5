"""A workload that scales to zero on its own CPU or memory."""

from collections.abc import Iterator

from gitgpu.diagnostic import Change, Repair, Severity
from gitgpu.model.names.kinds import DEPLOYMENT, STATEFUL_SET
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.autoscalers import of_item, scaled_objects, target
from gitgpu.rules.object_rule import Finding, Rule

_REFUSED = (DEPLOYMENT, STATEFUL_SET)  # KEDA's admission webhook looks at these kinds only


def _check(objects: Objects) -> Iterator[Finding]:
    resources = None
    for item in scaled_objects(objects):
        resources = resources or objects.catalog.must("triggers", "keda")["resources"]
        types = [trigger.type for trigger in of_item(item)]
        minimum = item.body["spec"].get("minReplicaCount")
        if types and not minimum and all(kind in resources for kind in types) and target(item)[:2] in _REFUSED:
            cause = "minReplicaCount is 0" if minimum == 0 else "minReplicaCount defaults to 0"
            message = (
                f"{cause}, and all triggers have type {' or '.join(sorted(set(types)))}, which needs a running pod"
            )
            place = ("spec",) if minimum is None else ("spec", "minReplicaCount")
            change = Change.ADD if minimum is None else Change.VALUE
            repair = Repair(change, place, "1", key="minReplicaCount" if minimum is None else "")
            remedy = "set minReplicaCount: 1, or add a trigger that works without a running pod"
            yield Finding(item, place, message, remedy, repair=repair)


RULE = Rule(
    code="KED005",
    name="scale-to-zero-on-cpu-or-memory",
    severity=Severity.ERROR,
    rejects=True,
    summary="A ScaledObject with only cpu and memory triggers has minReplicaCount 0, which is also the default.",
    help="Without a pod there is no CPU or memory to measure, so the workload could not scale up again. KEDA's "
    "admission webhook rejects it.",
    sources=(
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/apis/keda/v1alpha1/scaledobject_webhook.go",
        "https://keda.sh/docs/2.18/scalers/cpu/",
    ),
    facts=("triggers/keda",),
    check=_check,
    fixable=True,
)
