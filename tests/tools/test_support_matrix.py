"""The support page covers every environment and every feature."""

import re

import pytest

from tests.helping.cases import for_each
from tools.support_matrix import SYSTEMS, built, changes, findings, open_places, works

DEFAULTS = {"NVIDIA driver from AKS, with a device plugin", "GPU Operator, NVIDIA's or AMD's"}
CHECKED = {
    "CUDA version check against GPUs and drivers",
    "Quotas",
}  # they cause findings and change no file


def test_there_are_pools_of_every_kind() -> None:
    assert {place.provisioner for place in open_places()} == {"nap", "cluster-autoscaler"}
    assert {place.os for place in open_places()} == {"linux", "windows"}
    assert {place.maker for place in open_places()} == {"nvidia", "amd"}


@for_each("name", SYSTEMS)
def test_a_system_is_valid_on_some_pool_or_has_an_error(name: str) -> None:
    for place in open_places():
        assert works(name, place) or findings(name, place)
    assert "(retired)" in name or any(works(name, place) for place in open_places())


@pytest.mark.parametrize("name", sorted(SYSTEMS.keys() - DEFAULTS - CHECKED))
def test_keys_that_are_accepted_silently_have_an_effect(name: str) -> None:
    assert [place for place in open_places() if not (changes(name, place) or findings(name, place))] == []


@for_each("name", SYSTEMS)
def test_what_flux_applies_is_there(name: str) -> None:
    """A Flux Kustomization whose path does not exist never becomes Ready, and neither does what depends on it."""
    for place in open_places():
        files = built(name, place).files
        applied = [
            path for text in files.values() for path in re.findall(r"^  path: \./overlays/(.*)$", text, re.MULTILINE)
        ]
        assert [path for path in applied if f"{path}/kustomization.yaml" not in files] == [], place
        assert applied or not files, place
