"""Six clusters of a repository are imported one by one, in any order, and all at once: the result is the same."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.journeys.monorepo import AZURE, SITES, argo, exports, flux
from tests.journeys.repository import repository

NAMES = [site.name for site in SITES]
ORDERS = (NAMES[::-1], [*NAMES[3:], *NAMES[:3]])
OPTIONS = ("--repository", "https://github.com/contoso/platform", "--region", "swedencentral", "--kubernetes", "1.35")
NOTE = b"# The fleet of the platform team.\n"
ROW = "fleet/catalog/releases/nvidia-device-plugin-v0.17.1.yaml"
SHARED = {"fleet/fleet.yaml", ROW, ".gitgpu.yaml"}  # the first cluster adds them
# How each repository is written, and what is passed for one cluster of it: what Flux and Argo CD apply is read too.
LAYOUTS: dict[str, tuple[Callable[[Path], None], str]] = {
    "exports": (exports, "clusters"),
    "flux": (flux, "clusters"),
    "argo": (argo, "bootstrap"),
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_one_by_one_and_all_at_once(layout: str, tmp_path: Path) -> None:
    write, folder = LAYOUTS[layout]
    repo = repository(tmp_path / "repo")
    write(repo.root)
    repo.commit()
    assert repo.gitgpu("import", ".", *OPTIONS, "--out", "../all/fleet") == 0
    expected = repo.files("../all")
    assert {path.split("/")[2] for path in expected if path.startswith("fleet/clusters/")} == set(NAMES)
    assert "fleet/clusters/stage-swc/pools/reserved.yaml" in expected  # an AKS node pool, next to NodePools
    assert ROW in expected  # every cluster runs this version, which the catalog lacks
    if layout != "exports":  # the case of an ID in Azure that the operator does not change
        assert AZURE.encode() in expected["fleet/clusters/stage-swc/cluster.yaml"]
    for number, order in enumerate(ORDERS):
        seen: dict[str, bytes] = {}
        for name in order:
            assert repo.gitgpu("import", f"{folder}/{name}", *OPTIONS, "--out", f"../{number}/fleet") == 0
            written = repo.files(f"../{number}")
            new = written.keys() - seen.keys()
            assert {path: written[path] for path in seen} == seen
            assert all(path.startswith(f"fleet/clusters/{name}/") for path in new - SHARED)
            seen = written
            if name == order[0]:
                fleet = tmp_path / f"{number}/fleet/fleet.yaml"  # what a person adds stays
                fleet.write_bytes(NOTE + fleet.read_bytes())
                seen |= {"fleet/fleet.yaml": fleet.read_bytes()}
        assert seen == expected | {"fleet/fleet.yaml": NOTE + expected["fleet/fleet.yaml"]}


def test_the_fleet_builds_and_matches_what_runs(tmp_path: Path) -> None:
    repo = repository(tmp_path / "repo")
    exports(repo.root)
    repo.commit()
    assert repo.gitgpu("import", "clusters", *OPTIONS) == 0
    assert repo.gitgpu("build", "fleet") == 0
    assert {path.split("/")[0] for path in repo.files()} >= set(NAMES)
    # Pools and workloads of the same name stay on the clusters that have them.
    patched = sorted(
        path.rpartition("/workloads/")[0] for path in repo.files() if "search.ranker/kustomization" in path
    )
    assert patched == ["prod-eus", "prod-swc", "prod-weu"]
    assert repo.gitgpu("import", "clusters", *OPTIONS, "--check", "--out", "fleet") == 0
    for name in NAMES:
        assert repo.gitgpu("import", f"clusters/{name}", *OPTIONS, "--check", "--out", "fleet") == 0
