"""What running nodes lose by a build: their pool, or the software that makes their GPUs usable."""

from collections.abc import Mapping, Sequence

from gitgpu.diagnostic import Diagnostic
from gitgpu.runs.losses.changed_types import changed_types
from gitgpu.runs.losses.lost_software import lost_software
from gitgpu.runs.losses.moved_discovery import moved_discovery
from gitgpu.runs.losses.removed_pools import removed_pools
from gitgpu.write.cluster_record import ClusterRecord
from gitgpu.write.file_texts import Texts
from gitgpu.write.recorded_clusters import recorded_clusters
from gitgpu.write.scope import Scope


def losses(
    out: str, texts: Texts, records: Mapping[str, ClusterRecord], scope: Scope, allowed: Sequence[str]
) -> tuple[Diagnostic, ...]:
    """The faults of writing these texts, with these records, over the overlays in `out`.

    Globs in `allowed` are the pools that may lose something.
    """
    old = recorded_clusters(out)
    return (
        *removed_pools(out, old, records, scope, allowed),
        *lost_software(out, texts, old, records, allowed),
        *moved_discovery(out, texts, old, records, allowed),
        *changed_types(out, texts, old, records),
    )
