"""The files of a spec: one for the fleet, one for each cluster, and one for each pool that clusters share."""

from collections.abc import Mapping, Sequence

from gitgpu.adopt.adoption import ClusterDocument, SpecDocument
from gitgpu.write.spec.names import CLUSTERS, FLEET
from gitgpu.write.spec.text import spec_text

_ORDER = ("Fleet", "Cluster", "GpuPool", "GpuWorkload", "GpuTeam")


def spec_files(documents: Sequence[ClusterDocument]) -> Mapping[str, str]:
    """The text of each file by its path below the directory of the fleet."""
    files: dict[str, list[SpecDocument]] = {}
    for cluster, document in documents:
        files.setdefault(_path(cluster, document), []).append(document)
    return {path: spec_text(sorted(files[path], key=_key)) for path in sorted(files)}


def _path(cluster: str, document: SpecDocument) -> str:
    if document.kind == "Fleet":
        return FLEET
    if cluster:
        return f"{CLUSTERS}/{cluster}.yaml"
    if document.kind == "GpuPool":
        return f"pools/{document.name}.yaml"
    return f"workloads/{document.namespace}.yaml"


def _key(document: SpecDocument) -> tuple[int, str, str]:
    return _ORDER.index(document.kind), document.namespace, document.name
