"""A Job on nodes that Karpenter consolidates while they are in use."""

from collections.abc import Iterator, Sequence

from gitgpu.diagnostic import Severity
from gitgpu.load.access import reach
from gitgpu.model.names.annotations import DO_NOT_DISRUPT_ANNOTATION
from gitgpu.model.names.kinds import POD_DISRUPTION_BUDGET
from gitgpu.objects.node.disruption_budgets import budgets, possible_reasons
from gitgpu.objects.node.node_pools import NodePool
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.placement import cases, once_for_pools
from gitgpu.objects.workload.pods import Pod
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.schedule.budget import may_consolidate

_JOBS = ("CronJob", "Job", "ScaledJob")  # their pods run to completion
BAD = """
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: a100}
spec:
  disruption: {consolidationPolicy: WhenEmptyOrUnderutilized, consolidateAfter: 10m}
  limits: {nvidia.com/gpu: 8}
  template:
    spec:
      nodeClassRef: {group: karpenter.azure.com, kind: AKSNodeClass, name: default}
      requirements: [{key: karpenter.azure.com/sku-name, operator: In, values: [Standard_NC24ads_A100_v4]}]
      taints: [{key: nvidia.com/gpu, effect: NoSchedule}]
---
apiVersion: batch/v1
kind: Job
metadata: {name: trainer, namespace: research}
spec:
  template:
    spec:
      restartPolicy: Never
      nodeSelector: {karpenter.sh/nodepool: a100}
      tolerations: [{key: nvidia.com/gpu, operator: Exists, effect: NoSchedule}]
      containers:
      - name: main
        image: contoso.azurecr.io/trainer:1.0
        resources: {limits: {nvidia.com/gpu: 1}}
"""
ANNOTATED = """spec:
  template:
    metadata: {{annotations: {{karpenter.sh/do-not-disrupt: "{}"}}}}
    spec:
      restartPolicy"""
SCALED = """spec:
  triggers: [{type: azure-queue, metadata: {queueName: jobs, connectionFromEnv: STORAGE}}]
  jobTargetRef:
   template:
    spec:
      restartPolicy"""
AT_REST = """---
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: batch}
spec:
  disruption: {consolidationPolicy: WhenEmpty, consolidateAfter: 10m}
  limits: {nvidia.com/gpu: 8}
  template:
    spec:
      nodeClassRef: {group: karpenter.azure.com, kind: AKSNodeClass, name: default}
      requirements: [{key: karpenter.azure.com/sku-name, operator: In, values: [Standard_NC24ads_A100_v4]}]
      taints: [{key: nvidia.com/gpu, effect: NoSchedule}]
"""
GUARD = """
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: trainer, namespace: research}
spec: {maxUnavailable: 0, selector: {matchLabels: {batch.kubernetes.io/job-name: trainer}}}
"""


def _check(objects: Objects) -> Iterator[Finding]:
    # A budget may keep the pods of its namespace.
    guarded = {item.identity.namespace for item in objects.of(*POD_DISRUPTION_BUDGET)}
    for case in cases(objects):
        pod = case.pod
        if pod.item.identity.kind not in _JOBS or pod.item.identity.namespace in guarded or case.is_open:
            continue
        name = "" if _is_kept(pod) else once_for_pools(case, objects, _consolidated_pool)
        if name:
            message = f"NodePool {name} consolidates nodes that are in use, which interrupts the Job"
            remedy = (
                f'annotate the pods with {DO_NOT_DISRUPT_ANNOTATION}: "true", or set consolidationPolicy: WhenEmpty in '
                "the NodePool"
            )
            yield Finding(pod.item, pod.pointer, message, remedy, at_key=True)


def _is_kept(pod: Pod) -> bool:
    value = reach(pod.item.body, *pod.pointer[:-1], "metadata", "annotations", DO_NOT_DISRUPT_ANNOTATION)
    return value is not None and value != "false"


def _consolidated_pool(pools: Sequence[NodePool]) -> str:
    """The name of the first NodePool if all of them consolidate nodes that are in use; empty otherwise."""
    if not all(map(_consolidates, pools)):
        return ""
    return pools[0].name if pools else ""


def _consolidates(pool: NodePool) -> bool:
    """Whether Karpenter may remove nodes of the pool that run pods."""
    return may_consolidate(budgets(pool), possible_reasons(pool))


RULE = Rule(
    code="POD090",
    name="job-on-consolidated-pool",
    twin="DIS009",
    severity=Severity.WARNING,
    summary="A GPU Job runs on nodes that Karpenter consolidates while they are in use.",
    help="Consolidation evicts pods to move them to fewer or cheaper nodes. A service tolerates that; a Job starts "
    "again, or from its last checkpoint. WhenEmptyOrUnderutilized is the default.",
    sources=(
        "https://learn.microsoft.com/azure/aks/node-auto-provisioning-disruption",
        "https://github.com/kubernetes-sigs/karpenter/blob/2266468104f36373ed002241afaee2d3bbc26078/pkg/controllers/disruption/consolidation.go",
    ),
    check=_check,
    bad=BAD,
    good=BAD.replace("WhenEmptyOrUnderutilized", "WhenEmpty"),
    variants=(
        # The value false protects nothing.
        BAD.replace("spec:\n  template:\n    spec:\n      restartPolicy", ANNOTATED.format("false")),
        BAD.replace("spec:\n  template:\n    spec:\n      restartPolicy", SCALED).replace(
            "batch/v1\nkind: Job", "keda.sh/v1alpha1\nkind: ScaledJob"
        ),
        # The budget is about drift only.
        BAD.replace("10m}", "10m, budgets: [{nodes: '0', reasons: [Drifted]}]}"),
        # Outside the schedule, nodes in use are consolidated.
        BAD.replace("10m}", "10m, budgets: [{nodes: '0', schedule: '0 8 * * *', duration: 8h}]}"),
    ),
    near_misses=(
        BAD.replace("spec:\n  template:\n    spec:\n      restartPolicy", ANNOTATED.format("true")),
        # The budget forbids consolidation of nodes in use.
        BAD.replace("10m}", "10m, budgets: [{nodes: '0', reasons: [Underutilized]}]}"),
        # Karpenter never consolidates these nodes.
        BAD.replace("10m}", "Never}"),
        # Karpenter does not consolidate a static NodePool.
        BAD.replace("  disruption:", "  replicas: 2\n  disruption:").replace("nvidia.com/gpu: 8}", "nodes: 4}"),
        # The Job can also run in a NodePool that removes empty nodes only.
        BAD.replace("      nodeSelector: {karpenter.sh/nodepool: a100}\n", "") + AT_REST,
        # The PodDisruptionBudget keeps the pod.
        f"{BAD}---{GUARD}",
    ),
)
