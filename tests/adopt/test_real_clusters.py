"""Clusters that follow public guides and samples, imported completely: stack, workloads and the node check.

They follow Microsoft's guides to GPUs, KEDA and KAITO on AKS, NVIDIA's guide to its operator, and samples that serve
models with vLLM. Names and numbers are invented.
"""

from typing import Any

import yaml

from gitgpu.adopt.adoption import Fate
from gitgpu.adopt.clusters import ClusterOptions
from gitgpu.inventory.observed import Azure, Inventory, ObservedCluster
from gitgpu.runs.import_ import Imported, import_fleet
from tests.adopt.inventories import observed
from tests.adopt.test_stack import CLASS, KEDA_ADDON, MONITOR, PLUGIN, SCALED
from tools.support_matrix import ID

NODE_POOL = (
    """
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: gpu}
spec:
  template:
    spec:
      nodeClassRef: {group: karpenter.azure.com, kind: AKSNodeClass, name: gpu}
      requirements:
      - {key: karpenter.azure.com/sku-name, operator: In, values: [Standard_NC40ads_H100_v5]}
      - {key: karpenter.sh/capacity-type, operator: In, values: [on-demand]}
      taints: [{key: sku, value: gpu, effect: NoSchedule}]
  limits: {nvidia.com/gpu: "8"}
---"""
    + CLASS
)


def imported(text: str, **addons: bool) -> Imported:
    azure = Azure(region="swedencentral", kubernetes="1.36", addons=addons)
    return import_fleet(
        Inventory((ObservedCluster("prod", azure, tuple(observed(text))),)), ClusterOptions(), (), "fleet"
    )


def written(made: Imported, kind: str) -> dict[str, Any]:
    """The specs of the documents of a kind, by name."""
    documents = [each for text in made.files.values() for each in yaml.load_all(text, yaml.CSafeLoader)]
    return {each["metadata"]["name"]: each["spec"] for each in documents if each["kind"] == kind}


def reasons(made: Imported, *fates: Fate) -> list[str]:
    return [f"{each.observed.name}: {each.reason}" for each in made.adopted.outcomes if each.fate in fates]


DETECT = """
apiVersion: apps/v1
kind: Deployment
metadata: {name: detect, namespace: vision}
spec:
  replicas: 1
  selector: {matchLabels: {app: detect}}
  template:
    metadata: {labels: {app: detect}}
    spec:
      tolerations: [{key: sku, operator: Equal, value: gpu, effect: NoSchedule}]
      containers:
      - name: detect
        image: contoso.azurecr.io/detect:3.1
        command: [python, detect.py]
        resources: {limits: {nvidia.com/gpu: 1}}
---
"""


def test_gpu_metrics_that_keda_scales_on() -> None:
    """Microsoft's guide to KEDA on GPU metrics: the add-on, a PodMonitor, a query to Azure managed Prometheus."""
    image = "nvcr.io/nvidia/k8s/dcgm-exporter:4.5.3-4.8.2-ubuntu22.04"
    exporter = PLUGIN.replace("nvidia-device-plugin", "dcgm").replace(
        "mcr.microsoft.com/oss/v2/nvidia/k8s-device-plugin:v0.18.2-12", image
    )
    made = imported(NODE_POOL + PLUGIN + exporter + MONITOR + KEDA_ADDON + DETECT + SCALED, keda=True)
    assert all(each.keeps_nodes for each in made.verdicts)
    assert reasons(made, Fate.INEXPRESSIBLE, Fate.WRONG) == []
    [cluster] = written(made, "Cluster").values()
    server, identity = (
        "https://gpus-a1b2.swedencentral.prometheus.monitor.azure.com",
        "11111111-2222-3333-4444-555555555555",
    )
    assert cluster["stack"] == {
        "metrics": {"interval": "15s", "server": server, "identity": identity},
        "versions": {"nvidia-device-plugin": "v0.18.2"},
    }
    assert written(made, "GpuWorkload") == {
        "detect": {
            "pools": ["gpu"],
            "clusters": ["prod"],
            "target": {"kind": "Deployment", "name": "detect"},
            "scaling": {
                "metric": "query",
                "query": 'avg(DCGM_FI_DEV_GPU_UTIL{deployment="detect"})',
                "target": 5,
                "min": 0,
                "max": 20,
            },
        }
    }


VLLM = """
apiVersion: apps/v1
kind: Deployment
metadata: {name: llama, namespace: serving}
spec:
  replicas: 2
  selector: {matchLabels: {app: llama}}
  template:
    metadata: {labels: {app: llama}}
    spec:
      nodeSelector: {karpenter.azure.com/sku-gpu-name: H100}
      tolerations: [{key: sku, operator: Exists}]
      volumes:
      - {name: shm, emptyDir: {medium: Memory, sizeLimit: 8Gi}}
      containers:
      - name: vllm-openai
        image: docker.io/vllm/vllm-openai:v0.11.0
        args: [--model, Qwen/Qwen3-8B]
        ports: [{containerPort: 8000}]
        resources:
          requests: {cpu: "8", memory: 32Gi, nvidia.com/gpu: "1"}
          limits: {nvidia.com/gpu: "1"}
        volumeMounts: [{name: shm, mountPath: /dev/shm}]
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: llama, namespace: serving}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: llama}
  minReplicas: 1
  maxReplicas: 4
  metrics:
  - {type: Pods, pods: {metric: {name: vllm_requests_waiting}, target: {type: AverageValue, averageValue: "5"}}}
---
"""


