"""The findings about pods compared with the NodePools in the input, and about pods alone."""

from decimal import Decimal

import pytest

from gitgpu.rules.object_findings import object_findings
from gitgpu.schedule.allocatable import allocatable, amount_text, insufficient
from tests.helping.cases import for_each
from tests.rules.objects.samples import KUBERNETES, conformed, read, shared_norms, somewhere

POOL = """---
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {{name: {name}}}
spec:
  limits: {{nvidia.com/gpu: {limit}}}
  template:
    metadata: {{labels: {{contoso.com/team: research}}}}
    spec:
      nodeClassRef: {{group: karpenter.azure.com, kind: AKSNodeClass, name: default}}
      requirements: [{{key: {key}, operator: In, values: [{values}]}}]
      taints: [{taint}]
"""
POD = """---
apiVersion: v1
kind: Pod
metadata: {{name: p, namespace: team, labels: {{{labels}}}}}
spec:
  {more}
  containers:
  - name: main
    image: main:1
    resources: {{limits: {{{limits}}}}}
"""
GPU_TAINT = "{key: nvidia.com/gpu, value: present, effect: NoSchedule}"
OWN_TAINT = "{key: sku, value: gpu, effect: NoSchedule}"
SPOT_TAINT = "{key: kubernetes.azure.com/scalesetpriority, value: spot, effect: NoSchedule}"
ONE = "nvidia.com/gpu: 1"


def pool(
    values: str = "Standard_NC24ads_A100_v4",
    *,
    name: str = "a100",
    limit: int = 16,
    key: str = "karpenter.azure.com/sku-name",
    taint: str = GPU_TAINT,
) -> str:
    """A NodePool."""
    return POOL.format(name=name, limit=limit, key=key, values=values, taint=taint)


def pod(more: str = "{}", *, limits: str = ONE, labels: str = "") -> str:
    """A pod. `more` is a line of its spec."""
    return POD.format(more="" if more == "{}" else more, limits=limits, labels=labels)


def tolerating(toleration: str) -> str:
    """A GPU pod with one toleration."""
    return pod(f"tolerations: [{toleration}]")


def selecting(selector: str, limits: str = ONE) -> str:
    """A pod that selects nodes."""
    return pod(f"nodeSelector: {{{selector}}}", limits=limits)


OF_A100 = "{key: karpenter.sh/nodepool, operator: In, values: [a100]}"


def affine(expression: str) -> str:
    """A GPU pod with one required node affinity expression."""
    return either(expression)


def either(*expressions: str, limits: str = ONE) -> str:
    """A pod for nodes that match any of these expressions."""
    terms = ", ".join(f"{{matchExpressions: [{expression}]}}" for expression in expressions)
    required = f"{{requiredDuringSchedulingIgnoredDuringExecution: {{nodeSelectorTerms: [{terms}]}}}}"
    return pod(f"affinity: {{nodeAffinity: {required}}}", limits=limits)


def codes(text: str, *, closed: bool = True) -> list[str]:
    """The codes of findings from this family of rules."""
    faults = object_findings(read(text), KUBERNETES, shared_norms(), closed=closed)
    return sorted({fault.code for fault in faults if fault.code.startswith("POD")})


