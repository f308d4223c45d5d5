"""A fleet that consists mainly of NodePools, for comparison with other programs."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from bench import fleet

EACH = 10  # NodePools per cluster
FLEET = fleet.FLEET.replace("stack: {", "stack: {driver: none, keda: none, ")
POOL = """\
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: %s-%d}
spec:
  clusters: {matchLabels: {tier: %s}}
  sku: %s
  weight: %d
  limits: {gpus: 8}
"""


def start(folder: Path, clusters: int) -> Path:
    """Creates a folder with a fleet of that many clusters."""
    weights = range(1, EACH + 1)
    pools = [POOL % (tier, weight, tier, size, weight) for tier, size in fleet.SIZES.items() for weight in weights]
    return fleet.save(folder, [FLEET, *fleet.cluster_documents(clusters), *pools])


def bodies(texts: Mapping[str, str]) -> dict[str, list[dict[str, Any]]]:
    """The NodePools of each cluster, from the texts of its files by path."""
    by_cluster: dict[str, list[dict[str, Any]]] = {}
    for path, text in texts.items():
        cluster, _, name = path.partition("/")
        if name.startswith("nodes/nodepool-"):
            by_cluster.setdefault(cluster, []).append(yaml.load(text, yaml.CSafeLoader))
    return by_cluster
