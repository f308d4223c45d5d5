"""The work of an import grows linearly with its input. Executed lines are counted, not seconds."""

from collections.abc import Callable

import pytest

from gitgpu.adopt.clusters import ClusterOptions
from gitgpu.runs.import_ import import_fleet
from tests.adopt.inventories import inventory
from tests.helping.work import lines

STEP = 30
MOST = 1.08  # limit on the growth of work for each further third; with a quadratic part it is 1.2 or more
POOL = """
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {{name: pool-{at}}}
spec:
  template:
    spec:
      nodeClassRef: {{group: karpenter.azure.com, kind: AKSNodeClass, name: {node_class}}}
      requirements:
      - {{key: karpenter.azure.com/sku-name, operator: In, values: [Standard_NC24ads_A100_v4]}}
      - {{key: karpenter.sh/capacity-type, operator: In, values: [on-demand]}}
      taints: [{{key: sku, value: gpu, effect: NoSchedule}}]
---
"""
CLASS = """
apiVersion: karpenter.azure.com/v1beta1
kind: AKSNodeClass
metadata: {{name: class-{at}}}
spec: {{osDiskSizeGB: {disk}}}
---
"""
WORKLOAD = """
apiVersion: apps/v1
kind: Deployment
metadata: {{name: app-{at}, namespace: team}}
spec:
  selector: {{matchLabels: {{app: app-{at}}}}}
  template:
    metadata: {{labels: {{app: app-{at}}}}}
    spec:
      nodeSelector: {{karpenter.sh/nodepool: pool-{at}}}
      tolerations: [{{key: sku, value: gpu, effect: NoSchedule}}]
      containers:
      - {{name: main, image: "app:1", resources: {{limits: {{nvidia.com/gpu: 1}}}}}}
---
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: {{name: app-{at}, namespace: team}}
spec:
  scaleTargetRef: {{name: app-{at}}}
  minReplicaCount: 0
  maxReplicaCount: 4
  triggers:
  - type: prometheus
    metadata: {{serverAddress: "http://prometheus.monitoring:9090", query: "sum(queue_{at})", threshold: "2"}}
---
"""


def shared(number: int) -> str:
    """Pools with one node class."""
    pools = (POOL.format(at=at, node_class="class-0") for at in range(number))
    return CLASS.format(at=0, disk=200) + "".join(pools)


def apart(number: int) -> str:
    """Pools with a node class each."""
    pairs = (CLASS.format(at=at, disk=200 + at) + POOL.format(at=at, node_class=f"class-{at}") for at in range(number))
    return "".join(pairs)


def used(number: int) -> str:
    """Pools with a workload and its scaler each."""
    return shared(number) + "".join(WORKLOAD.format(at=at) for at in range(number))


@pytest.mark.parametrize("text", [shared, apart, used], ids=["one class", "a class each", "workloads"])
def test_the_last_third_of_the_objects_takes_as_much_work_as_the_second(text: Callable[[int], str]) -> None:
    work(text(2))  # what is computed once from the catalog
    first, second, third = (work(text(number * STEP)) for number in (1, 2, 3))
    growth = (third - second) / (second - first)
    assert growth <= MOST, f"{first}, {second} and {third} lines: {growth:.2f}"


def work(text: str) -> int:
    """The number of executed lines for the import of these objects as one cluster."""
    read = inventory({"prod": text})
    return lines(lambda: import_fleet(read, ClusterOptions(), (), "fleet").report())
