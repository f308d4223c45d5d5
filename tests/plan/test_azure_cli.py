"""What the Azure CLI needs to create a node pool, by what the pool uses."""

import csv
from pathlib import Path
from typing import Any

import pytest

from gitgpu.model.aks_api import fields_of, least_api
from gitgpu.plan.azure_cli import cli_plan
from gitgpu.plan.decided.nodes import CliPlan
from tests.emit.fleets import CATALOG
from tests.helping.cases import for_each

OPTIONS = CATALOG.must("pools", "aks")["options"]
FLAGS = Path(__file__).parents[3] / "shared" / "upstream" / "az-aks-flags.tsv"
MANAGED = {"managementMode": "Managed"}


@for_each(
    ("properties", "needs"),
    [
        ({"gpuProfile": {"driver": "Install"}}, CliPlan()),
        ({"artifactStreamingProfile": {"enabled": True}}, CliPlan("2.87.0")),
        ({"gpuProfile": {"nvidia": MANAGED}}, CliPlan(unsupported=("gpuProfile.nvidia.managementMode",))),
        ({"gpuProfile": {"nvidia": {**MANAGED, "migStrategy": "Mixed"}}}, CliPlan(extension=True)),
        (
            {"artifactStreamingProfile": {"enabled": True}, "gpuProfile": {"nvidia": MANAGED}},
            CliPlan(unsupported=("gpuProfile.nvidia.managementMode",)),
        ),
        (
            {"artifactStreamingProfile": {"enabled": True}, "gpuProfile": {"driverType": "GRID"}},
            CliPlan("2.87.0", extension=True),
        ),
        ({"osSKU": "Ubuntu2404"}, CliPlan()),
        ({"osSKU": "Ubuntu2604"}, CliPlan(unsupported=("osSKU",))),
    ],
)
def test_a_stable_api_is_called_rather_than_the_preview_extension(properties: dict[str, Any], needs: CliPlan) -> None:
    assert (
        cli_plan(properties, least_api(CATALOG, "agentPools", fields_of(CATALOG, "agentPools", properties)), CATALOG)
        == needs
    )


def test_every_option_is_of_a_field_of_the_api() -> None:
    fields = CATALOG.must("arm", "agentPools")["fields"]
    assert {row["field"] for row in OPTIONS} <= set(fields)
    assert all(row["option"] or not (row["core"] or row["extension"]) for row in OPTIONS)


@pytest.mark.skipif(not FLAGS.is_file(), reason="the options of the Azure CLI (../shared/upstream) are not here")
def test_options_are_those_of_the_azure_cli() -> None:
    with FLAGS.open(encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines, delimiter="\t"))
    first = {row["flag"]: row["first_azure_cli"] for row in rows if row["command"] == "aks nodepool add"}
    for row in (row for row in OPTIONS if row["option"]):
        known = first.get(row["option"])
        assert bool(known) == bool(row["core"]), row
        # An option that all these versions have may accept the field only since a later one.
        assert not known or known.startswith("<=") or known == row["core"], row
