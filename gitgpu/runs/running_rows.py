"""The catalogs of an import: with rows for versions that run and that the catalog lacks."""

from collections.abc import Mapping, Sequence

from gitgpu.adopt.stack.running_rows import running_rows
from gitgpu.inventory.observed import ObservedCluster
from gitgpu.load.catalog.folders import Folder, entries, with_texts
from gitgpu.model.catalog import catalog
from gitgpu.write.catalog.row_text import running_row_texts


def with_running_rows(
    catalogs: tuple[Folder, ...], clusters: Sequence[ObservedCluster]
) -> tuple[tuple[Folder, ...], Mapping[str, str]]:
    """The catalogs that exist, and the texts of new rows in the last one, which need not exist."""
    existing_folders = tuple(folder for folder in catalogs if entries(folder))
    rows = running_row_texts(running_rows(clusters, catalog(existing_folders))) if catalogs else {}
    if not rows:
        return existing_folders, {}
    return (*(other for other in existing_folders if other != catalogs[-1]), with_texts(catalogs[-1], rows)), rows
