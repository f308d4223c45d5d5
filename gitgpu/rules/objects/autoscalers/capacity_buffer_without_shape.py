"""A CapacityBuffer that the API server rejects: its pods or their number are not clear."""

from collections.abc import Iterator

from gitgpu.access import mapping_at
from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import CAPACITY_BUFFER
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    patched = objects.patched_names(*CAPACITY_BUFFER)
    for item in (item for item in objects.of(*CAPACITY_BUFFER) if item.identity.name not in patched):
        spec = mapping_at(item.body, "spec")
        if "podTemplateRef" in spec and "scalableRef" in spec:
            message = "podTemplateRef and scalableRef are both set"
            yield Finding(item, ("spec", "scalableRef"), message, "remove one of them", at_key=True)
        if "podTemplateRef" in spec and "replicas" not in spec and "limits" not in spec:
            message = "podTemplateRef needs replicas or limits, which say how many pods the buffer has"
            yield Finding(item, ("spec", "podTemplateRef"), message, "set replicas or limits", at_key=True)


RULE = Rule(
    code="SCL077",
    name="capacity-buffer-without-shape",
    severity=Severity.ERROR,
    summary="A CapacityBuffer has two sources of pods, or a pod template without a number of pods.",
    help="The definition of CapacityBuffer has a rule for each, so the API server rejects the object. A buffer takes "
    "its pods from podTemplateRef or from scalableRef. For a pod template, replicas or limits say how many pods it "
    "has; for a scalable object, percentage can too.",
    sources=(
        "https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/apis/crds/autoscaling.x-k8s.io_capacitybuffers.yaml",
        "https://github.com/kubernetes/autoscaler/blob/16337d767b330bcf8487fa001b5c45b0aebb967f/cluster-autoscaler/apis/config/crd/autoscaling.x-k8s.io_capacitybuffers.yaml",
    ),
    rejects=True,
    check=_check,
)