A10_AND_A100 = pool() + pool("Standard_NV36ads_A10_v5", name="a10", taint=OWN_TAINT)
D_SERIES = pool("D", name="general", key="karpenter.azure.com/sku-family", taint=OWN_TAINT)
PLACES = {
    "AKS tolerates the resource's own taint": (pool() + pod(), []),
    "and no other effect of it": (pool(taint="{key: nvidia.com/gpu, effect: NoExecute}") + pod(), ["POD001"]),
    "another taint": (pool(taint=OWN_TAINT) + pod(), ["POD001"]),
    "a taint that is preferred only": (pool(taint="{key: sku, effect: PreferNoSchedule}") + pod(), []),
    "everything is tolerated": (pool(taint=OWN_TAINT) + tolerating("{operator: Exists}"), []),
    "the value counts": (pool(taint=OWN_TAINT) + tolerating("{key: sku, value: cpu}"), ["POD001"]),
    "the effect counts": (
        pool(taint=OWN_TAINT) + tolerating("{key: sku, value: gpu, effect: NoExecute}"),
        ["POD001"],
    ),
    "the spot taint": (pool(taint=f"{GPU_TAINT}, {SPOT_TAINT}") + pod(), ["POD001"]),
    "one open pool is enough": (A10_AND_A100 + pod(), []),
    "a queue may add tolerations": (pool(taint=OWN_TAINT) + pod(labels="kueue.x-k8s.io/queue-name: q"), []),
    "a pod on a named node": (pool(taint=OWN_TAINT) + pod("nodeName: node-1"), []),
    "no pool, no word": (pod("nodeSelector: {nvidia.com/gpu.product: A100}"), []),
    "a label of the pool": (pool() + selecting("contoso.com/team: research"), []),
    "an unknown label": (pool() + selecting("contoso.com/rack: r1"), ["POD002"]),
    "a label that comes too late": (pool() + selecting("accelerator: nvidia"), ["POD002"]),
    "a label that must be absent": (pool() + affine("{key: contoso.com/rack, operator: DoesNotExist}"), []),
    "another value of a pool's label": (pool() + selecting("contoso.com/team: serving"), ["POD003"]),
    "next to a pool without the label": (
        pool()
        + pool(name="b").replace("labels: {contoso.com/team: research}", "labels: {}")
        + selecting("contoso.com/team: serving"),
        ["POD002"],
    ),
    "and an alternative": (
        pool() + either("{key: contoso.com/team, operator: In, values: [serving]}", OF_A100),
        [],
    ),
    "and an alternative without it": (
        pool() + either("{key: contoso.com/team, operator: In, values: [serving]}", "{key: a, operator: Exists}"),
        ["POD002"],
    ),
    "an old name of a well-known label": (
        pool() + selecting("beta.kubernetes.io/instance-type: Standard_NC24ads_A100_v4"),
        [],
    ),
    "a pool of that name": (pool() + selecting("karpenter.sh/nodepool: a100"), []),
    "no pool of that name": (pool() + selecting("karpenter.sh/nodepool: a1000"), ["POD003"]),
    "a pool that AKS made": (pool() + selecting("karpenter.sh/nodepool: default"), []),
    "arm64 nodes": (pool("Standard_ND128isr_GB300_v6") + selecting("kubernetes.io/arch: amd64"), ["POD003"]),
    "GPU nodes or any others": (
        pool(taint=OWN_TAINT) + either(OF_A100, "{key: contoso.com/rack, operator: Exists}", limits="cpu: 1"),
        [],
    ),
    "GPU nodes of one kind or another": (
        pool(taint=OWN_TAINT)
        + either(OF_A100, "{key: karpenter.azure.com/sku-gpu-name, operator: Exists}", limits="cpu: 1"),
        ["POD001"],
    ),
    "Windows": (pool() + selecting("kubernetes.io/os: windows", "microsoft.com/directx: 1"), []),
    "no GPU anywhere": (D_SERIES + pod(), ["POD003"]),
    "an unknown GPU size may do": (pool("Standard_NX99_v9") + selecting("contoso.com/team: research"), []),
    "eight of four": (pool("Standard_NC96ads_A100_v4") + pod(limits="nvidia.com/gpu: 8"), ["POD006"]),
    "the memory of the machine": (pool() + pod(limits=f"{ONE}, memory: 220Gi"), ["POD006"]),
    "just below what is left": (pool() + pod(limits=f"{ONE}, memory: 191Gi"), ["POD007"]),
    "well below it": (pool() + pod(limits=f"{ONE}, memory: 185Gi, cpu: 20"), []),
    "cpu too": (pool() + pod(limits=f"{ONE}, cpu: 24"), ["POD006"]),
    "a larger size that the limit forbids": (
        pool("Standard_NC24ads_A100_v4, Standard_NC96ads_A100_v4", limit=2) + pod(limits="nvidia.com/gpu: 4"),
        ["POD008"],
    ),
    "a part of a GPU, whose name does not tolerate any taint on AKS": (
        pool() + selecting("karpenter.sh/nodepool: a100", "nvidia.com/mig-1g.10gb: 1"),
        ["POD001", "POD004"],
    ),
    "RDMA in addition to GPUs": (pool() + pod(limits=f"{ONE}, rdma/ib: 1"), ["POD004", "POD019"]),
    "NVIDIA's on AMD's": (pool("Standard_ND96isr_MI300X_v5") + pod(), ["POD013"]),
    "AMD's on NVIDIA's": (pool() + pod(limits="amd.com/gpu: 1"), ["POD013"]),
}


