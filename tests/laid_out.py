"""The complete text of each file that a set of manifests is written to."""

from collections.abc import Iterable, Mapping

from gitgpu.emit.manifest import Manifest
from gitgpu.write import layout
from gitgpu.write.cluster_record import ClusterRecord


def lay_out(manifests: Iterable[Manifest], records: Mapping[str, ClusterRecord] | None = None) -> dict[str, str]:
    """As `layout.lay_out`, with whole texts."""
    return {path: parts.text(path) for path, parts in layout.lay_out(manifests, records or {}).items()}
