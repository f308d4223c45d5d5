"""The outcome of each field of an object, compared with the object that the spec emits."""

import json
from pathlib import Path
from typing import Any

import pytest

from gitgpu.adopt.adoption import Fate
from gitgpu.adopt.field_outcomes import GeneratedObject, field_fates, own_annotations, own_labels
from gitgpu.adopt.node import agent_pool, node_class, node_pool
from gitgpu.load.spec.shape import fleet_schema
from gitgpu.load.validate.releases import CHANGED, schema_of_release
from tests.adopt.clusters import observed
from tests.adopt.test_recorded_imports import CATALOG
from tests.helping.cases import for_each

ROOT = Path(__file__).parents[2]
AGENTS, KARPENTER, CLASS = "ManagedClustersAgentPool", "NodePool", "AKSNodeClass"
AZURE_ONLY = (  # Azure Service Operator does not have them
    ("spec", "artifactStreamingProfile"),
    ("spec", "networkProfile", "dranet"),
    ("spec", "gpuProfile", "driverType"),
    ("spec", "gpuProfile", "nvidia", "migStrategy"),
    ("spec", "networkProfile", "dranet"),
)
EMPTY_TAINTS: Any = {"template": {"spec": {"taints": []}}}


def expiring(time: str) -> Any:
    """A NodePool whose nodes expire."""
    return {"template": {"spec": {"expireAfter": time}}}


def fates(kind: str, spec: Any, ours: Any) -> list[tuple[str, Fate, str]]:
    """Each field in the spec of an object, its fate, and the reason."""
    body = {"apiVersion": "x/v1", "kind": kind, "metadata": {"name": "a"}, "spec": spec}
    made = GeneratedObject({**body, "spec": ours}, CATALOG.must("edits", kind.lower()), {})
    outcomes = (outcome for outcome, _ in field_fates(observed(body), made, CATALOG))
    return [
        (".".join(map(str, each.pointer[1:])), each.fate, each.reason) for each in outcomes if each.pointer[0] == "spec"
    ]


@for_each(
    ("kind", "spec", "ours", "reason"),
    [
        (KARPENTER, {"weight": 5}, {"weight": 5}, ""),
        (KARPENTER, {"weight": None}, {}, ""),
        (KARPENTER, {"weight": None}, {"weight": 5}, "not set"),
        (KARPENTER, {"weight": []}, {}, "not set"),
        (KARPENTER, {"weight": False}, {}, "not set"),
        (KARPENTER, {"weight": True}, {}, None),
        (KARPENTER, {"weight": 0}, {}, None),
        (KARPENTER, EMPTY_TAINTS, {}, None),  # part of Karpenter's hash
        (KARPENTER, expiring("24h"), expiring("1440m"), ""),
        (KARPENTER, expiring("24h"), expiring("25h"), None),
        (AGENTS, {"vmSize": "standard_nc6"}, {"vmSize": "Standard_NC6"}, "size names in Azure are not case-sensitive"),
        (AGENTS, {"vmSize": "Standard_NC6"}, {"vmSize": "Standard_NC8"}, None),
        (AGENTS, {"mode": "user"}, {"mode": "User"}, None),
        (AGENTS, {"mode": "User"}, {"mode": "User"}, "a default"),
        (AGENTS, {"spotMaxPrice": -1}, {"spotMaxPrice": -1}, "a default"),
        (AGENTS, {"spotMaxPrice": -1.0}, {}, "a default"),
        (AGENTS, {"spotMaxPrice": 0.5}, {"spotMaxPrice": 0.5}, ""),
        (AGENTS, {"upgradeSettings": {"maxUnavailable": 0}}, {}, "a default"),
        (AGENTS, {"owner": {"name": "a"}}, {"owner": {"armId": "b"}}, "the cluster that the pool is in"),
        (AGENTS, {"count": 3}, {"enableAutoScaling": True}, "chosen by AKS"),
        (AGENTS, {"count": 3}, {"count": 2}, None),
        (AGENTS, {"nodeTaints": ["a=b:NoSchedule"]}, {"scaleSetPriority": "Spot"}, None),
        (AGENTS, {"nodeTaints": ["kubernetes.azure.com/scalesetpriority=spot:NoSchedule"]},
         {"scaleSetPriority": "Spot"}, "AKS adds the taint of spot nodes itself"),
        (AGENTS, {"nodeTaints": ["kubernetes.azure.com/scalesetpriority=spot:NoSchedule"]}, {}, None),
        (CLASS, {"gpu": {"mode": "Driver"}}, {}, "a default"),
    ],
)  # fmt: skip
def test_the_fate_of_a_field(kind: str, spec: Any, ours: Any, reason: str | None) -> None:
    [(_, fate, why)] = fates(kind, spec, ours)
    assert fate is (Fate.INEXPRESSIBLE if reason is None else Fate.ADOPTED)
    if reason is not None:
        assert why == reason
    elif isinstance(ours, dict) and ours.keys() & spec.keys():
        assert why.startswith("the spec changes it to ")
    else:
        assert why == "the spec has no key for it"


