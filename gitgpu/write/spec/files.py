"""The files of a spec: one for each document, and a folder for each cluster."""

from collections.abc import Mapping, Sequence

from gitgpu.adopt.adoption import ClusterDocument, SpecDocument
from gitgpu.write.spec.names import CLUSTERS, FLEET
from gitgpu.write.spec.text import spec_text


def spec_files(documents: Sequence[ClusterDocument]) -> Mapping[str, str]:
    """The text of each file by its path below the directory of the fleet."""
    files: dict[str, list[SpecDocument]] = {}
    for cluster, document in documents:
        files.setdefault(_path(cluster, document), []).append(document)
    return {path: spec_text(files[path]) for path in sorted(files)}


def _path(cluster: str, document: SpecDocument) -> str:
    """The path of a document. Workloads are in a folder for their namespace, which a team may own."""
    folder = f"{CLUSTERS}/{cluster}"
    match document.kind:
        case "Fleet":
            return FLEET
        case "Cluster":
            return f"{folder}/cluster.yaml"
        case "GpuPool":
            return f"{folder}/pools/{document.name}.yaml"
        case "GpuTeam":
            return f"{folder}/teams/{document.name}.yaml"
        case _:
            return f"{folder}/workloads/{document.namespace}/{document.name}.yaml"
