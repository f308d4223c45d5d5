"""Findings that are the same on several clusters."""

from collections.abc import Iterable, Iterator

from gitgpu.model.fleet import Cluster
from gitgpu.rules.fleet_rule import Finding
from gitgpu.spelling import join_names


def merge_clusters(found: Iterable[tuple[Cluster, Finding]]) -> Iterator[Finding]:
    """Each finding once, with the clusters where it is found at the end of its message."""
    names: dict[tuple[object, ...], list[str]] = {}
    first: dict[tuple[object, ...], Finding] = {}
    for cluster, finding in found:
        key = (*finding.origin.place(finding.pointer), finding.message, finding.help)
        first.setdefault(key, finding)
        names.setdefault(key, []).append(cluster.name)
    for same, finding in first.items():
        yield finding._replace(message=f"{finding.message} on {join_names(names[same])}")
