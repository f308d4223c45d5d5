"""What is wrong with a selector of clusters: names that no cluster has, and labels that none has."""

from collections.abc import Iterator
from typing import Any

from gitgpu.diagnostic import Diagnostic
from gitgpu.load.explain.messages import value_text
from gitgpu.load.spec.shape import Document
from gitgpu.model.linking.clusters import Clusters
from gitgpu.model.linking.faults import fault
from gitgpu.model.names import near
from gitgpu.source import Pointer


def selector_faults(document: Document, at: Pointer, wanted: Any, clusters: Clusters) -> Iterator[Diagnostic]:
    """The faults of the selector that a document holds at `at`."""
    if isinstance(wanted, list):
        for index, name in enumerate(wanted):
            if name not in clusters.names and "" not in clusters.names:
                missing = f"no Cluster is named {value_text(name)}", near(name, clusters.names, "Cluster")
                yield fault("LNK004", document, (*at, index), missing)
    elif clusters.whole and not clusters.selected(wanted):
        labels = ", ".join(f"{key}={value}" for key, value in sorted(wanted["matchLabels"].items()))
        remedy = "give a Cluster these labels under metadata.labels, or name the clusters"
        yield fault("LNK006", document, (*at, "matchLabels"), (f"no Cluster has the labels {labels}", remedy))
