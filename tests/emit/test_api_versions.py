"""Each choice is written with the oldest version of Azure's API that has all of its fields, in its shape.

The versions are those of a table that was made from the SDK's packages independently of the catalog.
"""

import csv
import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import pytest

from gitgpu.emit.azure_cluster import API as AUTOMATIC_API
from gitgpu.emit.pages.node_pools_bicep import PAGE as BICEP
from gitgpu.emit.pages.node_pools_commands import PAGE as COMMANDS
from gitgpu.emit.pages.terraform import PAGE as TERRAFORM
from gitgpu.model.aks_api import fields_of, least_api
from gitgpu.rules.fleet_findings import fleet_findings
from tests.emit.fleets import CATALOG, CLUSTER_ID, T4, Body, cluster, emitted, fleet, inputs_of, plans, pool

SHARED = Path(__file__).parents[3] / "shared/upstream"
TABLE, FLAGS = SHARED / "aks-api-fields.tsv", SHARED / "az-aks-flags.tsv"
OLDEST = {"stable": "2025-08-01", "preview": CATALOG.must("pools", "aks")["previewApi"]}
VERSION = re.compile(r"\d{4}-\d\d-\d\d(-preview)?")
H100 = "Standard_ND96isr_H100_v5"
TWO: Body = {"min": 2, "max": 2}
MACHINES: Body = {"type": "VirtualMachines"}
SIZES = ["Standard_NC16as_T4_v3", "Standard_NC64as_T4_v3"]


class Choice(NamedTuple):
    """Keys of a pool and of its cluster, and what writes the pool: the version of the API, and how `az` creates it.

    `az` is "core" and the version that it needs, "extension", or "rest".
    """

    spec: Body
    api: str
    az: str
    by_operator: bool
    stack: Mapping[str, Any] = MappingProxyType({})
    sku: Any = T4


CHOICES = {
    "defaults": Choice({"nodes": TWO}, "2025-08-01", "core", by_operator=True),
    "driver none": Choice({"nodes": TWO, "driver": "operator"}, "2025-08-01", "core", by_operator=True),
    "managed": Choice({"nodes": TWO, "driver": "managed"}, "2026-08-01", "rest", by_operator=False),
    "managed with MIG": Choice(
        {"nodes": TWO, "driver": "managed", "partition": {"mig": {"profiles": {"1g.10gb": 7}, "strategy": "single"}}},
        "2026-04-02-preview",
        "extension",
        by_operator=False,
        sku="Standard_NC24ads_A100_v4",
    ),
    "claims of AKS": Choice(
        {"nodes": TWO, "driver": "managed"},
        "2026-06-02-preview",
        "rest",
        by_operator=False,
        stack={"allocation": "aks-dra"},
    ),
    "InfiniBand": Choice({"nodes": TWO, "rdma": "managed"}, "2026-06-01", "core 2.91", by_operator=False, sku=H100),
    "several sizes": Choice(
        {"nodes": TWO, "agentPool": MACHINES},
        "2025-08-01",
        "core",
        by_operator=True,
        sku=SIZES,
    ),
    "several sizes that scale": Choice(
        {"nodes": {"min": 0, "max": 2}, "agentPool": MACHINES},
        "2026-05-01",
        "core 2.90",
        by_operator=False,
        sku=SIZES,
    ),
    "streaming": Choice(
        {"nodes": TWO, "image": {"artifactStreaming": True}}, "2026-03-01", "core 2.87", by_operator=False
    ),
}
pytestmark = pytest.mark.skipif(not TABLE.exists(), reason="../shared is not here")
each = pytest.mark.parametrize("choice", CHOICES.values(), ids=CHOICES)


def written(choice: Choice, form: str | None) -> Any:
    """The plan of a cluster with the pool."""
    return plans(*in_form(choice, form))["one"]


def in_form(choice: Choice, form: str | None) -> list[Body]:
    """The fleet, with Azure's resources in one form; in all of them, and as objects, if it is None."""
    on = cluster(
        provisioner="cluster-autoscaler",
        resourceId=CLUSTER_ID,
        kubernetesVersion="1.36",
        stack=dict(choice.stack),
    )
    if form:
        on["spec"]["delivery"] = {"azure": form}
    return [fleet(), on, pool("gpu", choice.sku, **choice.spec)]


