"""AKS node pools: every property of the Azure Service Operator kind is read from the format of each tool."""

import json
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitgpu.load.schemas import Schemas
from tests.helping.cases import for_each
from tests.inventory.reading import bodies, read

CONTRACT = Schemas().contract("containerservice.azure.com_managedclustersagentpool") or {}
CLUSTER = "/subscriptions/s/resourceGroups/rg/providers/Microsoft.ContainerService/managedClusters/a"
NOT_SENT = {"azureName", "owner", "operatorSpec", "virtualMachineNodesStatus"}  # of the operator; of Azure
SPOT = "kubernetes.azure.com/scalesetpriority"
REQUIRED = {"azureName", "owner", "vmSize", "mode"}
ACRONYM = re.compile(r"(GB|MB|SKU|FIPS|IP|OS|SSD|VTPM)(?=[A-Z]|\Z)|(?<=[a-z])ID\Z")


def values(schema: dict[str, Any]) -> Any:
    """Values of a schema of the contract."""
    if "$ref" in schema:
        schema = CONTRACT["definitions"][schema["$ref"].rpartition("/")[2]]
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    properties = schema.get("properties", {})
    if set(properties) == {"armId", "group", "kind", "name"}:
        return st.just({"armId": f"{CLUSTER}/x/y"})
    if properties:
        known = {name: values(part) for name, part in properties.items() if name not in NOT_SENT}
        return st.fixed_dictionaries({}, optional=known).filter(bool)
    if schema.get("type") == "array":
        return st.lists(values(schema["items"]), min_size=1, max_size=2)
    if schema.get("type") == "object":
        return st.dictionaries(st.sampled_from(["a", "b/c"]), st.sampled_from(["x", ""]), min_size=1)
    simple: dict[str, Any] = {"integer": st.integers(0, 9), "boolean": st.booleans(), "number": st.integers(-1, 9)}
    return simple.get(schema.get("type", ""), st.sampled_from(["x", "1"]))


SPECS = values(CONTRACT["properties"]["spec"])


def as_rest(value: Any) -> Any:
    """A value as in Azure's REST API: with IDs instead of references."""
    if isinstance(value, list):
        return [as_rest(item) for item in value]
    if not isinstance(value, dict):
        return value
    if set(value) == {"armId"}:
        return value["armId"]
    made = {}
    for key, item in value.items():
        if key.endswith("Reference") and isinstance(item, dict):
            made[f"{key.removesuffix('Reference')}{'Id' if key.startswith('source') else 'ID'}"] = item["armId"]
        else:
            made[key.removesuffix("References") if key.endswith("References") else key] = as_rest(item)
    return made


def as_az(value: Any) -> Any:
    """The same value as `az` prints it: acronyms in lower case, and null for unset properties."""
    if isinstance(value, list):
        return [as_az(item) for item in value]
    if not isinstance(value, dict) or set(value) <= {"a", "b/c"}:
        return value
    printed = {ACRONYM.sub(_capitalised, key): as_az(item) for key, item in value.items()}
    return {**printed, "notSet": None}


def _capitalised(acronym: re.Match[str]) -> str:
    return acronym[0].capitalize()


@given(SPECS)
@settings(max_examples=50, deadline=None)
def test_a_pool_is_read_back_unchanged(spec: dict[str, Any]) -> None:
    """A pool is converted to the format of the REST API and of `az`, and read back."""
    head = {
        "id": f"{CLUSTER}/agentPools/gpu",
        "name": "gpu",
        "type": "Microsoft.ContainerService/managedClusters/agentPools",
    }
    own = {"type": "typePropertiesType"}
    flat = {own.get(key, key): value for key, value in as_az(as_rest(spec)).items()}
    for document in ({**head, "properties": as_rest(spec)}, [{**head, **flat}]):
        returned = bodies(read(json.dumps(document)))["a/node pool gpu"]["spec"]
        assert returned == {"azureName": "gpu", "owner": {"armId": CLUSTER}, **spec}


@for_each("name", ["id", "provisioningState", "nodeImageVersion", "currentOrchestratorVersion", "eTag", "systemData"])
def test_properties_that_azure_writes_are_omitted(name: str) -> None:
    document = {"name": "gpu", "vmSize": "Standard_NC6s_v3", "mode": "User", name: "x"}
    spec = bodies(read(json.dumps([document])))["/node pool gpu"]["spec"]
    assert set(spec) == {"azureName", "owner", "vmSize", "mode"}


def test_unknown_properties_are_kept_unchanged() -> None:
    unknown = {"nodeCustomizationProfile": {"x": 1}, "vnetSubnet": "gpu"}
    document = {"name": "gpu", "vmSize": "Standard_NC6s_v3", "mode": "User", **unknown}
    spec = bodies(read(json.dumps([document])))["/node pool gpu"]["spec"]
    assert unknown.items() <= spec.items()


@pytest.mark.parametrize("document", [{"mode": "User"}, {"vmSize": ["x"], "mode": "User"}, {"vmSize": "x"}])
def test_a_mapping_without_a_size_or_anything_else_of_a_pool_is_not_one(document: dict[str, Any]) -> None:
    assert bodies(read(json.dumps([{"name": "gpu", **document}]))) == {}


@for_each(
    ("key", "value"),
    [
        ("mode", "User"), ("osType", "Linux"), ("count", 1), ("maxCount", 2), ("orchestratorVersion", "1.34"),
        ("osSku", "Ubuntu"), ("nodeLabels", {"a": "b"}), ("enableAutoScaling", True),
    ],
)  # fmt: skip
def test_a_size_and_any_other_property_of_a_pool_make_one(key: str, value: Any) -> None:
    assert "/node pool gpu" in bodies(read(json.dumps([{"name": "gpu", "vmSize": "Standard_NC6s_v3", key: value}])))


@for_each(
    ("properties", "expected"),
    [
        ({"fooId": "x"}, {"fooId": "x"}),
        ({"vnetSubnetId": 5}, {"vnetSubnetId": 5}),
        ({"nodeLabels": {"a": "b", "c": None}}, {"nodeLabels": {"a": "b"}}),
        ({"kubeletConfig": {"cpuManagerPolicy": None}}, {}),
        ({"tags": {}, "nodeTaints": [], "osSku": ""}, {}),
        (
            {"networkProfile": {"applicationSecurityGroups": "x"}},
            {"networkProfile": {"applicationSecurityGroups": "x"}},
        ),
        ({"nodeLabels": {SPOT: "spot"}}, {"nodeLabels": {SPOT: "spot"}}),
        ({"nodeLabels": {SPOT: "spot"}, "scaleSetPriority": "Spot"}, {"scaleSetPriority": "Spot"}),
        ({"nodeLabels": "x", "scaleSetPriority": "Spot"}, {"nodeLabels": "x", "scaleSetPriority": "Spot"}),
    ],
)
def test_a_property_of_a_pool(properties: Any, expected: Any) -> None:
    """Empty values are omitted, and unknown ones stay as they are. Only AKS sets the label of spot pools."""
    pool = {"name": "gpu", "vmSize": "Standard_NC6s_v3", "mode": "User", **properties}
    (body,) = bodies(read(json.dumps([pool]))).values()
    assert {key: item for key, item in body["spec"].items() if key not in REQUIRED} == expected
