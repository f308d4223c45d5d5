"""A DaemonSet that picks nodes whose taint it does not tolerate."""

from collections.abc import Iterator

from gitgpu.conform.nodepools import NodePool, node_pools
from gitgpu.conform.objects import Objects
from gitgpu.conform.pods import Pod, pods
from gitgpu.conform.rule import Finding, Rule
from gitgpu.diagnostic import Severity
from gitgpu.schedule.taint import untolerated

_KEY = "karpenter.sh/nodepool"


def _check(objects: Objects) -> Iterator[Finding]:
    known = {pool.name: pool for pool in node_pools(objects)}
    for pod in pods(objects):
        for pool in (known[name] for name in _picked(pod) if name in known):
            taints = untolerated(pool.taints, pod.tolerations)
            if taints:
                yield _finding(pod, pool, f"{taints[0].get('key')}={taints[0].get('value') or ''}".rstrip("="))


def _picked(pod: Pod) -> list[str]:
    """The NodePools that a DaemonSet asks for by name, sorted."""
    wanted = [term[_KEY] for term in pod.terms() if _KEY in term] if pod.is_daemon else []
    return sorted({name for one in wanted if one.operator == "In" for name in one.values})


def _finding(pod: Pod, pool: NodePool, taint: str) -> Finding:
    message = f"it is to run on the nodes of NodePool {pool.name}, and does not tolerate their taint {taint}"
    return Finding(pod.item, (*pod.pointer, "tolerations"), message, "add a toleration of that taint")


RULE = Rule(
    code="POD022",
    name="daemon-kept-off-its-nodes",
    severity=Severity.ERROR,
    summary="A DaemonSet asks for the nodes of a NodePool by name, and does not tolerate a taint of theirs.",
    help="Such nodes never get its pod. Where it is a device plugin, they never advertise a GPU.",
    sources=(
        "https://kubernetes.io/docs/concepts/scheduling-eviction/taint-and-toleration/",
        "https://kubernetes.io/docs/concepts/workloads/controllers/daemonset/#taints-and-tolerations",
    ),
    check=_check,
    bad="""
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: t4}
spec:
  disruption: {consolidationPolicy: WhenEmpty, consolidateAfter: 10m}
  limits: {nvidia.com/gpu: "8"}
  template:
    spec:
      nodeClassRef: {group: karpenter.azure.com, kind: AKSNodeClass, name: default}
      requirements: [{key: karpenter.azure.com/sku-name, operator: In, values: [Standard_NC16as_T4_v3]}]
      taints: [{key: sku, value: gpu, effect: NoSchedule}]
---
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: node-reporter, namespace: platform}
spec:
  selector: {matchLabels: {app: node-reporter}}
  template:
    metadata: {labels: {app: node-reporter}}
    spec:
      nodeSelector: {karpenter.sh/nodepool: t4}
      tolerations: [{key: sku, operator: Equal, value: gpus, effect: NoSchedule}]
      containers: [{name: main, image: "registry.contoso.com/node-reporter:1.4.0"}]
""",
    good="""
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: cpu}
spec:
  disruption: {consolidationPolicy: WhenEmpty, consolidateAfter: 10m}
  template:
    spec:
      nodeClassRef: {group: karpenter.azure.com, kind: AKSNodeClass, name: default}
      requirements: [{key: karpenter.azure.com/sku-family, operator: In, values: [D]}]
      taints: [{key: team, value: platform, effect: NoSchedule}]
---
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: node-reporter, namespace: platform}
spec:
  selector: {matchLabels: {app: node-reporter}}
  template:
    metadata: {labels: {app: node-reporter}}
    spec:
      nodeSelector: {karpenter.sh/nodepool: cpu}
      tolerations: [{key: team, operator: Equal, value: platform, effect: NoSchedule}]
      containers: [{name: main, image: "registry.contoso.com/node-reporter:1.4.0"}]
""",
)
