"""Fleets of any size: every cluster has a pool by label, a device plugin, delivery and a workload patch."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from bench.measure import Cost, gitgpu

REGIONS = ("swedencentral", "westeurope", "eastus", "southcentralus")
VERSIONS = ("1.34", "1.35", "1.36")
SIZES = {"small": "Standard_NC4as_T4_v3", "medium": "Standard_NC24ads_A100_v4", "large": "Standard_NC40ads_H100_v5"}
OBJECTS = 12  # per cluster: 6 for the device plugin, 3 for Flux, a NodePool and its class, a patch
OUT = "overlays"

FLEET = """\
apiVersion: gitgpu.dev/v1alpha1
kind: Fleet
metadata: {name: bench}
spec:
  delivery: {engine: flux, repository: https://example.com/fleet}
  defaults:
    stack: {metrics: {exporter: false}}
"""
CLUSTER = """\
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata:
  name: c%05d
  labels: {tier: %s}
spec:
  region: %s
  kubernetesVersion: "%s"
"""
POOL = """\
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: %s}
spec:
  clusters: {matchLabels: {tier: %s}}
  sku: %s
  limits: {gpus: 8}
"""
WORKLOAD = """\
apiVersion: gitgpu.dev/v1alpha1
kind: GpuWorkload
metadata: {name: ranker, namespace: serving}
spec:
  pools: [small, medium, large]
  target: {kind: Deployment, name: ranker}
"""


def cluster_name(number: int) -> str:
    """The name of a cluster, counted from 0."""
    return f"c{number:05}"


def start(folder: Path, clusters: int) -> Path:
    """Creates a folder with a fleet of that many clusters."""
    pools = [POOL % (name, name, size) for name, size in SIZES.items()]
    return save(folder, [FLEET, *cluster_documents(clusters), *pools, WORKLOAD])


def save(folder: Path, documents: Iterable[str]) -> Path:
    """Creates a folder with a fleet of these documents."""
    folder.mkdir(parents=True)
    (folder / "fleet.yaml").write_text("---\n".join(documents), encoding="utf-8")
    return folder


def cluster_documents(clusters: int) -> Iterator[str]:
    """Clusters of every tier, over several regions and Kubernetes versions."""
    tiers = tuple(SIZES)
    for number in range(clusters):
        tier, version = tiers[number % len(tiers)], VERSIONS[number // 2 % len(VERSIONS)]
        yield CLUSTER % (number, tier, REGIONS[number % len(REGIONS)], version)


def fresh(folder: Path) -> Callable[[int], Cost]:
    """A subject that builds the fleet in a folder, into a new directory every turn."""
    return lambda turn: gitgpu("build", "--out", f"built{turn}", folder=folder)


def built(folder: Path) -> dict[str, str]:
    """Builds the fleet in a folder and returns the texts of the YAML files by path."""
    gitgpu("build", "--out", OUT, folder=folder)
    return {
        path.relative_to(folder / OUT).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted((folder / OUT).rglob("*.yaml"))
    }


def is_object(path: str) -> bool:
    """Whether the file holds an object and is not a kustomization."""
    return not path.endswith("/kustomization.yaml")


def create(root: Path, texts: Mapping[str, str]) -> None:
    """Only creates the files: each is written to a temporary file and renamed."""
    for folder in sorted({os.path.dirname(path) for path in texts}):
        os.makedirs(root / folder, exist_ok=True)
    for path, text in texts.items():
        place = f"{root}/{path}"
        temporary = f"{os.path.dirname(place)}/.new"
        with open(temporary, "xb") as file:
            file.write(text.encode())
        os.replace(temporary, place)
