"""Inventories from plain manifests, for tests of adoption."""

from collections.abc import Mapping
from pathlib import Path

from gitgpu.inventory.observed import Azure, Inventory, Observed, ObservedCluster
from gitgpu.load.text import Text
from gitgpu.objects.manifest.manifest_file import manifest_file

NOTHING = Azure(region="swedencentral", kubernetes="1.36")


def observed(text: str, file: str = "pools.yaml") -> list[Observed]:
    """The objects of a text."""
    observations = []
    for loaded in manifest_file(Text(file, text, file)).objects:
        body = {key: value for key, value in loaded.body.items() if key != "status"}
        observations.append(Observed(body, loaded.places, f"{body['kind']}/{body['metadata']['name']}", "kubernetes"))
    return observations


def inventory(texts: Mapping[str, str], azure: Azure = NOTHING) -> Inventory:
    """Clusters by name, each with the objects of a text."""
    clusters = (ObservedCluster(name, azure, tuple(observed(text))) for name, text in sorted(texts.items()))
    return Inventory(tuple(clusters))


def of_overlays(root: Path, azure: Mapping[str, Azure]) -> Inventory:
    """The clusters in the output of a build."""
    clusters = []
    for folder in sorted(path for path in root.iterdir() if path.is_dir()):
        files = sorted(path for path in folder.rglob("*.yaml") if path.name != "kustomization.yaml")
        objects = [
            each
            for path in files
            if not {"verify", "workloads"} & set(path.relative_to(folder).parts)
            for each in observed(path.read_text(encoding="utf-8"), str(path.relative_to(root)))
        ]
        clusters.append(ObservedCluster(folder.name, azure.get(folder.name, NOTHING), tuple(objects)))
    return Inventory(tuple(clusters))