@for_each(("text", "expected"), PLACES.values(), ids=PLACES)
def test_rules_about_pods_without_a_nodepool(text: str, expected: list[str]) -> None:
    assert codes(text) == expected


OPEN = {
    "nothing binds it to Karpenter": (pool(taint=OWN_TAINT) + pod(), ["POD043"]),
    "a size binds it": (pool(taint=OWN_TAINT) + selecting("karpenter.azure.com/sku-gpu-name: A100"), ["POD001"]),
    "an instance type does not": (
        pool(taint=OWN_TAINT) + selecting("node.kubernetes.io/instance-type: Standard_NC24ads_A100_v4"),
        ["POD043"],
    ),
    "a name much like a pool's": (pool() + selecting("karpenter.sh/nodepool: a1000"), ["POD003"]),
    "a name of a pool elsewhere": (pool() + selecting("karpenter.sh/nodepool: h200-train"), []),
}


@for_each(("text", "expected"), OPEN.values(), ids=OPEN)
def test_what_is_reported_when_there_may_be_more_objects(text: str, expected: list[str]) -> None:
    assert codes(text, closed=False) == expected


def test_a_pool_that_is_known_only_from_a_patch_may_accept_any_pod() -> None:
    text = pool(taint=OWN_TAINT) + pod()
    patch = {"apiVersion": "karpenter.sh/v1", "kind": "NodePool", "metadata": {"name": "other"}}
    patch |= {"spec": {"template": {"spec": {"taints": []}}}}
    given = [*read(text), *somewhere(patch, patch=True)]
    reported = {finding.code for finding in object_findings(given, KUBERNETES, shared_norms())}
    assert ("POD001" in codes(text), "POD001" in reported) == (True, False)


@pytest.mark.parametrize("annotations", ["", "annotations: {a: b}"])
def test_a_namespace_without_default_tolerations_adds_none(annotations: str) -> None:
    namespace = f"---\napiVersion: v1\nkind: Namespace\nmetadata: {{name: team, {annotations}}}\n"
    assert codes(namespace + pool(taint=OWN_TAINT) + pod()) == ["POD001"]


def test_a_workload_in_a_queue_may_get_tolerations() -> None:
    spec = "{selector: {matchLabels: {app: a}}, template: {metadata: {labels: {app: a}}, "
    spec += f"spec: {{containers: [{{name: a, image: a:1, resources: {{limits: {{{ONE}}}}}}}]}}}}}}"
    text = (
        "---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a, namespace: team, labels: {LABEL: q}}\nspec: "
    )
    queued, plain = (text.replace("LABEL", label) + spec + "\n" for label in ("kueue.x-k8s.io/queue-name", "app"))
    assert "POD001" in codes(pool(taint=OWN_TAINT) + plain)
    assert "POD001" not in codes(pool(taint=OWN_TAINT) + queued)


def test_pods_can_run_on_aks_node_pools() -> None:
    agents = """---
apiVersion: containerservice.azure.com/v1api20240901
kind: ManagedClustersAgentPool
metadata: {name: gpu, namespace: azure}
spec: {owner: {name: c}, vmSize: Standard_NC24ads_A100_v4, mode: User, count: 1}
"""
    assert codes(pool(taint=OWN_TAINT) + pod() + agents) == []


