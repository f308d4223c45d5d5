"""Faults in a selector of clusters: names or labels that no cluster has."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.diagnostic import Diagnostic, Problem
from gitgpu.load.explain.messages import value_text
from gitgpu.load.spec.shape import Document
from gitgpu.model.document_names import missing_name_remedy
from gitgpu.model.linking.clusters import Clusters
from gitgpu.model.linking.faults import fault
from gitgpu.source import Pointer


def selector_faults(document: Document, pointer: Pointer, wanted: Any, clusters: Clusters) -> Iterator[Diagnostic]:
    """The faults in the selector of a document at `at`."""
    if isinstance(wanted, list):
        for index, name in enumerate(wanted):
            if is_missing(name, clusters):
                yield fault("LNK004", document, (*pointer, index), missing_cluster(name, clusters))
    elif clusters.whole and not clusters.select(wanted):
        message = f"no Cluster has the labels {labels_text(wanted)}"
        remedy = "add these labels to a Cluster under metadata.labels, or list clusters by name"
        yield fault("LNK006", document, (*pointer, "matchLabels"), Problem(message, remedy))


def is_missing(name: str, clusters: Clusters) -> bool:
    """Whether no Cluster has the name. A Cluster whose name could not be read (here "") may have it."""
    return name not in clusters.names and "" not in clusters.names


def missing_cluster(name: str, clusters: Clusters) -> Problem:
    """The message that no Cluster has a name, and the remedy."""
    return Problem(f"no Cluster is named {value_text(name)}", missing_name_remedy(name, clusters.names, "Cluster"))


def labels_text(wanted: Mapping[str, Any]) -> str:
    """The labels of a selector, sorted, as messages write them."""
    return ", ".join(f"{key}={value}" for key, value in sorted(wanted["matchLabels"].items()))
