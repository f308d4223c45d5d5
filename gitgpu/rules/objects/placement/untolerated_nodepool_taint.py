"""A pod that does not tolerate the taints of any NodePool that could accept it."""

from collections.abc import Iterator, Sequence

from gitgpu.diagnostic import Severity
from gitgpu.objects.objects import Objects
from gitgpu.objects.software.tolerating import toleration_text
from gitgpu.objects.workload.placement import cases
from gitgpu.objects.workload.pods import Pod
from gitgpu.objects.workload.repelling_pools import Repelling, with_untolerated_taints
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.schedule.taint import taint_text
from gitgpu.source import Pointer


def _check(objects: Objects) -> Iterator[Finding]:
    for case in cases(objects):
        # A NodePool with a size that is unknown here may accept the pod.
        offers = () if case.is_open else with_untolerated_taints(case, objects)
        if offers:
            yield _finding(case.pod, offers)


def _finding(pod: Pod, offers: Sequence[Repelling]) -> Finding:
    offer, taints = offers[0]
    others = f", nor those of {len(offers) - 1} other NodePools" if len(offers) > 1 else ""
    names = ", ".join(f"the taint {taint_text(taint)}" for taint in taints)
    message = f"the pod does not tolerate {names} of NodePool {offer.pool.name}{others}, so it stays Pending"
    place: Pointer = (*pod.pointer, "tolerations") if pod.tolerations else pod.pointer
    return Finding(pod.item, place, message, f"add to tolerations: {', '.join(map(toleration_text, taints))}")


RULE = Rule(
    code="POD001",
    name="untolerated-nodepool-taint",
    severity=Severity.ERROR,
    summary="Every NodePool that has the GPUs of a pod also has a taint that the pod does not tolerate.",
    help="Karpenter starts a node only for pods that tolerate all its taints, except startup taints. Key, value and "
    "effect must match. AKS adds a toleration only for a taint whose key is the name of the requested resource.",
    sources=(
        "https://github.com/kubernetes-sigs/karpenter/blob/1b4b3e8c829dea93c8a0429e0e27aa68edc98ed7/pkg/scheduling/taints.go",
        "https://learn.microsoft.com/azure/aks/best-practices-gpu",
        "https://learn.microsoft.com/azure/aks/spot-node-pool",
        "https://kubernetes.io/docs/reference/access-authn-authz/admission-controllers/#extendedresourcetoleration",
    ),
    check=_check,
)
