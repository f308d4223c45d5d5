"""Why the cluster autoscaler of AKS does not remove a node: what keeps its pods there.

The order is that of the rules in simulator/drainability/rules of kubernetes/autoscaler (rules.go at 084264c152c9,
replicated/rule.go and system/rule.go at 125e9c10dcaa) and FAQ.md (55c37cd5eb55). Not said, because the defaults of AKS
are not certain: pods of other controllers than those of Kubernetes, and local storage unless the profile has it.
"""

from collections.abc import Iterator

from gitgpu.access import mapping_at, reach, rows, text_at
from gitgpu.diagnose.cause import NOT_CONSOLIDATED, Answer, Cause, Evidence, subject_of
from gitgpu.diagnose.nodes.blocking import Blocker, budgets, budgets_of, is_owned_by, pods_on
from gitgpu.diagnose.reading.state import State
from gitgpu.model.names.annotations import (
    SAFE_TO_EVICT_ANNOTATION,
    SAFE_VOLUMES_ANNOTATION,
    SCALE_DOWN_DISABLED_ANNOTATION,
)
from gitgpu.model.names.kinds import DAEMON_SET, NODE, POD_DISRUPTION_BUDGET
from gitgpu.model.names.labels import AGENTPOOL_LABEL, NODEPOOL_LABEL
from gitgpu.objects.node.agent_pools import AgentPool, agent_pools
from gitgpu.objects.objects import Item

_SYSTEM = "kube-system"


def autoscaled_nodes(state: State) -> Iterator[Answer]:
    """The answers about nodes of AKS node pools that the cluster autoscaler scales, or may scale."""
    pools = {pool.name: pool for pool in agent_pools(state.objects)}
    for node in state.objects.of(*NODE):
        labels = mapping_at(node.body, "metadata", "labels")
        name = labels.get(AGENTPOOL_LABEL)
        pool = pools.get(str(name))
        if not name or NODEPOOL_LABEL in labels or reach(node.body, "metadata", "deletionTimestamp"):
            continue
        if pool and pool.spec.get("enableAutoScaling") is not True:
            continue
        if found := _node_blocker(node, pool) or next(_pod_blockers(node, state), None):
            yield _answer(node, str(name), found, known=pool is not None)


def _answer(node: Item, pool: str, found: Blocker, *, known: bool) -> Answer:
    unless = "" if known else f", if it scales pool {pool}, which the dump does not say"
    message = f"the cluster autoscaler does not remove the node{unless}: {found.message}"
    cause = Cause(NOT_CONSOLIDATED, message, found.remedy, rules=found.rules, normal=True)
    return Answer(subject_of(node), cause, (found.evidence,), (node.identity.name,))


def _node_blocker(node: Item, pool: AgentPool | None) -> Blocker | None:
    """What keeps the node itself: its annotation, or the minimum of its pool."""
    name = node.identity.name
    if text_at(node.body, "metadata", "annotations", SCALE_DOWN_DISABLED_ANNOTATION) == "true":
        remedy = f"remove the annotation: kubectl annotate node {name} {SCALE_DOWN_DISABLED_ANNOTATION}-"
        evidence = Evidence(f"Node {name}", f'{SCALE_DOWN_DISABLED_ANNOTATION}: "true"')
        return Blocker(f"it has the annotation {SCALE_DOWN_DISABLED_ANNOTATION}", remedy, evidence)
    if pool is None:
        return None
    least, count = pool.spec.get("minCount"), pool.spec.get("count")
    if not isinstance(least, int) or not isinstance(count, int) or count > least:
        return None
    message = f"pool {pool.name} has its least number of nodes, {least}"
    evidence = Evidence(f"node pool {pool.name}", f"minCount: {least}, count: {count}")
    return Blocker(message, "lower minCount of the pool", evidence)


def _pod_blockers(node: Item, state: State) -> Iterator[Blocker]:
    for pod in pods_on(node, state):
        if is_owned_by(pod, NODE.kind, DAEMON_SET.kind):
            continue
        may_go = text_at(pod.body, "metadata", "annotations", SAFE_TO_EVICT_ANNOTATION)
        if may_go != "true":
            yield from _blockers_of_pod(pod, may_go, state)


def _blockers_of_pod(pod: Item, may_go: str, state: State) -> Iterator[Blocker]:
    title = subject_of(pod).full_name
    if not any(owner.get("controller") is True for owner in rows(pod.body, "metadata", "ownerReferences")):
        message = "a pod has no controller, so nothing would create it again"
        remedy = f'create it from a Job or a Deployment, or set {SAFE_TO_EVICT_ANNOTATION}: "true" if it may be deleted'
        yield Blocker(message, remedy, Evidence(title, "has no owner that is its controller"))
    if _is_system(pod, state):
        message = f"a pod of {_SYSTEM} has no PodDisruptionBudget; older releases of the autoscaler never evict it"
        remedy = "create a PodDisruptionBudget for it, or keep such pods off this pool"
        yield Blocker(message, remedy, Evidence(title, "no PodDisruptionBudget selects it"))
    if may_go == "false":
        evidence = Evidence(title, f'{SAFE_TO_EVICT_ANNOTATION}: "false"')
        remedy = "wait until the pod ends, or remove the annotation"
        yield Blocker(f"a pod has the annotation {SAFE_TO_EVICT_ANNOTATION}", remedy, evidence)
    if state.azure.keeps.get("local-storage") and (volume := _local_volume(pod)):
        remedy = f"name the volume in {SAFE_VOLUMES_ANNOTATION}, or set skip-nodes-with-local-storage=false"
        evidence = Evidence(title, f"volume {volume}; the profile has skip-nodes-with-local-storage: true")
        yield Blocker("a pod has local storage", remedy, evidence)
    yield from budgets(pod, title, state)


def _is_system(pod: Item, state: State) -> bool:
    """Whether a pod of the system keeps the node. By default, AKS sets skip-nodes-with-system-pods."""
    if pod.identity.namespace != _SYSTEM or not state.has_kind(POD_DISRUPTION_BUDGET.kind):
        return False
    return state.azure.keeps.get("system-pods", True) and not budgets_of(pod, state)


def _local_volume(pod: Item) -> str:
    """A volume on the disk of the node that no annotation allows to lose; "" if there is none."""
    allowed = text_at(pod.body, "metadata", "annotations", SAFE_VOLUMES_ANNOTATION).split(",")
    for volume in rows(pod.body, "spec", "volumes"):
        is_on_disk = "emptyDir" in volume and reach(volume, "emptyDir", "medium") != "Memory"
        if (is_on_disk or "hostPath" in volume) and text_at(volume, "name") not in map(str.strip, allowed):
            return text_at(volume, "name")
    return ""
