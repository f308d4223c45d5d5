"""Tags, labels, sizes and settings that are almost right: misspelt, set too late, or no longer available."""

import pytest

from gitgpu.rules.object_findings import object_findings
from tests.helping.cases import for_each
from tests.rules.objects.samples import KUBERNETES, read, shared_norms


def reported(text: str, code: str) -> list[tuple[str, str]]:
    """The place and remedy of the findings of one rule."""
    return [
        (finding.pointer, finding.help)
        for finding in object_findings(read(text), KUBERNETES, shared_norms())
        if finding.code == code
    ]


NODE_CLASS = """
apiVersion: karpenter.azure.com/v1beta1
kind: AKSNodeClass
metadata: {{name: gpu}}
spec: {{tags: {tags}}}
"""
AGENT_POOL = """
apiVersion: containerservice.azure.com/v1api20250801
kind: ManagedClustersAgentPool
metadata: {{name: gpu, namespace: fleet}}
spec: {{owner: {{name: m}}, vmSize: Standard_NC24ads_A100_v4, mode: User, count: 1, tags: {tags}}}
"""


@for_each(
    "name",
    [
        "EnableManagedGpuExperiance",
        "Enable-Managed-GPU-Experience",
        "EnabledManagedGPUExperience",
        "EnableManagedGPU",
        "enable_managed_gpu_experience",
    ],
)
@for_each("text", [NODE_CLASS, AGENT_POOL], ids=["node-class", "agent-pool"])
def test_a_tag_that_is_almost_right(text: str, name: str) -> None:
    findings = reported(text.format(tags=f'{{{name}: "true"}}'), "STK036")
    assert findings == [(f"/spec/tags/{name}", "use EnableManagedGPUExperience")]


@for_each(
    "tags",
    [
        '{EnableManagedGPUExperience: "true"}',
        '{enablemanagedgpuexperience: "true"}',  # Azure ignores case
        '{SkipGPUDriverInstall: "true", team: gpu, ManagedBy: gitops, gpu-experience: lab}',
        '{EnableManagedGPUExperience: "true", EnableManagedGPU: "true"}',
    ],
)
def test_other_tags_are_not_reported(tags: str) -> None:
    assert reported(NODE_CLASS.format(tags=tags), "STK036") == []


POOL = """
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {{name: gpu}}
spec:
  limits: {{nvidia.com/gpu: 8}}
  template:
    metadata: {{labels: {labels}}}
    spec:
      nodeClassRef: {{group: {group}, kind: {kind}, name: default}}
      requirements: [{requirements}]
      taints: [{{key: nvidia.com/gpu, effect: NoSchedule}}]
"""
SIZE = "{key: karpenter.azure.com/sku-name, operator: In, values: [Standard_NC24ads_A100_v4]}"
AKS = {"group": "karpenter.azure.com", "kind": "AKSNodeClass"}


@for_each(
    ("requirements", "instead"),
    [
        ("{key: nvidia.com/gpu.memory, operator: Gt, values: ['40000']}", "karpenter.azure.com/sku-name"),
        ("{key: nvidia.com/gpu.product, operator: In, values: [NVIDIA-A100-SXM4-80GB]}",
         "karpenter.azure.com/sku-gpu-name"),
        (f"{SIZE}, {{key: nvidia.com/gpu.product, operator: Exists}}", "karpenter.azure.com/sku-gpu-name"),
        (f"{SIZE}, {{key: nvidia.com/gpu.count, operator: In, values: ['1', '2']}}",
         "karpenter.azure.com/sku-gpu-count"),
    ],
)  # fmt: skip
def test_a_label_that_is_set_after_a_node_starts_cannot_select_a_size(requirements: str, instead: str) -> None:
    (finding,) = reported(POOL.format(labels={}, requirements=requirements, **AKS), "NPL034")
    assert finding[1] == f"require {instead} instead"


@for_each(
    ("labels", "requirements", "cloud"),
    [
        ("{nvidia.com/gpu.product: NVIDIA-A100-80GB-PCIe}", SIZE, AKS),
        ("{}", f"{SIZE}, {{key: nvidia.com/gpu.product, operator: In, values: [NVIDIA-A100-80GB-PCIe]}}", AKS),
        ("{}", f"{SIZE}, {{key: nvidia.com/mig.config, operator: In, values: [all-balanced]}}", AKS),
        ("{}", "{key: nvidia.com/gpu.memory, operator: Gt, values: ['40000']}",
         {"group": "karpenter.k8s.aws", "kind": "EC2NodeClass"}),
    ],
)  # fmt: skip
def test_a_pool_may_announce_labels_that_are_set_later(labels: str, requirements: str, cloud: dict[str, str]) -> None:
    assert reported(POOL.format(labels=labels, requirements=requirements, **cloud), "NPL034") == []