@for_each(
    "key",
    [
        "app.kubernetes.io/instance",
        "app.kubernetes.io/managed-by",
        "app.kubernetes.io/part-of",
        "argocd.argoproj.io/tracking-id",
        "helm.sh/chart",
        "helm.toolkit.fluxcd.io/name",
        "karpenter.azure.com/aksnodeclass-hash",
        "karpenter.sh/nodepool-hash",
        "kubectl.kubernetes.io/last-applied-configuration",
        "kustomize.toolkit.fluxcd.io/name",
        "meta.helm.sh/release-name",
    ],
)
def test_what_a_tool_writes_in_the_metadata_is_its_own(key: str) -> None:
    """It does not get into the spec either."""
    for part in ("labels", "annotations"):
        body = {"apiVersion": "x/v1", "kind": KARPENTER, "metadata": {part: {key: "a"}}}
        made = GeneratedObject(body, CATALOG.must("edits", "nodepool"), {})
        reasons = {each.pointer: each.reason for each, _ in field_fates(observed(body), made, CATALOG)}
        assert reasons["metadata", part, key] == "a tool or a controller manages this field"
        assert (own_labels(body), own_annotations(body)) == ({}, {})


def test_metadata_that_gitgpu_does_not_write_has_no_effect_on_nodes() -> None:
    body = {"apiVersion": "x/v1", "kind": KARPENTER, "metadata": {"name": "a", "uid": "b", "labels": {"team": "c"}}}
    generated = {**body, "metadata": {"name": "a"}}
    made = GeneratedObject(generated, CATALOG.must("edits", "nodepool"), {})
    outcomes = [each for each, _ in field_fates(observed(body), made, CATALOG)]
    left = {each.pointer: (each.fate, each.reason) for each in outcomes if each.fate is not Fate.ADOPTED}
    why = (Fate.LEFT, "it has no effect on the nodes")
    assert left == {("metadata", "uid"): why, ("metadata", "labels", "team"): why}


def test_a_node_pool_of_another_api_version_is_the_same_pool() -> None:
    body = {"apiVersion": "containerservice.azure.com/v1api20240901", "kind": AGENTS, "metadata": {"name": "a"}}
    generated = {**body, "apiVersion": "containerservice.azure.com/v1api20250801"}
    made = GeneratedObject(generated, CATALOG.must("edits", AGENTS.lower()), {})
    reasons = {each.pointer: each.reason for each, _ in field_fates(observed(body), made, CATALOG)}
    assert reasons["apiVersion",] == "gitgpu writes another version of the same kind"


@pytest.mark.parametrize("kind", [AGENTS, KARPENTER, CLASS])
def test_a_default_that_is_not_emitted_is_one_value_of_one_field(kind: str) -> None:
    for entry in CATALOG.must("edits", kind.lower())["unwritten"]:
        _, *path = entry["field"].split(".")
        [(_, _, why)] = fates(kind, nested(path, entry["value"]), {})
        assert why in ("a default", "")
        [(_, fate, _)] = fates(kind, nested(path, f"another {entry['value']}"), {})
        assert fate is Fate.INEXPRESSIBLE
        [(_, fate, _)] = fates(kind, nested([*path[:-1], "unheard"], f"{entry['value']}x"[:-1] or "x"), {})
        assert fate is Fate.INEXPRESSIBLE


@pytest.mark.parametrize(
    ("module", "group", "kind"),
    [
        (agent_pool, "containerservice.azure.com", AGENTS),
        (node_pool, "karpenter.sh", KARPENTER),
        (node_class, "karpenter.azure.com", CLASS),
    ],
)
def test_each_place_is_a_field_of_its_kind_and_a_key_of_the_spec(module: Any, group: str, kind: str) -> None:
    contract: Any = json.loads((ROOT / f"schemas/contracts/{group}_{kind.lower()}.json").read_text(encoding="utf-8"))
    if CHANGED in contract:
        contract = schema_of_release(contract, len(contract[CHANGED]) - 1, contract[CHANGED])
    schema = fleet_schema()
    pool, cluster = (
        {"definitions": schema["definitions"], **schema["definitions"][kind]} for kind in ("gpupool", "cluster")
    )
    for field, key in module.PLACES.items():
        assert has(contract, field) or field in AZURE_ONLY, field
        assert has(cluster if key[1] == "resourceId" else pool, key), key


def has(schema: Any, path: Any) -> bool:
    """Whether a schema names each part of a path. The metadata of an object has its usual parts."""
    if path[0] == "metadata":
        return path[1:] in (("name",), ("labels",), ("annotations",))
    part = schema
    for key in path:
        part = schema["definitions"][part["$ref"].rpartition("/")[2]] if "$ref" in part else part
        if key not in part.get("properties", {}):
            return False
        part = part["properties"][key]
    return True


def nested(path: list[str], value: Any) -> Any:
    """A value below mappings with these keys."""
    for key in reversed(path):
        value = {key: value}
    return value
