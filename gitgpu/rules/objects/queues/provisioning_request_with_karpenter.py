"""Provisioning requests for nodes that Karpenter starts."""

from collections.abc import Iterator

from gitgpu.access import list_at, rows, text_at
from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import ADMISSION_CHECK, CLUSTER_QUEUE
from gitgpu.model.names.labels import NODEPOOL_LABEL
from gitgpu.objects.objects import Objects
from gitgpu.objects.queues.flavors import flavors
from gitgpu.objects.queues.provisioning import CONTROLLER
from gitgpu.objects.queues.quotas import cluster_queues
from gitgpu.rules.object_rule import Finding, Rule

_CHECKS = ("spec", "admissionChecksStrategy", "admissionChecks")


def _check(objects: Objects) -> Iterator[Finding]:
    for item in objects.of(*CLUSTER_QUEUE):
        named = [flavor.name for flavor in cluster_queues(objects)[item.identity.name].flavors]
        for index, check in enumerate(rows(item.body, *_CHECKS)):
            [*checks] = objects.by_name(*ADMISSION_CHECK, text_at(check, "name"))
            if not any(text_at(each.body, "spec", "controllerName") == CONTROLLER for each in checks):
                continue
            for name in list_at(check, "onFlavors") or named:
                flavor = flavors(objects).get(str(name))
                if flavor and NODEPOOL_LABEL in flavor.labels:
                    message = (
                        f"no workload starts on flavor '{name}': its nodes are those of Karpenter, which does not "
                        "answer provisioning requests"
                    )
                    remedy = "name the other flavors in onFlavors, or remove the check: Karpenter starts nodes for pods"
                    yield Finding(item, (*_CHECKS, index, "name"), message, remedy)


RULE = Rule(
    code="QUE025",
    name="provisioning-request-with-karpenter",
    severity=Severity.ERROR,
    summary="A ClusterQueue waits for provisioning requests about nodes of Karpenter.",
    help="A ProvisioningRequest is an interface of the cluster autoscaler. Karpenter does not implement it, so the "
    "check stays pending and the workload waits. Without the check, Karpenter starts nodes once Kueue has "
    "admitted the workload.",
    sources=(
        "https://github.com/kubernetes-sigs/kueue/issues/1665",
        "https://github.com/kubernetes-sigs/kueue/blob/8eab68778fc1/pkg/controller/admissionchecks/provisioning/controller.go",
    ),
    check=_check,
)
