"""A pod whose grace period is longer than the eviction notice of spot nodes."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.names.labels import CAPACITY_TYPE_LABEL
from gitgpu.model.spec.taint import SPOT
from gitgpu.model.syntax.requirement import Requirements
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.offers import Offer
from gitgpu.objects.workload.placement import cases, within_limits
from gitgpu.objects.workload.pods import Pod, pods
from gitgpu.rules.object_rule import Finding, Rule

_NOTICE = 30  # seconds from Azure's eviction notice to the end of the VM


def _check(objects: Objects) -> Iterator[Finding]:
    may_be_spot = {
        case.pod.item.identity for case in cases(objects) if _may_be_spot(case.pod, within_limits(case, objects))
    }
    for pod in pods(objects):
        grace = pod.spec.get("terminationGracePeriodSeconds")
        # The pods of a DaemonSet are bound to their node, spot or not.
        if not isinstance(grace, int) or grace <= _NOTICE or pod.is_daemon:
            continue
        if _only_spot(pod) or pod.item.identity in may_be_spot:
            where = "runs" if _only_spot(pod) else "may run"
            message = f"the grace period is {grace}s, but the pod {where} on spot nodes, which get {_NOTICE}s notice"
            remedy = "save checkpoints while the pod runs, or keep the pod off spot nodes"
            yield Finding(pod.item, (*pod.pointer, "terminationGracePeriodSeconds"), message, remedy)


def _only_spot(pod: Pod) -> bool:
    """Whether every way to place the pod requires a spot node."""
    terms = pod.terms()
    return bool(terms) and all(_asks(term, SPOT.key) or _asks(term, CAPACITY_TYPE_LABEL) for term in terms)


def _asks(term: Requirements, key: str) -> bool:
    wanted = term.get(key)
    return wanted is not None and wanted.operator == "In" and wanted.values == {SPOT.value}


def _may_be_spot(pod: Pod, offers: tuple[Offer, ...]) -> bool:
    spot = any(_takes_spot(offer.pool.together) for offer in offers)
    return spot and any(_leaves_spot(term) for term in pod.terms())


def _takes_spot(demanded: Requirements) -> bool:
    capacity = demanded.get(CAPACITY_TYPE_LABEL)
    return capacity is not None and capacity.operator == "In" and SPOT.value in capacity.values


def _leaves_spot(term: Requirements) -> bool:
    # A term without these labels allows any capacity.
    return all(key not in term or term[key].takes(SPOT.value) for key in (CAPACITY_TYPE_LABEL, SPOT.key))


RULE = Rule(
    code="POD035",
    name="grace-period-beyond-spot-notice",
    severity=Severity.INFO,
    summary="A pod with a grace period of more than 30 seconds may run on spot nodes.",
    help="Azure announces the eviction of a spot VM 30 seconds in advance. Whatever a pod does after that, such as "
    "writing a checkpoint, is lost.",
    sources=(
        "https://github.com/maksim-paskal/aks-node-termination-handler/pull/33",
        "https://learn.microsoft.com/azure/virtual-machines/linux/scheduled-events",
        "https://learn.microsoft.com/azure/virtual-machines/spot-vms",
    ),
    check=_check,
)
