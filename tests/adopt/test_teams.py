"""Queues of Kueue and ResourceQuotas of a running cluster become teams, or stay with their owner for a reason."""

from typing import Any

import pytest
import yaml

from gitgpu.adopt.clusters import ClusterOptions
from gitgpu.inventory.observed import Inventory
from gitgpu.runs.import_ import Imported, import_fleet
from tests.adopt.clusters import of_text

NODES = """\
apiVersion: karpenter.azure.com/v1beta1
kind: AKSNodeClass
metadata: {name: gpu}
spec: {imageFamily: Ubuntu2204}
---
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: h100}
spec:
  limits: {nvidia.com/gpu: 64}
  template:
    metadata: {labels: {tier: train}}
    spec:
      expireAfter: 720h
      nodeClassRef: {group: karpenter.azure.com, kind: AKSNodeClass, name: gpu}
      requirements:
      - {key: node.kubernetes.io/instance-type, operator: In, values: [Standard_ND96isr_H100_v5]}
      - {key: karpenter.sh/capacity-type, operator: In, values: [on-demand]}
      taints: [{key: nvidia.com/gpu, value: present, effect: NoSchedule}]
---
"""
RELEASE = """\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: kueue, namespace: flux-system}
spec:
  interval: 1h
  targetNamespace: kueue-system
  storageNamespace: kueue-system
  releaseName: kueue
  chart: {spec: {chart: kueue, version: 0.18.6, sourceRef: {kind: HelmRepository, name: kueue}}}
---
"""
FLAVOR = """\
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: train-nodes}
spec: {nodeLabels: {tier: train}}
---
"""
QUEUE = """\
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: research, finalizers: [kueue.x-k8s.io/resource-in-use]}
spec:
  cohortName: everybody
  namespaceSelector: {}
  stopPolicy: None
  resourceGroups:
  - coveredResources: [cpu, nvidia.com/gpu]
    flavors:
    - name: train-nodes
      resources:
      - {name: cpu, nominalQuota: 400}
      - {name: nvidia.com/gpu, nominalQuota: "32"}
---
"""
LOCAL = """\
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {name: research, namespace: lab}
spec: {clusterQueue: research, stopPolicy: None}
---
"""
QUOTA = """\
apiVersion: v1
kind: ResourceQuota
metadata: {name: research, namespace: lab}
spec: {hard: {requests.nvidia.com/gpu: "8", pods: 20}}
---
"""


def imported(text: str) -> Imported:
    running = of_text(text, "prod", region="swedencentral", kubernetes="1.34")
    return import_fleet(Inventory((running,)), ClusterOptions(), (), "fleet")


def team(made: Imported) -> Any:
    text = made.files.get("clusters/prod/teams/research.yaml")
    return yaml.load(text, yaml.CSafeLoader)["spec"] if text else None


def reasons(made: Imported, kind: str) -> list[tuple[str, str]]:
    return [
        (outcome.fate.value, outcome.reason)
        for outcome in made.adopted.outcomes
        if outcome.observed.body.get("kind") == kind
    ]


def test_a_queue_of_another_author_becomes_a_team_with_patches_of_what_no_key_sets() -> None:
    made = imported(NODES + RELEASE + FLAVOR + QUEUE + LOCAL)
    assert team(made) == {
        "namespaces": ["lab"],
        "clusters": ["prod"],
        "quota": [{"pool": "h100", "gpus": 32, "borrow": "unlimited", "flavor": "train-nodes"}],
        "patches": [
            {
                "target": {"kind": "ClusterQueue"},
                "patch": {
                    "spec": {
                        "cohortName": "everybody",
                        "namespaceSelector": {"matchExpressions": None},
                        "preemption": None,
                    }
                },
            },
            {
                "target": {"kind": "ClusterQueue"},
                "patch": [
                    {"op": "remove", "path": "/spec/resourceGroups/0/coveredResources/3"},
                    {"op": "remove", "path": "/spec/resourceGroups/0/flavors/0/resources/3"},
                    {"op": "remove", "path": "/spec/resourceGroups/0/coveredResources/2"},
                    {"op": "remove", "path": "/spec/resourceGroups/0/flavors/0/resources/2"},
                    {
                        "op": "replace",
                        "path": "/spec/resourceGroups/0/flavors/0/resources/1",
                        "value": {"name": "cpu", "nominalQuota": 400},
                    },
                ],
            },
        ],
    }
    assert reasons(made, "ResourceFlavor") == [("left", "the quota of a GpuTeam names it, and it stays with its owner")]