NAMES = {
    "a plural": ("nvidia.com/gpus", "nvidia.com/gpu"),
    "capitals": ("nvidia.com/GPU", "nvidia.com/gpu"),
    "a letter is missing": ("nvdia.com/gpu", "nvidia.com/gpu"),
    "the old name": ("alpha.kubernetes.io/nvidia-gpu", "nvidia.com/gpu"),
    "no hyphen": ("nvidia.com/mig1g.5gb", "nvidia.com/mig-1g.5gb"),
    "no dot": ("nvidia.com/mig-3g40gb", "nvidia.com/mig-3g.40gb"),
    "from a sample": ("microsoft.com.directx/gpu", "microsoft.com/directx"),
    "a virtual GPU": ("nvidia.com/vgpu", ""),
    "passed through": ("nvidia.com/pgpu", ""),
    "another team's": ("contoso.com/gpu", ""),
    "media extensions": ("nvidia.com/mig-1g.10gb.me", ""),
    "a host device": ("nvidia.com/hostdev", ""),
}


@pytest.mark.parametrize("more", ["overhead: {memory: 4Ti}", "resources: {requests: {memory: 4Ti}}"])
def test_a_request_outside_containers_is_at_the_spec_of_the_pod(more: str) -> None:
    assert [fault.pointer for fault in conformed(pool() + pod(more)) if fault.code == "POD006"] == ["/spec"]


@pytest.mark.parametrize(("values", "last"), [("serving", "/values/0"), ("serving, other", "")])
def test_a_requirement_is_at_its_value_if_it_has_only_one(values: str, last: str) -> None:
    text = pool() + affine(f"{{key: contoso.com/team, operator: In, values: [{values}]}}")
    (fault,) = (fault for fault in conformed(text) if fault.code == "POD003")
    assert fault.pointer.endswith(f"/nodeSelectorTerms/0/matchExpressions/0{last}")


@for_each(("name", "meant"), NAMES.values(), ids=NAMES)
def test_names_of_devices(name: str, meant: str) -> None:
    faults = [finding for finding in conformed(pod(limits=f"{name}: 1")) if finding.code == "POD011"]
    place = f"/spec/containers/0/resources/limits/{name.replace('/', '~1')}"
    assert [(fault.pointer, fault.edit and fault.edit.text) for fault in faults] == [(place, meant)] * bool(meant)


ALONE = {
    "a profile of another GPU": (pod(limits="nvidia.com/mig-1g.6gb: 1"), ["POD012"]),
    "a value in capitals": (selecting("karpenter.sh/capacity-type: Spot"), ["POD014"]),
    "a label that Karpenter keeps": (selecting("karpenter.azure.com/aksnodeclass: gpu"), ["POD014"]),
    "a bare number for a zone": (selecting('topology.kubernetes.io/zone: "1"'), ["POD015"]),
    "a zone of another cloud": (selecting("topology.kubernetes.io/zone: us-east-1a"), []),
    "one right zone of two": (
        affine("{key: topology.kubernetes.io/zone, operator: In, values: [eastus-1, '1']}"),
        [],
    ),
    "nothing in a list": (pod("tolerations: [null]"), []),
    "seconds without NoExecute": (tolerating("{key: a, operator: Exists, tolerationSeconds: 5}"), ["POD010"]),
}


@for_each(("text", "expected"), ALONE.values(), ids=ALONE)
def test_pods_alone(text: str, expected: list[str]) -> None:
    assert codes(text, closed=False) == expected


BUDGET = """---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {{name: b, namespace: team}}
spec: {{{allows}, selector: {{matchLabels: {{app: a}}}}}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {{name: d, namespace: team}}
spec:
  replicas: {replicas}
  selector: {{matchLabels: {{app: a}}}}
  template:
    metadata: {{labels: {{app: a}}}}
    spec: {{containers: [{{name: c, image: "c:1", resources: {{limits: {{nvidia.com/gpu: 1}}}}}}]}}
"""
SCALER = """---
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: {name: s, namespace: team}
spec:
  minReplicaCount: 1
  maxReplicaCount: 5
  scaleTargetRef: {name: d}
  triggers: [{type: cron, metadata: {timezone: Etc/UTC, start: 0 8 * * *, end: 0 18 * * *, desiredReplicas: "3"}}]
"""


