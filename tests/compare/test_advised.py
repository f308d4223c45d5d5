"""A plan names the advisories that a change brings to a cluster, and those that it ends."""

import pytest

from gitgpu.compare import Both, Context, compare_clusters
from gitgpu.load.catalog.folders import Folder
from gitgpu.load.schemas import Schemas
from gitgpu.model.catalog import catalog
from gitgpu.objects.schema.contracts import Contracts
from tests.adopt.test_running_versions import spec_of
from tests.compare.test_software_versions import files

ROW = """\
name: ADV900
title: "Our release stops"
severity: warning
match: MATCH
from: null
until: null
effect: "it stops"
remedy: "use another version"
source: [https://wiki.example.com/1]
verified: "2026-11-30"
"""
OPERATOR = '{chart: [gpu-operator], version: "<26.0.0"}'
PLUGIN = '{image: [nvidia/k8s-device-plugin], version: "<0.19.0"}'
COMES = "ADV900 applies now: it stops; use another version"
GOES = "ADV900 no longer applies: Our release stops"


def effects(before: str, after: str, wanted: str) -> list[tuple[str, str]]:
    """The effects about this advisory."""
    folder = Folder("mine", "mine", {"advisories/ADV900.yaml": ROW.replace("MATCH", wanted)})
    context = Context(catalog((folder,)), Contracts(Schemas()))
    both = Both(files(before) if before else {}, files(after) if after else {}, "", {"prod": "swedencentral"})
    changes, faults = compare_clusters(both, context)
    assert faults == []
    return [
        (effect.object.partition("/")[0], effect.text)
        for cluster in changes
        for effect in cluster.effects
        if "ADV900" in effect.text
    ]


@pytest.mark.parametrize("engine", ["flux", "argocd"])
def test_a_chart(engine: str) -> None:
    old, new = (spec_of("sriov", pins, engine=engine) for pins in ("{gpu-operator: v25.10.1}", "{}"))
    kind = {"flux": "HelmRelease", "argocd": "Application"}[engine]
    assert effects(old, new, OPERATOR) == [(kind, GOES)]
    assert effects(new, old, OPERATOR) == [(kind, COMES)]
    assert effects(old, old, OPERATOR) == effects(new, new, OPERATOR) == []


def test_an_image() -> None:
    old, new = (spec_of("aks", pins) for pins in ("{nvidia-device-plugin: v0.18.2}", "{}"))
    assert set(effects(old, new, PLUGIN)) == {("DaemonSet", GOES)}
    assert set(effects(new, old, PLUGIN)) == {("DaemonSet", COMES)}


def test_software_that_is_added_is_named_and_removed_software_is_not() -> None:
    old = spec_of("sriov", "{gpu-operator: v25.10.1}")
    assert effects("", old, OPERATOR) == [("HelmRelease", COMES)]
    assert effects(old, "", OPERATOR) == []
