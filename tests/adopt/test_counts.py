"""How far an import is: files that are read, then clusters that are imported and compared."""

import json
from pathlib import Path

from gitgpu.adopt.clusters import ClusterOptions
from gitgpu.cli.import_.inventory import read_clusters
from gitgpu.model.catalog import catalog
from gitgpu.runs.import_ import import_fleet
from tests.adopt.test_legal_upstream import az_pool


def test_files_and_clusters_are_counted(tmp_path: Path) -> None:
    for name in ("east", "west"):
        pool = az_pool()
        pool["id"] = pool["id"].replace("managedClusters/prod", f"managedClusters/{name}")
        (tmp_path / f"{name}.json").write_text(json.dumps(pool), encoding="utf-8")
    seen: dict[str, list[tuple[int, int]]] = {"read": [], "import": [], "compare": []}
    options = ClusterOptions(
        region="swedencentral",
        on_read=lambda *count: seen["read"].append(count),
        on_import=lambda *count: seen["import"].append(count),
        on_compare=lambda *count: seen["compare"].append(count),
    )
    read = read_clusters([str(tmp_path)], options, (), catalog(()))
    import_fleet(read.inventory, options, (), "fleet")
    every = [(0, 2), (1, 2), (2, 2)]
    assert seen["read"][:3] == every
    assert (seen["import"], seen["compare"]) == (every, every)