def test_a_model_that_vllm_serves() -> None:
    made = imported(NODE_POOL + PLUGIN + VLLM)
    target = {"kind": "Deployment", "name": "llama", "container": "vllm-openai"}
    assert written(made, "GpuWorkload") == {"llama": {"pools": ["gpu"], "clusters": ["prod"], "target": target}}
    [reported] = reasons(made, Fate.INEXPRESSIBLE)
    assert "it scales on vllm_requests_waiting; with engine: hpa the metrics are" in reported
    [cluster] = written(made, "Cluster").values()
    assert cluster["stack"]["adapter"] == "none"


WORKSPACE = """
apiVersion: kaito.sh/v1beta1
kind: Workspace
metadata: {name: workspace-phi, namespace: default}
resource:
  instanceType: Standard_NC40ads_H100_v5
  labelSelector: {matchLabels: {apps: phi}}
inference:
  preset: {name: phi-4-mini-instruct}
---
"""


def test_a_workspace_of_the_add_on_names_its_own_labels() -> None:
    """KAITO creates nodes for the selector, so another selector would create other nodes."""
    made = imported(NODE_POOL + PLUGIN + WORKSPACE, kaito=True)
    assert written(made, "GpuWorkload") == {}
    [reported] = reasons(made, Fate.INEXPRESSIBLE)
    assert reported.startswith("Workspace/workspace-phi: it stays with its owner: ")
    assert written(made, "Cluster")["prod"]["stack"]["kaito"] == "addon"


JOB = """
apiVersion: batch/v1
kind: Job
metadata: {name: vectors, namespace: batch}
spec:
  template:
    spec:
      restartPolicy: Never
      nodeSelector: {karpenter.sh/nodepool: gpu}
      tolerations: [{key: sku, operator: Exists}]
      containers:
      - name: vectors
        image: contoso.azurecr.io/vectors:1.0
        resources: {limits: {nvidia.com/gpu: "1"}}
---
apiVersion: batch/v1
kind: CronJob
metadata: {name: nightly, namespace: batch}
spec:
  schedule: 0 2 * * *
  jobTemplate:
    spec:
      template:
        spec:
          restartPolicy: Never
          tolerations: [{key: sku, operator: Exists}]
          containers:
          - name: nightly
            image: contoso.azurecr.io/nightly:1.0
            resources: {limits: {nvidia.com/gpu: "1"}}
---
"""


def test_jobs_are_adopted() -> None:
    made = imported(NODE_POOL + PLUGIN + JOB)
    assert written(made, "GpuWorkload") == {
        name: {"pools": ["gpu"], "clusters": ["prod"], "target": {"kind": kind, "name": name}}
        for name, kind in (("vectors", "Job"), ("nightly", "CronJob"))
    }
    assert reasons(made, Fate.INEXPRESSIBLE) == []


def test_pods_of_two_clusters_are_two_workloads() -> None:
    azure = Azure(region="swedencentral", kubernetes="1.36")
    objects = tuple(observed(NODE_POOL + PLUGIN + DETECT))
    clusters = tuple(ObservedCluster(name, azure, objects) for name in ("blue", "green"))
    made = import_fleet(Inventory(clusters), ClusterOptions(), (), "fleet")
    for name in ("blue", "green"):
        assert yaml.load(made.files[f"clusters/{name}/workloads/vision/detect.yaml"], yaml.CSafeLoader)["spec"] == {
            "pools": ["gpu"],
            "clusters": [name],
            "target": {"kind": "Deployment", "name": "detect"},
        }
    assert {each.code for each in made.checked.diagnostics} == {"IMP014"}


MANAGED = """
apiVersion: containerservice.azure.com/v1api20250801
kind: ManagedClustersAgentPool
metadata: {name: shots, namespace: gpu-resources}
spec:
  azureName: shots
  owner: {armId: ID}
  vmSize: Standard_NC24ads_A100_v4
  osType: Linux
  mode: User
  enableAutoScaling: false
  count: 1
  gpuProfile: {driver: Install, nvidia: {managementMode: Managed, migStrategy: Mixed}}
  gpuInstanceProfile: MIG1g
  nodeTaints: ["sku=gpu:NoSchedule"]
""".replace("ID", ID)


def test_managed_gpus_of_a_node_pool_are_newer_than_its_schema() -> None:
    made = imported(MANAGED)
    assert reasons(made, Fate.INEXPRESSIBLE, Fate.WRONG) == []
    assert written(made, "Cluster")["prod"]["stack"]["driver"] == "managed"
    assert written(made, "GpuPool")["shots"]["partition"] == {"mig": {"strategy": "mixed", "profiles": {"1g.10gb": 7}}}
    assert [each.word for each in made.verdicts] == ["keep"]
