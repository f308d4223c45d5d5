"""Several clusters in one directory: each gets its own pools and workloads."""

from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from gitgpu.cli.input.texts import by_name, read_searched
from gitgpu.objects.manifest.manifests import Manifests, read_manifests
from gitgpu.runs.simulate import Assumptions, of_manifests
from tests.simulate.worlds import A100, CLASS, T4, Body, catalog, deployment, pool

Placed = Callable[[tuple[str, ...], tuple[str, ...]], dict[str, dict[str, tuple[str, ...]]]]


def synced(**paths: str) -> list[Body]:
    """Flux Kustomizations with these names and paths."""
    source = {"kind": "GitRepository", "name": "flux-system"}
    return [
        {
            "apiVersion": "kustomize.toolkit.fluxcd.io/v1",
            "kind": "Kustomization",
            "metadata": {"name": name, "namespace": "flux-system"},
            "spec": {"interval": "10m", "path": f"./{path}", "prune": True, "sourceRef": source},
        }
        for name, path in paths.items()
    ]


def listing(*files: str) -> Body:
    """A kustomization with these files."""
    return {"apiVersion": "kustomize.config.k8s.io/v1beta1", "kind": "Kustomization", "resources": list(files)}


FILES: dict[str, list[Body]] = {
    "clusters/a/k.yaml": synced(nodes="a", apps="app"),
    "clusters/b/k.yaml": synced(nodes="b"),
    "a/kustomization.yaml": [listing("pool.yaml")],
    "a/pool.yaml": [CLASS, pool("large", A100)],
    "b/kustomization.yaml": [listing("pool.yaml")],
    "b/pool.yaml": [CLASS, pool("small", T4)],
    "app/d.yaml": [deployment("of-a", requests={"memory": "120Gi"})],
}
TREE = ("clusters", "a", "b", "app")
EXTRA = {"extra/extra.yaml": [pool("extra", A100), deployment("w", requests={"memory": "120Gi"})]}
LOOSE = {"loose/d.yaml": [deployment("everywhere")]}


@pytest.fixture(name="placed")
def _placed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Placed:
    """The pools of each workload on each cluster, for --pools and --workloads."""
    for name, bodies in {**FILES, **LOOSE, **EXTRA}.items():
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(yaml.safe_dump_all(bodies))
    monkeypatch.chdir(tmp_path)

    def placed(pools: tuple[str, ...], workloads: tuple[str, ...]) -> dict[str, dict[str, tuple[str, ...]]]:
        assumptions = Assumptions({}, {}, "eastus", "1.36")
        forecasts = of_manifests(_read(pools), _read(workloads), catalog(), assumptions)
        return {found.cluster: {verdict.name: verdict.pools for verdict in found.verdicts} for found in forecasts}

    return placed


def _read(paths: tuple[str, ...]) -> Manifests:
    texts, _ = read_searched(paths)
    return read_manifests(texts, by_name(texts, paths))


def test_pools_of_one_cluster_do_not_reach_another(placed: Placed) -> None:
    assert placed(TREE, TREE) == {"a": {"of-a": ("large",)}, "b": {}}
    assert placed(TREE, (*TREE, "loose")) == {
        "a": {"everywhere": ("large",), "of-a": ("large",)},
        "b": {"everywhere": ("small",)},
    }
    assert placed(TREE, ("loose",))["b"] == {"everywhere": ("small",)}


def test_a_part_of_the_clusters_is_as_in_the_whole(placed: Placed) -> None:
    assert placed(("b",), TREE) == {"b": {}}
    assert placed(TREE, ("a",))["b"] == {}


def test_pools_of_no_cluster_are_added_to_each(placed: Placed) -> None:
    assert placed(TREE, ("extra",))["b"] == {"w": ("extra",)}