def paths(value: Any, path: str) -> Iterator[str]:
    """The paths of the table that a value has."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            here = f"{path}.{key}"
            # The values of a map of texts have no path of their own.
            yield from [f"{here}{{}}"] if f"{here}{{}}" in table() else paths(inner, here)
    elif isinstance(value, list):
        yield f"{path}[]"
        for inner in value:
            yield from (found for found in paths(inner, f"{path}[]") if found != f"{path}[]")
    else:
        yield path


@cache
def table() -> dict[str, dict[str, str]]:
    """The rows by path."""
    with TABLE.open(encoding="utf-8") as file:
        return {row["path"]: row for row in csv.DictReader(file, delimiter="\t")}


def has(path: str, version: str) -> bool:
    """Whether a version has a field."""
    row, channel = table()[path], "preview" if version.endswith("-preview") else "stable"
    first, last = VERSION.search(row[f"first_{channel}"]), row[f"last_{channel}_if_gone"] or version
    return bool(first and first[0] <= version <= last and version not in row[f"absent_between_{channel}"])


def least(body: Mapping[str, Any], resource: str) -> str:
    """The oldest version that has all fields and that gitgpu writes: a stable one if there is any."""
    versions = {match[0] for row in table().values() for match in VERSION.finditer(" ".join(row.values()))}
    wanted = set(paths(body, resource))
    for version in sorted(versions, key=lambda version: (version.endswith("-preview"), version)):
        oldest = OLDEST["preview" if version.endswith("-preview") else "stable"]
        if version >= oldest and all(has(path, version) for path in wanted):
            return version
    raise AssertionError(wanted)


@each
def test_a_pool_has_the_oldest_version_with_all_of_its_fields(choice: Choice) -> None:
    made = json.loads(TERRAFORM.write(written(choice, "terraform")))
    resource = made["resource"]["azapi_resource"]["pool_gpu"]
    version = resource["type"].partition("@")[2]
    assert version == choice.api
    assert least(resource["body"]["properties"], "agentPool") == version
    assert f"agentPools@{version}'" in BICEP.write(written(choice, "bicep"))


@each
def test_az_uses_options_that_its_core_has_or_says_why_not(choice: Choice) -> None:
    script = COMMANDS.write(written(choice, "az"))
    how, _, version = choice.az.partition(" ")
    assert ("az extension add" in script) is (how == "extension")
    assert ("No option of the Azure CLI sets " in script) is ("az rest --method put" in script) is (how == "rest")
    assert (f"Azure CLI {version}.0 or newer is needed for gpu" in script) is bool(version)
    [words] = re.findall(r"^create gpu (.*?[^\\])$", script, re.MULTILINE | re.DOTALL) or [""]
    assert how != "core" or words
    for flag in re.findall(r"--[a-z-]+", words) if how == "core" else ():
        first = flags().get(flag, "2.81.0").removeprefix("<=").split(".")
        assert first[:2] <= (version or "2.81").split("."), flag


@cache
def flags() -> dict[str, str]:
    """The first version of the core CLI with each option of `az aks nodepool add`, but for those that it always had."""
    with FLAGS.open(encoding="utf-8") as file:
        rows = csv.DictReader(file, delimiter="\t")
        return {row["flag"]: row["first_azure_cli"] for row in rows if row["command"] == "aks nodepool add"}


@each
def test_what_the_operator_lacks_is_in_the_runbook_and_a_finding_says_so(choice: Choice) -> None:
    documents = in_form(choice, None)
    found = fleet_findings(inputs_of(*documents), frozenset())
    said = [finding.help for finding in found if finding.code == "AGP020"]
    assert bool(said) is not choice.by_operator
    assert all("create it with runbook/node-pools.sh or node-pools.bicep" in text for text in said)
    objects = emitted(*documents).every("ManagedClustersAgentPool")
    assert bool(objects) is choice.by_operator
    plan = plans(*documents)["one"]
    assert "gpu" in COMMANDS.write(plan)
    assert "pool_gpu" in BICEP.write(plan)


def test_settings_of_a_cluster_have_the_oldest_version_too() -> None:
    """Also AKS Automatic, and the scheduler, whose property moved."""
    for name, row in CATALOG.rows("prerequisites").items():
        if "azure" in row:
            properties = row["azure"]["properties"]
            assert row["azure"]["version"] == least(properties, "managedCluster"), name
            assert row["azure"]["version"] == least_api(
                CATALOG, "managedClusters", fields_of(CATALOG, "managedClusters", properties)
            ), name
    assert least({"hostedSystemProfile": {"enabled": True}}, "managedCluster") == AUTOMATIC_API
    on = cluster(scheduler={"gpus": "binpack"}, resourceId=CLUSTER_ID, delivery={"azure": "terraform"})
    made = json.loads(TERRAFORM.write(plans(fleet(), on, pool("t4"))["one"]))
    settings = made["resource"]["azapi_update_resource"]["settings"]
    assert settings["type"].endswith("@2026-05-01")
    assert settings["body"]["properties"]["schedulerProfile"] == {"upstream": {"schedulerConfigMode": "ManagedByCRD"}}
