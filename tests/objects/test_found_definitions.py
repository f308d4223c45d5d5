"""Releases whose CRDs are among the manifests."""

import copy

import pytest

from gitgpu.load.schemas import Schemas
from gitgpu.objects.found_definitions import defined_releases
from gitgpu.objects.schema.contract import Contracts
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
