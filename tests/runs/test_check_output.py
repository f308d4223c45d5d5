"""The check of what a build emits."""

from typing import Any

import pytest

from gitgpu.load.catalog.rows import CatalogFiles
from gitgpu.model.catalog import Catalog
from gitgpu.runs.check_output import output_check
from tests.rules.objects.samples import somewhere

POOL: dict[str, Any] = {
    "apiVersion": "karpenter.sh/v1",
    "kind": "NodePool",
    "metadata": {"name": "gpu"},
    "spec": {
        "disruption": {"consolidateAfter": "5m"},
        "template": {
            "spec": {
                "nodeClassRef": {"group": "karpenter.azure.com", "kind": "AKSNodeClass", "name": "gpu"},
                "requirements": [],
                "wonder": "5m",
            }
        },
    },
}


@pytest.mark.parametrize(
    ("day", "found"),
    [
        ("2026-11-29", "remove it; the allowed keys are"),
        ("2027-02-01", "check the spelling; if the cluster runs a newer release, install a gitgpu that knows it"),
    ],
)
def test_a_key_may_be_of_a_newer_release_if_the_newest_known_one_is_old_on_the_day(day: str, found: str) -> None:
    check = output_check(Catalog(CatalogFiles()))
    [finding] = (fault for fault in check((somewhere(POOL), "1.34", (), None, day)) if fault.code == "CNF001")
    assert finding.help.startswith(found)
    assert "--crds" not in finding.help
