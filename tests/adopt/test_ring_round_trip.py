"""A fleet with rings is built and imported: each cluster keeps the settings of its ring, and its labels."""

import yaml

from gitgpu.adopt.clusters import ClusterOptions
from gitgpu.inventory.observed import Inventory
from gitgpu.runs.import_ import import_fleet
from tests.adopt.clusters import built
from tests.rules.fleet.examples import inputs_of

FLEET = """\
apiVersion: gitgpu.dev/v1alpha1
kind: Fleet
metadata: {name: contoso-ai}
spec:
  delivery: {repository: https://github.com/contoso/gpu-fleet}
  defaults: {stack: {keda: helm}}
  rings:
  - name: canary
    clusters: {matchLabels: {ring: canary}}
    stack:
      driver: operator
      health: npd
      metrics: {counters: standard}
      values: {keda: {logging: {operator: {level: debug}}}}
  - name: prod
    clusters: {matchLabels: {ring: prod}}
    stack: {discovery: gfd}
---
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {name: lab, labels: {ring: canary}}
spec: {region: swedencentral, kubernetesVersion: "1.34"}
---
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {name: prod-swc, labels: {ring: prod}}
spec: {region: swedencentral, kubernetesVersion: "1.34"}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: t4}
spec: {clusters: [lab, prod-swc], sku: Standard_NC16as_T4_v3, limits: {gpus: 4}}
"""


def test_each_cluster_keeps_the_settings_of_its_ring() -> None:
    before = inputs_of(FLEET)
    running = [built(before, cluster) for cluster in before.clusters]
    labelled = [
        each._replace(azure=each.azure._replace(labels={"ring": cluster.ring}))
        for each, cluster in zip(running, before.clusters, strict=True)
    ]
    made = import_fleet(Inventory(tuple(labelled)), ClusterOptions(), (), "fleet")
    after = made.checked.inputs
    assert after is not None
    assert [each.keeps_nodes for each in made.verdicts] == [True, True]
    for was, now in zip(before.clusters, after.clusters, strict=True):
        assert now.stack._replace(versions=was.stack.versions) == was.stack
        assert [layer.values for layer in now.values] == [layer.values for layer in was.values]
    labels = {
        document["metadata"]["name"]: document["metadata"].get("labels")
        for text in made.files.values()
        for document in yaml.load_all(text, yaml.CSafeLoader)
        if document["kind"] == "Cluster"
    }
    assert labels == {"lab": {"ring": "canary"}, "prod-swc": {"ring": "prod"}}