@pytest.mark.parametrize(
    ("text", "fate", "reason"),
    [
        (RELEASE + QUEUE + LOCAL, "not adopted", "it stays with its owner: its flavor train-nodes was not read"),
        (
            RELEASE + FLAVOR + QUEUE,
            "not adopted",
            "it stays with its owner: it has no LocalQueue, and its namespaceSelector names no namespace",
        ),
        (
            RELEASE + FLAVOR + QUEUE + LOCAL.replace("{name: research,", "{name: user-queue,"),
            "not adopted",
            "it stays with its owner: its LocalQueue in namespace lab is user-queue, and a GpuTeam names it research",
        ),
        (
            RELEASE + FLAVOR + QUEUE.replace('"32"', '"32500m"') + LOCAL,
            "not adopted",
            "it stays with its owner: its flavor train-nodes has a quota that is not a whole number",
        ),
        (
            RELEASE + FLAVOR.replace("tier: train", "tier: other") + QUEUE + LOCAL,
            "not adopted",
            "it stays with its owner: its flavor train-nodes stands for no adopted pool",
        ),
        (
            RELEASE + FLAVOR + QUEUE.replace("nvidia.com/gpu", "memory") + LOCAL,
            "left",
            "it stays with its owner: its quota has no GPUs of an adopted pool",
        ),
        (FLAVOR + QUEUE + LOCAL, "left", "with queues: none, gitgpu writes nothing for Kueue"),
        (
            RELEASE.replace("0.18.6", "0.20.7") + FLAVOR + QUEUE + LOCAL,
            "left",
            "with queues: none, gitgpu writes nothing for Kueue",
        ),
    ],
)
def test_a_queue_that_no_team_describes_stays_with_its_owner(text: str, fate: str, reason: str) -> None:
    made = imported(NODES + text)
    assert team(made) is None
    assert reasons(made, "ClusterQueue") == [(fate, reason)]


def test_flavors_of_the_extension_of_aks_are_named_and_never_generated() -> None:
    extension = FLAVOR.replace("train-nodes", "aks-train")
    made = imported(NODES + extension + QUEUE.replace("train-nodes", "aks-train") + LOCAL)
    assert made.checked.inputs
    assert made.checked.inputs.clusters[0].stack.queues == "aks"
    assert team(made)["quota"] == [{"pool": "h100", "gpus": 32, "borrow": "unlimited", "flavor": "aks-train"}]
    assert reasons(made, "ResourceFlavor")[-1] == ("left", "the Kueue extension of AKS generates it")


def test_a_resource_quota_of_gpus_becomes_a_team() -> None:
    made = imported(NODES + QUOTA + QUOTA.replace("namespace: lab", "namespace: notebooks"))
    assert team(made) == {
        "namespaces": ["lab", "notebooks"],
        "clusters": ["prod"],
        "quota": [{"pool": "h100", "gpus": 8}],
        "patches": [
            {"target": {"kind": "ResourceQuota", "namespace": "lab"}, "patch": {"spec": {"hard": {"pods": 20}}}},
            {"target": {"kind": "ResourceQuota", "namespace": "notebooks"}, "patch": {"spec": {"hard": {"pods": 20}}}},
        ],
    }


def test_a_resource_quota_that_differs_between_namespaces_stays_with_its_owner() -> None:
    made = imported(NODES + QUOTA + QUOTA.replace("namespace: lab", "namespace: notebooks").replace('"8"', '"4"'))
    assert team(made) is None
    assert {fate for fate, _ in reasons(made, "ResourceQuota")} == {"not adopted"}


def test_a_priority_of_the_team_is_that_of_a_workload() -> None:
    classes = """\
apiVersion: kueue.x-k8s.io/v1beta2
kind: WorkloadPriorityClass
metadata: {name: research-urgent}
value: 1000
---
apiVersion: batch/v1
kind: Job
metadata:
  name: train
  namespace: lab
  labels: {kueue.x-k8s.io/queue-name: research, kueue.x-k8s.io/priority-class: research-urgent}
spec:
  suspend: true
  template:
    spec:
      restartPolicy: Never
      tolerations: [{key: nvidia.com/gpu, operator: Exists}]
      containers: [{name: main, image: contoso.azurecr.io/train:1, resources: {limits: {nvidia.com/gpu: 8}}}]
"""
    made = imported(NODES + RELEASE + FLAVOR + QUEUE + LOCAL + classes)
    assert team(made)["priorities"] == {"urgent": 1000}
    workload = yaml.load(made.files["clusters/prod/workloads/lab/train.yaml"], yaml.CSafeLoader)
    assert workload["spec"]["priority"] == "urgent"