@for_each(
    ("allows", "replicas", "more", "blocks"),
    [
        ("minAvailable: 1", 2, "", False),
        ("minAvailable: 1", 1, "", True),
        ("minAvailable: 50%", 1, "", True),
        ("minAvailable: 50%", 3, "", False),
        ("minAvailable: 100%", 3, "", True),
        ("maxUnavailable: 0", 3, "", True),
        ("maxUnavailable: 0%", 3, "", True),
        ("maxUnavailable: 1%", 3, "", False),
        ("minAvailable: 1", 0, "", False),
        ("minAvailable: 1", 3, SCALER, True),
        ("maxUnavailable: 1", 3, SCALER, False),
    ],
)
def test_pod_disruption_budgets_that_block_eviction(allows: str, replicas: int, more: str, blocks: bool) -> None:
    assert ("POD017" in codes(BUDGET.format(allows=allows, replicas=replicas) + more)) is blocks


ROOM = {
    "Standard_NC4as_T4_v3": ("3.86", 23459371417),
    "Standard_NC16as_T4_v3": ("15.74", 99619962880),
    "Standard_NC24ads_A100_v4": ("23.66", 205737951232),
    "Standard_ND96isr_H100_v5": ("94.94", 1838254391296),
}


@for_each(("name", "cpu", "memory"), [(name, *left) for name, left in ROOM.items()])
def test_the_allocatable_resources_of_a_node(name: str, cpu: str, memory: int) -> None:
    sku = shared_norms().catalog.sku(name)
    assert sku
    left = allocatable(sku)
    assert (left["cpu"], left["memory"]) == (Decimal(cpu), Decimal(memory))
    assert insufficient(sku, {"memory": Decimal(memory)}) == ""
    assert insufficient(sku, {"memory": Decimal(memory + 1)}) == "memory"
    assert insufficient(sku, {"contoso.com/card": Decimal(9)}) == ""
    assert (
        amount_text("cpu", Decimal("3.86")),
        amount_text("cpu", Decimal(4)),
        amount_text("memory", Decimal(2**30)),
    ) == (
        "3860m",
        "4",
        "1.0Gi",
    )


CLAIMING = """---
apiVersion: v1
kind: Pod
metadata: {{name: trainer, namespace: team}}
spec:
  affinity:
    nodeAffinity:
      requiredDuringSchedulingIgnoredDuringExecution:
        nodeSelectorTerms: [{terms}]
  resourceClaims: [{{name: gpu, resourceClaimTemplateName: gpu}}]
  containers: [{{name: main, image: "main:1", resources: {{claims: [{{name: gpu}}]}}}}]
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {{name: gpu, namespace: team}}
spec:
  spec: {{devices: {{requests: [{{name: gpu, exactly: {{deviceClassName: gpu.nvidia.com}}}}]}}}}
"""
KARPENTER = "{matchExpressions: [{key: karpenter.azure.com/sku-gpu-name, operator: In, values: [A100]}]}"
NOT_KARPENTER = KARPENTER.replace("In,", "NotIn,")
ZONE = "{matchExpressions: [{key: topology.kubernetes.io/zone, operator: In, values: [swedencentral-1]}]}"
BOTH = f"{KARPENTER[:-2]}, {ZONE.removeprefix('{matchExpressions: [')}"


@for_each(
    ("terms", "waits"),
    [
        (KARPENTER, True),
        (f"{KARPENTER}, {KARPENTER}", True),
        (f"{KARPENTER}, {BOTH}", True),
        (f"{KARPENTER}, {ZONE}", False),
        (NOT_KARPENTER, False),
    ],
    ids=["one", "both", "with a zone", "a zone alone suffices", "any other size"],
)
def test_a_pod_waits_for_karpenter_if_each_alternative_names_its_nodes(terms: str, waits: bool) -> None:
    codes = [finding.code for finding in conformed(CLAIMING.format(terms=terms))]
    assert ("POD005" in codes) is waits
