"""NodePools for other clouds: rules about AKS skip them, but take into account that pods can run there."""

import pytest

from gitgpu.objects.node.node_pools import is_for_aks
from gitgpu.rules.object_findings import object_findings
from tests.helping.cases import for_each
from tests.rules.objects.samples import KUBERNETES, read, shared_norms

EC2 = "{group: karpenter.k8s.aws, kind: EC2NodeClass, name: gpu}"
GCP = "{group: karpenter.k8s.gcp, kind: GCENodeClass, name: gpu}"
AKS = "{group: karpenter.azure.com, kind: AKSNodeClass, name: default}"
FOREIGN = (EC2, GCP, "{group: karpenter.ibm.sh, kind: IBMNodeClass, name: gpu}")


def pool(of_class: str, *asks: str, name: str = "gpu", spec: str = "", node: str = "", labels: str = "") -> str:
    """A NodePool as YAML."""
    return f"""---
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {{name: {name}}}
spec:
  {spec}
  template:
    metadata: {{labels: {{{labels}}}}}
    spec:
      nodeClassRef: {of_class}
      requirements: [{", ".join(asks)}]
      {node}
"""


def pod(spec: str, kind: str = "Pod") -> str:
    """A pod, or a DaemonSet of such pods, as YAML."""
    body = f"{{containers: [{{name: main, image: example.com/app:1, {GPU}}}], {spec}}}"
    if kind == "Pod":
        return f"---\napiVersion: v1\nkind: Pod\nmetadata: {{name: main, namespace: team}}\nspec: {body}\n"
    chosen = "{matchLabels: {app: main}}"
    template = f"{{metadata: {{labels: {{app: main}}}}, spec: {body}}}"
    head = f"---\napiVersion: apps/v1\nkind: {kind}\nmetadata: {{name: main, namespace: team}}\n"
    return f"{head}spec: {{selector: {chosen}, template: {template}}}\n"


GPU = 'resources: {limits: {nvidia.com/gpu: "1"}}'
TAINTS = "taints: [{key: team, value: ml, effect: NoSchedule}]"


def codes(text: str, *, closed: bool = True) -> set[str]:
    """The codes of all findings."""
    return {finding.code for finding in object_findings(read(text), KUBERNETES, shared_norms(), closed=closed)}


def ask(key: str, operator: str, *values: str) -> str:
    """A requirement as YAML."""
    listed = ", ".join(f'"{value}"' for value in values)
    return f"{{key: {key}, operator: {operator}, values: [{listed}]}}"


ASKS = (
    ask("karpenter.k8s.aws/instance-gpu-name", "In", "a100"),
    ask("node.kubernetes.io/instance-type", "In", "p4d.24xlarge", "Standard_NP10s"),
    ask("topology.kubernetes.io/zone", "In", "us-east-1a"),
    ask("karpenter.sh/capacity-type", "In", "reserved", "spot"),
    ask("kubernetes.io/os", "In", "bottlerocket"),
    ask("karpenter.k8s.aws/instance-memory", "Lt", "64"),
)


@pytest.mark.parametrize("of_class", FOREIGN)
def test_a_pool_of_another_cloud_gets_no_advice_about_aks(of_class: str) -> None:
    limits = 'limits: {cpu: "1", amazonaws.com/neuron: 4}'
    text = pool(of_class, *ASKS, spec=limits, labels="karpenter.k8s.aws/x: z, kubernetes.azure.com/mode: system")
    assert codes(text) == set()


@pytest.mark.parametrize("of_class", FOREIGN)
def test_faults_that_every_karpenter_rejects_are_still_reported(of_class: str) -> None:
    asks = (ask("example.com/a", "In", "x"), ask("example.com/a", "In", "y"))
    twice = "taints: [{key: a, effect: NoSchedule}, {key: a, effect: NoSchedule, value: b}]"
    assert codes(pool(of_class, *asks, node=twice)) == {"CNF009"} | codes(pool(of_class, *asks))
    assert codes(pool(of_class, *asks)) == {"NPL008"}
    assert codes(pool(of_class, "{key: a, operator: In}")) == codes(pool(AKS, "{key: a, operator: In}"))


def test_a_pool_without_a_group_is_for_aks_if_its_requirements_are() -> None:
    unset = '{group: "", kind: AKSNodeClass, name: default}'
    nameless = '{group: "", kind: NodeClass, name: default}'
    odd = ask("karpenter.azure.com/sku-name", "In", "Standard_NP10s_v9")
    aks = codes(pool(AKS, odd))
    assert aks <= codes(pool(unset, odd))
    assert aks <= codes(pool(nameless, odd))
    assert not aks & codes(pool(nameless, ask("node.kubernetes.io/instance-type", "In", "p4d.24xlarge")))


