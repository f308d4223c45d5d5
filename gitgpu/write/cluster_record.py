"""The record of a cluster in comments of its kustomization.yaml: the Kubernetes version and the pools.

Each has its own line, so that Git can merge them. After a merge with conflicts, the lines of both sides count.
"""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from gitgpu.load.generated import BY
from gitgpu.model.syntax.version import version

_KUBERNETES = re.compile(r"^# Kubernetes ([0-9]{1,9}(?:\.[0-9]{1,9}){0,3})$", re.MULTILINE)
_POOL = re.compile(r"^# Pool ([^\s:]+): (\S+=[^\s,]+)(, retires)?$", re.MULTILINE)


class RecordedPool(NamedTuple):
    """The labels of a pool's nodes, as key=value (more than one after a merge conflict), and whether it retires."""

    nodes: tuple[str, ...]
    retires: bool


class ClusterRecord(NamedTuple):
    """The Kubernetes version that overlays were built for ("" if it is not recorded), and their pools by name."""

    kubernetes: str
    pools: Mapping[str, RecordedPool]


def record_lines(record: ClusterRecord) -> Iterator[str]:
    """The lines of a record, without comment signs, with pools in order of name."""
    yield f"Kubernetes {record.kubernetes}"
    for name, pool in sorted(record.pools.items()):
        for label in pool.nodes:
            yield f"Pool {name}: {label}{', retires' if pool.retires else ''}"


def read_record(index: str) -> ClusterRecord | None:
    """The record in the text of a kustomization.yaml, or None.

    After a merge, the newer Kubernetes version counts, and a pool retires if it retires on either side.
    """
    versions = _KUBERNETES.findall(index)
    if BY not in index or not versions:
        return None
    pools: dict[str, RecordedPool] = {}
    for name, label, retires in _POOL.findall(index):
        before = pools.get(name, RecordedPool((), retires=False))
        labels = tuple(dict.fromkeys((*before.nodes, label)))
        pools[name] = RecordedPool(labels, before.retires or bool(retires))
    return ClusterRecord(max(versions, key=version), pools)


def pools_without(old: ClusterRecord, new: ClusterRecord | None) -> Iterator[tuple[str, RecordedPool]]:
    """Name and state of each pool that is removed from a cluster without having been retired.

    A pool whose nodes get another label counts as removed, because the existing nodes keep the old label.
    """
    remaining: Mapping[str, RecordedPool] = new.pools if new else {}
    for name, pool in sorted(old.pools.items()):
        labels = remaining[name].nodes if name in remaining else ()
        if not pool.retires and not set(labels).intersection(pool.nodes):
            yield name, pool
