"""The note about outdated facts: which kinds it names, with the oldest date of each."""

import json
from typing import Any

import pytest

from gitgpu.load.catalog.folders import Folder
from gitgpu.load.catalog.rows import CatalogFiles
from gitgpu.model.catalog import Catalog
from gitgpu.model.link import link
from gitgpu.rules.inputs.catalog_notes import old_facts
from tests.rules.fleet.examples import example_documents

T4, A100 = "Standard_NC16as_T4_v3", "Standard_NC24ads_A100_v4"
TODAY, RECENT, OLD, OLDER = "2027-06-01", "2027-05-01", "2027-01-15", "2027-01-05"
SOUTH = """
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {name: prod-swc}
spec: {region: swedencentral, kubernetesVersion: "1.36"}
---
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {name: prod-sws}
spec: {region: swedensouth, kubernetesVersion: "1.36"}
"""


def row(region: str = "swedencentral", **parts: str) -> dict[str, str]:
    """A catalog file with what Azure lists for a region, each part with its date."""
    contents: dict[str, dict[str, Any]] = {
        "sizes": {"listed": {T4: {"zones": [], "restricted": None}}},
        "kubernetes": {
            "versions": {"1.36": {"patches": ["1.36.0"], "preview": False, "support": ["KubernetesOfficial"]}}
        },
        "quota": {"limits": {"cores": 100}},
    }
    body: dict[str, Any] = {part: {"date": day, **contents[part]} for part, day in parts.items()}
    body |= {"name": region, "source": ["https://example.com/list"], "verified": RECENT}
    return {f"availability/{region}.yaml": json.dumps(body)}


def noted(files: dict[str, str], text: str = SOUTH, today: str = TODAY) -> tuple[set[str], str]:
    """The facts that the note names, and its remedy."""
    catalog = CatalogFiles([Folder("mine", "mine", files)])
    inputs, faults = link(example_documents(text), Catalog(catalog), today)
    assert inputs is not None, faults
    assert not catalog.faults, catalog.faults
    [note] = old_facts(inputs)
    return {*note.message.rpartition(": ")[2].split(", ")}, note.help


@pytest.mark.parametrize("part", ["sizes", "kubernetes", "quota"])
def test_the_oldest_list_of_a_region_counts(part: str) -> None:
    days = {"sizes": OLD, "kubernetes": OLD, "quota": OLD, part: OLDER}
    assert f"availability of {OLDER}" in noted(row(**days))[0]


def test_the_older_of_two_regions_counts() -> None:
    files = row(sizes=OLD) | row("swedensouth", sizes=OLDER)
    assert f"availability of {OLDER}" in noted(files)[0]


def test_current_lists_are_not_named() -> None:
    days = {"sizes": RECENT, "kubernetes": RECENT, "quota": RECENT}
    facts, remedy = noted(row(**days))
    assert not [fact for fact in facts if fact.startswith("availability")]
    assert "availability" not in remedy


def test_availability_is_renewed_by_a_refresh() -> None:
    assert noted(row(sizes=OLD))[1].startswith("run `gitgpu catalog refresh` for availability, ")


@pytest.mark.parametrize(("sku", "is_old"), [(T4, False), (A100, True)])
def test_a_size_of_a_recent_list_is_not_old(sku: str, is_old: bool) -> None:
    """A refresh compares the facts of the sizes that Azure lists."""
    pool = f"""
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {{name: pool}}
spec: {{clusters: [prod-swc], sku: {sku}, limits: {{gpus: 8}}}}
"""
    facts, _ = noted(row(sizes=RECENT), SOUTH + pool)
    assert any(fact.startswith("sizes of ") for fact in facts) == is_old