RETIRED, ACTIVE = "Standard_NC6s_v3", "Standard_NC40ads_H100_v5"
POD = """
apiVersion: v1
kind: Pod
metadata: {{name: p, namespace: models}}
spec:
  {wish}
  containers: [{{name: a, image: "r.example.com/x:1"}}]
"""
AFFINITY = (
    "affinity: {{nodeAffinity: {{requiredDuringSchedulingIgnoredDuringExecution: {{nodeSelectorTerms: {terms}}}}}}}"
)


def term(*names: str) -> str:
    """A node selector term for some sizes."""
    return (
        f"{{matchExpressions: [{{key: node.kubernetes.io/instance-type, operator: In, values: [{', '.join(names)}]}}]}}"
    )


FLAVOR = f"""
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {{name: v100}}
spec: {{nodeLabels: {{node.kubernetes.io/instance-type: {RETIRED}}}}}
"""
WORKSPACE = f"""
apiVersion: kaito.sh/v1beta1
kind: Workspace
metadata: {{name: w, namespace: models}}
resource: {{instanceType: {RETIRED}, labelSelector: {{matchLabels: {{apps: w}}}}}}
inference: {{preset: {{name: phi-4-mini-instruct}}}}
"""


@for_each(
    ("text", "count"),
    [
        (POD.format(wish=f"nodeSelector: {{node.kubernetes.io/instance-type: {RETIRED}}}"), 1),
        (POD.format(wish=f"nodeSelector: {{beta.kubernetes.io/instance-type: {RETIRED}}}"), 1),
        (POD.format(wish=f"nodeSelector: {{node.kubernetes.io/instance-type: {ACTIVE}}}"), 0),
        (POD.format(wish=AFFINITY.format(terms=f"[{term(RETIRED)}]")), 1),
        (POD.format(wish=AFFINITY.format(terms=f"[{term(RETIRED, ACTIVE)}]")), 0),
        (POD.format(wish=AFFINITY.format(terms=f"[{term(RETIRED)}, {term(ACTIVE)}]")), 0),
        (FLAVOR, 1),
        (WORKSPACE, 0),  # a rule about KAITO reports it
    ],
)  # fmt: skip
def test_sizes_that_are_no_longer_available(text: str, count: int) -> None:
    assert len(reported(text, "NPS020")) == count


SETTINGS = """
apiVersion: v1
kind: ConfigMap
metadata: {{name: {name}, namespace: kube-system}}
data: {{schema-version: v1, {key}: "x"}}
"""


@pytest.mark.parametrize(
    ("key", "remedy"),
    [
        ("default-target-metrics-keep-list", "use default-targets-metrics-keep-list"),
        ("default_scrape_settings_enabled", "use default-scrape-settings-enabled"),
        ("pod-annotation-scraping", "use pod-annotation-based-scraping"),
    ],
)
def test_a_section_that_the_agent_does_not_read(key: str, remedy: str) -> None:
    text = SETTINGS.format(name="ama-metrics-settings-configmap", key=key)
    assert reported(text, "MON021") == [(f"/data/{key}", remedy)]


@for_each("key", ["ksm-config", "opentelemetry-metrics", "debug-mode", "cluster-metrics"])
def test_sections_of_either_layout_are_known(key: str) -> None:
    assert reported(SETTINGS.format(name="ama-metrics-settings-configmap", key=key), "MON021") == []
    assert reported(SETTINGS.format(name="other-settings", key="anything"), "MON021") == []


@for_each(
    ("labels", "count"),
    [
        ('{nvidia.com/mig-1g.10gb.count: "7"}', 1),
        ('{nvidia.com/mig-7g.40gb.count: "1", nvidia.com/mig-1g.5gb.count: "7"}', 1),
        ('{nvidia.com/mig-1g.10gb.count: "7", nvidia.com/mig.config: all-1g.10gb}', 0),
        ("{nvidia.com/mig.config: all-1g.10gb}", 0),
        ("{nvidia.com/mps.capable: 'true', nvidia.com/gpu.present: 'true'}", 0),
    ],
)
def test_rules_about_labels_of_mig_instances(labels: str, count: int) -> None:
    assert len(reported(POOL.format(labels=labels, requirements=SIZE, **AKS), "NPL036")) == count
