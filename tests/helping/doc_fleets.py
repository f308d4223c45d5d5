"""Completes the documents of a page to a fleet: adds documents that they refer to and that the page omits."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import yaml

OURS = "gitgpu.dev/v1alpha1"
_KINDS = ("Cluster", "Fleet", "GpuPool", "GpuWorkload")
_SWEDEN = {"region": "swedencentral", "kubernetesVersion": "1.35"}
_A100 = {"sku": "Standard_NC24ads_A100_v4", "limits": {"gpus": 64}}
_FLUX = {"delivery": {"engine": "flux", "repository": "https://github.com/contoso/fleet"}}


def is_fleet(text: str) -> bool:
    """Whether every document of a block is part of a fleet spec."""
    documents = [document for document in yaml.load_all(text, yaml.CSafeLoader) if document]
    ours = (isinstance(each, dict) and each.get("apiVersion") == OURS and each["kind"] in _KINDS for each in documents)
    return bool(documents) and all(ours)


def completed(text: str) -> str:
    """The text of a block, followed by the fleet, clusters and pools that it refers to but does not define."""
    documents = [document for document in yaml.load_all(text, yaml.CSafeLoader) if document]
    added = [] if _names(documents, "Fleet") else [_document("Fleet", "contoso", _FLUX)]
    wanted = {
        name
        for document in documents
        if document["kind"] == "GpuWorkload"
        for name in document["spec"].get("pools", ())
    }
    pools = sorted(wanted - _names(documents, "GpuPool"))
    added += [_document("GpuPool", name, {"clusters": ["prod-swc"], **_A100}) for name in pools]
    chosen = list(_chosen([*documents, *added]))
    named = {name for part in chosen if isinstance(part, list) for name in part} - _names(documents, "Cluster")
    added += [_document("Cluster", name, _SWEDEN) for name in sorted(named)]
    labelled = [part["matchLabels"] for part in chosen if isinstance(part, dict)]
    for number, labels in enumerate(labelled):
        added.append(_document("Cluster", f"labelled-{number}", _SWEDEN))
        added[-1]["metadata"]["labels"] = labels
    return text.rstrip("\n") + "\n" + "".join(f"---\n{yaml.safe_dump(document)}" for document in added)


def _names(documents: Iterable[Mapping[str, Any]], kind: str) -> set[str]:
    return {document["metadata"]["name"] for document in documents if document["kind"] == kind}


def _chosen(documents: Iterable[Mapping[str, Any]]) -> Iterator[Any]:
    """The selections of clusters: lists of names, and mappings with matchLabels."""
    for document in documents:
        spec = document["spec"]
        yield from (part["clusters"] for part in (spec, *spec.get("overrides", ())) if "clusters" in part)


def _document(kind: str, name: str, spec: Mapping[str, Any]) -> dict[str, Any]:
    return {"apiVersion": OURS, "kind": kind, "metadata": {"name": name}, "spec": dict(spec)}
