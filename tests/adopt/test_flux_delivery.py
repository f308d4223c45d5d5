"""How Flux reads the repository and applies to a cluster stays as it is."""

from pathlib import Path
from typing import Any

import yaml

from gitgpu.adopt.adoption import Fate
from gitgpu.adopt.clusters import ClusterOptions
from gitgpu.cli.import_.inventory import read_clusters
from gitgpu.model.catalog import catalog
from gitgpu.runs.import_ import Imported, import_fleet
from tests.adopt.test_first_build import nodes

URL = "https://github.com/contoso/platform"


def source(**spec: Any) -> dict[str, Any]:
    """The GitRepository of `flux bootstrap`."""
    meta = {"name": "flux-system", "namespace": "flux-system"}
    given = {"interval": "1m", "url": URL, "ref": {"branch": "main"}, **spec}
    return {"apiVersion": "source.toolkit.fluxcd.io/v1", "kind": "GitRepository", "metadata": meta, "spec": given}


def kustomization(**spec: Any) -> dict[str, Any]:
    """The Kustomization that applies the pools."""
    meta = {"name": "gpu", "namespace": "flux-system"}
    reference = {"kind": "GitRepository", "name": "flux-system"}
    given = {"interval": "10m", "path": "./gpu", "prune": True, "sourceRef": reference, **spec}
    return {
        "apiVersion": "kustomize.toolkit.fluxcd.io/v1",
        "kind": "Kustomization",
        "metadata": meta,
        "spec": given,
    }


def imported(tmp_path: Path, *bodies: dict[str, Any]) -> Imported:
    """The import of a repository with these objects of Flux."""
    (tmp_path / "clusters/prod").mkdir(parents=True)
    (tmp_path / "gpu").mkdir()
    (tmp_path / "clusters/prod/flux.yaml").write_text(yaml.safe_dump_all(bodies), encoding="utf-8")
    (tmp_path / "gpu/pools.yaml").write_text(nodes(), encoding="utf-8")
    options = ClusterOptions("prod", "swedencentral", "1.34")
    read = read_clusters([str(tmp_path)], options, (), catalog(()))
    return import_fleet(read.inventory, options, (), "fleet")


def spec_of(made: Imported, kind: str) -> Any:
    """The spec of the first document of a kind."""
    return next(each.document.spec for each in made.adopted.documents if each.document.kind == kind)


def test_what_gives_access_carries_over(tmp_path: Path) -> None:
    access = {
        "provider": "azure",
        "proxySecretRef": {"name": "proxy"},
        "verify": {"mode": "HEAD", "secretRef": {"name": "k"}},
    }
    made = imported(
        tmp_path,
        source(secretRef={"name": "key"}, ref={"branch": "release"}, ignore="/*", **access),
        kustomization(serviceAccountName="deployer", decryption={"provider": "sops"}),
    )
    delivery = {"engine": "flux", "repository": URL, "revision": "release", "secret": "key"}
    assert spec_of(made, "Fleet")["delivery"] == delivery
    assert spec_of(made, "Cluster")["patches"] == [
        {"target": {"kind": "GitRepository"}, "patch": {"spec": access}},
        {"target": {"kind": "Kustomization"}, "patch": {"spec": {"serviceAccountName": "deployer"}}},
    ]
    reasons = {each.observed.body["kind"]: each.reason for each in made.adopted.outcomes if each.fate is Fate.LEFT}
    assert "without ignore" in reasons["GitRepository"]
    assert "without decryption" in reasons["Kustomization"]


def test_a_tag_stays(tmp_path: Path) -> None:
    made = imported(tmp_path, source(ref={"tag": "v1"}), kustomization())
    [patch] = spec_of(made, "Cluster")["patches"]
    assert patch["patch"] == {"spec": {"ref": {"branch": None, "tag": "v1"}}}


def test_without_settings_nothing_is_patched(tmp_path: Path) -> None:
    made = imported(tmp_path, source(provider="generic", timeout="60s"), kustomization())
    assert "patches" not in spec_of(made, "Cluster")


def test_kustomizations_that_differ_are_not_patched(tmp_path: Path) -> None:
    other = kustomization(path="./more", kubeConfig={"secretRef": {"name": "prod"}})
    other["metadata"] = {"name": "more", "namespace": "flux-system"}
    (tmp_path / "more").mkdir()
    (tmp_path / "more/pools.yaml").write_text(nodes().replace("name: a100", "name: more"), encoding="utf-8")
    made = imported(tmp_path, source(), kustomization(), other)
    assert all(
        "patches" not in each.document.spec for each in made.adopted.documents if each.document.kind == "Cluster"
    )
