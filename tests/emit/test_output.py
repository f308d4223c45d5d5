"""The layout of the output: every object has its own file, and every folder an exact index."""

from pathlib import PurePosixPath
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from gitgpu.diagnostic import Severity
from gitgpu.emit.manifest import Role
from gitgpu.load.schemas import Schemas
from gitgpu.rules.norms import own_norms
from gitgpu.rules.object_findings import object_findings
from tests.emit.fleets import CATALOG, Body, cluster, emitted, fleet, pool, pools, workload
from tests.helping.laid_out import lay_out
from tests.rules.objects.samples import KUBERNETES, somewhere

INDEX = "kustomization.yaml"
OWN = own_norms(Schemas(), CATALOG)
NAMES = st.sampled_from(("a", "b", "a-b", "b-a", "a-a-b"))


def scaled(namespace: str, name: str) -> Body:
    """A workload that scales, so that it has its own objects. Each has another target."""
    target = {"kind": "Deployment", "name": f"of-{namespace}-{name}"}
    body = workload(name, ["pool-0"], target=target, scaling={"target": 70, "max": 2})
    body["metadata"]["namespace"] = namespace
    return body


@given(st.lists(st.tuples(NAMES, NAMES), unique=True, max_size=5), st.sampled_from(("flux", "argocd")))
def test_every_object_has_a_file(names: list[tuple[str, str]], engine: str) -> None:
    """Even if joined names are equal: `a` in `b-a` and `a-a` in `b` are two objects."""
    workloads = [scaled(*name) for name in names]
    manifests = emitted(fleet(delivery={"engine": engine}), cluster(), pool("pool-0"), *workloads).manifests
    files = lay_out(manifests)
    bodies = [yaml.load(text, yaml.CSafeLoader) for path, text in files.items() if PurePosixPath(path).name != INDEX]
    assert len(bodies) == len(manifests)
    assert all(manifest.body in bodies for manifest in manifests)


@given(pools())
def test_pools_of_all_owners_share_a_cluster(gpu_pools: list[Body]) -> None:
    manifests = emitted(fleet(), cluster(), *gpu_pools).manifests
    written = somewhere(*(dict(manifest.body) for manifest in manifests if manifest.role is not Role.PATCH))
    faults = object_findings(written, KUBERNETES, OWN)
    assert [fault for fault in faults if fault.severity is Severity.ERROR] == []


@given(pools(), st.sampled_from(("flux", "argocd")))
def test_a_folder_lists_what_is_in_it(gpu_pools: list[Body], engine: str) -> None:
    ranker = workload("ranker", [gpu_pools[0]["metadata"]["name"]])
    files = lay_out(emitted(fleet(delivery={"engine": engine}), cluster(), *gpu_pools, ranker).manifests)
    indexes = {
        PurePosixPath(path).parent: yaml.load(text, yaml.CSafeLoader)
        for path, text in files.items()
        if path.endswith(INDEX)
    }
    assert {PurePosixPath(path).parent for path in files} == set(indexes)
    for folder, index in indexes.items():
        inside = {path.name for path in map(PurePosixPath, files) if path.parent == folder and path.name != INDEX}
        below = {
            path.name for path, nested in indexes.items() if path.parent == folder and nested["kind"] != "Component"
        }
        assert listed(index) == inside | below


def listed(index: dict[str, Any]) -> set[str]:
    """The entries of a kustomization.yaml. Fails for a duplicate entry, as Kustomize does."""
    names = [*index.get("resources", ()), *(patch["path"] for patch in index.get("patches", ()))]
    assert len(set(names)) == len(names)
    return set(names)


@pytest.mark.parametrize("engine", ["flux", "argocd"])
def test_only_patches_are_components(engine: str) -> None:
    ranker = workload("ranker", ["t4"])
    manifests = emitted(fleet(delivery={"engine": engine}), cluster(), pool("t4"), ranker).manifests
    files = lay_out(manifests)
    components = {path for path, text in files.items() if path.endswith(INDEX) and "kind: Component" in text}
    patched = {f"one/{m.layer}/{m.folder}/{INDEX}" for m in manifests if m.role is Role.PATCH}
    assert components == patched
