"""The complete text of each file that is written for a set of manifests."""

from collections.abc import Iterable, Mapping

from gitgpu.emit.manifest import Manifest
from gitgpu.write import layout
from gitgpu.write.cluster_record import ClusterRecord


def lay_out(manifests: Iterable[Manifest], records: Mapping[str, ClusterRecord] | None = None) -> dict[str, str]:
    """Like `layout.lay_out`, with complete texts."""
    return {path: parts.text(path) for path, parts in layout.lay_out(manifests, records or {}).items()}
