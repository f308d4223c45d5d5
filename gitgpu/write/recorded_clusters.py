"""What overlays record about their clusters: Kubernetes versions and pools."""

import os
from collections.abc import Iterable, Mapping

from gitgpu.load.generated import HEAD, INDEX, MARK, claimed_paths
from gitgpu.load.read import listing, read_bytes
from gitgpu.load.text import Text
from gitgpu.write.cluster_record import ClusterRecord, read_record


def recorded_clusters(root: str) -> dict[str, ClusterRecord]:
    """The record of each cluster with a folder in the output directory."""
    records: dict[str, ClusterRecord] = {}
    for name in listing(root):
        record = _index_record(f"{root}/{name}")
        records |= {name: record} if record else {}
    return records


def recorded_versions(records: Mapping[str, ClusterRecord]) -> dict[str, str]:
    """The Kubernetes versions by cluster, as far as they are recorded."""
    return {name: record.kubernetes for name, record in records.items() if record.kubernetes}


def versions_of_files(texts: Iterable[Text]) -> frozenset[tuple[str, str]]:
    """Each file that a build wrote, with the Kubernetes version of its cluster."""
    records: dict[str, ClusterRecord | None] = {}
    versions = set()
    for text in texts:
        if MARK not in text.content:  # as in most files; the checks below take much longer
            continue
        whole = os.path.abspath(text.name).replace(os.sep, "/")
        for path in claimed_paths(text.content[:HEAD].encode()):
            if whole.endswith(f"/{path}"):
                folder = f"{whole.removesuffix(path)}{path.partition('/')[0]}"
                if folder not in records:
                    records[folder] = _index_record(folder)
                record = records[folder]
                versions |= {(text.name, record.kubernetes)} if record else set()
    return frozenset(versions)


def _index_record(folder: str) -> ClusterRecord | None:
    return read_record(read_bytes(f"{folder}/{INDEX}").decode("utf-8", "replace"))
