"""Releases whose CRDs are among the manifests."""

import copy
from dataclasses import replace
from typing import Any

import pytest
import yaml

from gitgpu.load.schemas import Schemas
from gitgpu.load.text import Text
from gitgpu.objects.found_definitions import defined_releases, newer_definitions
from gitgpu.objects.manifest.manifests import read_manifests
from gitgpu.objects.schema.contracts import Contracts
from gitgpu.rules.norms import norms
from gitgpu.runs.lint import lint
from tests.helping.cases import for_each
from tests.lint.test_lint import ASKED, CATALOG, POOL, codes, linted
from tools.contracts import KINDS, OF_RELEASES, crd, folders_of

CONTRACTS = Contracts(Schemas())
needs_releases = pytest.mark.skipif(not OF_RELEASES.is_dir(), reason="the CRDs of releases are not next to the project")


@needs_releases
@pytest.mark.parametrize("name", KINDS)
def test_the_release_of_a_crd_is_among_those_that_are_found(name: str) -> None:
    for number, folder in folders_of(name).items():
        for _, found in defined_releases([crd(name, folder)], CONTRACTS):
            assert number in found


@needs_releases
def test_several_crds_of_a_release_are_more_exact() -> None:
    scaled, job = (
        [(number, crd(name, folder)) for number, folder in folders_of(name).items()]
        for name in ("keda.sh_scaledobjects", "keda.sh_triggerauthentications")
    )
    assert defined_releases([dict(scaled)["2.20.2"]], CONTRACTS) == (("keda", ("2.20.2", "2.21.0")),)
    both = [dict(scaled)["2.21.0"], dict(job)["2.21.0"]]
    assert defined_releases(both, CONTRACTS) == (("keda", ("2.21.0",)),)
    assert defined_releases([dict(scaled)["2.14.1"], dict(job)["2.21.0"]], CONTRACTS) == ()


@needs_releases
def test_a_crd_that_no_known_release_has_says_nothing() -> None:
    pool = copy.deepcopy(crd("karpenter.sh_nodepools", OF_RELEASES / "karpenter-1.15.0"))
    spec = pool["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"]["properties"]
    spec["zebra"] = {"type": "string"}
    assert defined_releases([pool], CONTRACTS) == ()
    spec["zebra"] = 1  # not a schema
    assert defined_releases([pool, {}, {"spec": {"versions": [None, {}]}}], CONTRACTS) == ()


def newer_pools() -> dict[str, Any]:
    """A CRD of NodePools that no release of Karpenter has: with another field, and another version."""
    pool = copy.deepcopy(crd("karpenter.sh_nodepools", OF_RELEASES / "karpenter-1.15.0"))
    (first,) = pool["spec"]["versions"]
    first["schema"]["openAPIV3Schema"]["properties"]["spec"]["properties"]["zebra"] = {"type": "string"}
    pool["spec"]["versions"].append(first | {"name": "v2", "storage": False})
    return pool


@needs_releases
def test_a_crd_with_names_or_versions_that_no_release_has_is_newer() -> None:
    newer = newer_definitions([newer_pools()], CONTRACTS)
    assert sorted(newer) == [("karpenter.sh/v1", "NodePool"), ("karpenter.sh/v2", "NodePool")]
    known = crd("karpenter.sh_nodepools", OF_RELEASES / "karpenter-1.15.0")
    smaller = copy.deepcopy(known)
    del smaller["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"]["properties"]["weight"]
    assert newer_definitions([known, smaller, {}, {"spec": {"versions": [None]}}], CONTRACTS) == {}


def pool_with(key: str, version: str = "v1") -> str:
    """A NodePool with one more key in its spec."""
    return POOL.replace("spec:\n", f"spec:\n  {key}: black\n", 1).replace("/v1\n", f"/{version}\n", 1)


@needs_releases
@for_each(
    ("key", "version", "expected"),
    [
        ("zebra", "v1", []),
        ("zebra", "v2", []),
        ("zebrra", "v1", ["unknown key 'zebrra'; did you mean 'zebra'?"]),
        ("zebrra", "v2", ["unknown key 'zebrra'; did you mean 'zebra'?"]),
        ("zebra", "v3", ["must be 'karpenter.sh/v1'; found 'karpenter.sh/v3'", "unknown key 'zebra'"]),
    ],
)
def test_an_object_that_its_contract_refuses_is_checked_against_a_newer_crd_beside_it(
    key: str, version: str, expected: list[str]
) -> None:
    files = {"pool.yaml": pool_with(key, version), "crds/pools.yaml": yaml.safe_dump(newer_pools())}
    found = [finding.message for finding in linted(files).diagnostics if finding.code == "CNF001"]
    assert found == expected


@needs_releases
def test_of_several_crds_one_that_accepts_an_object_counts() -> None:
    other = copy.deepcopy(newer_pools())
    fields = other["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"]["properties"]
    fields["horse"] = fields.pop("zebra")
    crds = {"east/crd.yaml": yaml.safe_dump(newer_pools()), "west/crd.yaml": yaml.safe_dump(other)}
    for key in ("zebra", "horse"):
        assert "CNF001" not in codes({"pool.yaml": pool_with(key), **crds})
    assert "CNF001" in codes({"pool.yaml": pool_with("goat"), **crds})


@needs_releases
def test_a_cluster_that_runs_a_known_release_does_not_have_a_newer_crd() -> None:
    files = {"pool.yaml": pool_with("zebra"), "crd.yaml": yaml.safe_dump(newer_pools())}
    manifests = read_manifests([Text(name, content, name) for name, content in files.items()])
    for version, expected in (("1.14", True), ("1.99", False)):
        running = replace(norms(Schemas(), CATALOG), versions=(("karpenter", (version,)),))
        found = lint(manifests, (), running, ASKED).diagnostics
        assert any(finding.code == "CNF001" for finding in found) is expected