@for_each(
    ("of_class", "key", "is_aks"),
    [
        (AKS, "node.kubernetes.io/instance-type", True),
        ('{group: "", kind: NodeClass, name: default}', "karpenter.azure.com/sku-name", True),
        ('{group: "", kind: NodeClass, name: default}', "kubernetes.azure.com/cluster", True),
        ('{group: "", kind: NodeClass, name: default}', "node.kubernetes.io/instance-type", False),
        (EC2, "karpenter.azure.com/sku-name", False),
    ],
)
def test_a_pool_is_for_aks_by_its_class_or_without_its_group_by_its_labels(
    of_class: str, key: str, *, is_aks: bool
) -> None:
    for text in (pool(of_class, ask(key, "Exists")), pool(of_class, labels=f"{key}: x")):
        (given,) = read(text)
        assert is_for_aks(given.body) is is_aks


def test_a_misspelt_group_of_an_aks_node_class_is_still_reported() -> None:
    assert "CNF012" in codes(pool("{group: karpenter.azure.io, kind: AKSNodeClass, name: default}"))
    assert "CNF012" in codes(pool("{group: karpenter.azure.com, kind: NodeClass, name: default}"))


A100 = ask("karpenter.azure.com/sku-name", "In", "Standard_NC24ads_A100_v4")
AZURE_POOL = pool(AKS, A100, name="aks", node=TAINTS)
TOLERANT = "tolerations: [{key: team, operator: Exists}]"


@pytest.mark.parametrize(
    "spec",
    [
        f"nodeSelector: {{karpenter.sh/nodepool: gpu}}, {TOLERANT}",
        "nodeSelector: {karpenter.sh/capacity-type: spot}",
        "nodeSelector: {karpenter.sh/nodepool: gpu}",
    ],
)
def test_a_pod_that_fits_a_pool_of_another_cloud_is_not_reported(spec: str) -> None:
    foreign = pool(EC2, ask("karpenter.k8s.aws/instance-gpu-count", "Gt", "0"))
    assert codes(AZURE_POOL + foreign + pod(spec)) == codes(AZURE_POOL + foreign)


def test_a_pod_that_asks_for_a_label_of_aks_is_not_for_another_cloud() -> None:
    wanted = pod("nodeSelector: {karpenter.azure.com/sku-name: Standard_NC24ads_A100_v4}")
    foreign = pool(EC2, ask("karpenter.k8s.aws/instance-gpu-count", "Gt", "0"))
    alone = codes(AZURE_POOL + wanted) - codes(AZURE_POOL)
    assert alone
    for text in (wanted, wanted.replace("_A100_v4}", "_A100_v4, kubernetes.io/arch: amd64}")):
        assert codes(AZURE_POOL + foreign + text) - codes(AZURE_POOL + foreign) == alone


def test_a_pod_that_a_pool_of_another_cloud_cannot_take_is_reported() -> None:
    wanted = pod(f"nodeSelector: {{karpenter.sh/nodepool: aks, example.com/tier: gold}}, {TOLERANT}")
    foreign = pool(EC2, labels="example.com/tier: gold")
    alone = codes(AZURE_POOL + wanted) - codes(AZURE_POOL)
    assert alone
    assert codes(AZURE_POOL + foreign + wanted) - codes(AZURE_POOL + foreign) == alone


def test_a_daemonset_for_a_pool_of_another_cloud_has_to_tolerate_its_taints() -> None:
    foreign = pool(EC2, node=TAINTS)
    named = "nodeSelector: {karpenter.sh/nodepool: gpu}"
    assert "POD022" in codes(foreign + pod(named, "DaemonSet"))
    assert "POD022" not in codes(foreign + pod(f"{named}, {TOLERANT}", "DaemonSet"))


def test_the_taint_of_a_pool_of_another_cloud_is_not_one_of_gpus_alone() -> None:
    plain = "---\napiVersion: v1\nkind: Pod\nmetadata: {name: web, namespace: team}\n"
    plain += f"spec: {{containers: [{{name: main, image: example.com/app:1}}], {TOLERANT}}}\n"
    needless = codes(AZURE_POOL + plain) - codes(AZURE_POOL)
    assert needless
    assert not needless & codes(AZURE_POOL + pool(EC2, node=TAINTS) + plain)
