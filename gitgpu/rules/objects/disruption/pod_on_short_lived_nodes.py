"""A Job, or a service with one replica, on nodes that expire early."""

from collections.abc import Iterator, Sequence

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.model.names.annotations import DO_NOT_DISRUPT_ANNOTATION
from gitgpu.model.names.kinds import POD_DISRUPTION_BUDGET
from gitgpu.model.syntax.duration import seconds
from gitgpu.objects.node.node_pools import SPEC, NodePool
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.autoscalers import autoscalers, scaled_pods
from gitgpu.objects.workload.placement import cases, once_for_pools
from gitgpu.objects.workload.pod_templates import ends
from gitgpu.objects.workload.pods import Pod
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.schedule.expiry import DEFAULT_EXPIRE_AFTER

_SERVICES = ("Deployment", "StatefulSet")
_DAY = "24h"  # A choice: a service that is down every day is a fault, one that is down once a month may be accepted


def _check(objects: Objects) -> Iterator[Finding]:
    # A budget may keep the pods of its namespace.
    guarded = {item.identity.namespace for item in objects.of(*POD_DISRUPTION_BUDGET)}
    several = {id(pod.item) for pod in (scaled_pods(item, objects) for item in autoscalers(objects)) if pod}
    for case in cases(objects):
        pod = case.pod
        longest = _limit(pod, is_scaled=id(pod.item) in several)
        if not longest or case.is_open or pod.item.identity.namespace in guarded or _is_kept(pod):
            continue
        name, age = once_for_pools(case, objects, _shortest_lived)
        if name and seconds(age) < seconds(longest):
            is_job = ends(pod.item)
            what = "which interrupts the job" if is_job else "so the only replica is down until it runs on another one"
            message = f"nodes of NodePool {name} are drained after {age} without a replacement, {what}"
            more = "" if is_job else ", or run at least two replicas"
            yield Finding(pod.item, pod.pointer, message, f"set expireAfter: Never in the NodePool{more}", at_key=True)


def _limit(pod: Pod, *, is_scaled: bool) -> str:
    """The age at which expiry is no longer a fault for these pods; "" if it never is one."""
    kind = pod.item.identity.kind
    if ends(pod.item):
        return DEFAULT_EXPIRE_AFTER
    replicas = reach(pod.item.body, "spec", "replicas")
    return _DAY if kind in _SERVICES and replicas in (None, 1) and not is_scaled else ""


def _is_kept(pod: Pod) -> bool:
    value = pod.annotations.get(DO_NOT_DISRUPT_ANNOTATION)
    return value is not None and value != "false"


def _shortest_lived(pools: Sequence[NodePool]) -> tuple[str, str]:
    """The first NodePool and its age, if the nodes of all of them expire earlier than by default; else empty texts."""
    ages = [(pool.name, str(reach(pool.item.body, *SPEC, "expireAfter") or DEFAULT_EXPIRE_AFTER)) for pool in pools]
    # One NodePool whose nodes live long is enough for the pods.
    if not ages or any(age == "Never" or seconds(age) >= seconds(DEFAULT_EXPIRE_AFTER) for _, age in ages):
        return "", ""
    return max(ages, key=lambda pair: seconds(pair[1]))


RULE = Rule(
    code="POD095",
    name="pod-on-short-lived-nodes",
    twin="DIS010",
    severity=Severity.WARNING,
    summary="A GPU Job, or a service with one replica, runs on nodes that expire early.",
    help="Expiry ignores budgets and does not start a replacement first: a node of that age is drained. A Job that "
    "starts on an old node may be interrupted after minutes. A service with one replica is down until a new node has "
    "started, the driver is installed and the image is pulled. Reported for Jobs if nodes expire earlier than by "
    "default (720h), and for a single replica if they expire within a day.",
    sources=(
        "https://karpenter.sh/docs/concepts/disruption/",
        "https://github.com/kubernetes-sigs/karpenter/blob/1b4b3e8c829dea93c8a0429e0e27aa68edc98ed7/pkg/controllers/nodeclaim/expiration/controller.go",
        "https://github.com/aws/karpenter-provider-aws/issues/6362",
    ),
    check=_check,
)
