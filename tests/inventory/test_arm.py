"""Expressions in ARM templates: which are evaluated, which stay unknown, and that evaluation always ends."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitgpu.inventory.arm.expressions import UNKNOWN, Budget, Scope, evaluate, evaluate_name
from gitgpu.inventory.arm.resources import template_resources
from tests.helping.cases import for_each
from tests.helping.work import lines
from tests.inventory.reading import bodies, faults, read

PARAMETERS: Any = {
    "name": {"type": "string", "defaultValue": "prod"},
    "open": {"type": "string"},
    "secret": {"type": "secureString", "defaultValue": "not-a-real-secret"},
    "pools": {"type": "array", "defaultValue": ["a", "b"]},
    "options": {"type": "object", "defaultValue": {"size": {"gpu": "Standard_NC4as_T4_v3"}}},
}
VARIABLES: Any = {"cluster": "[concat(parameters('name'), '-weu')]", "circle": "[variables('circle')]", "list": [1, 2]}
POOLS = "Microsoft.ContainerService/managedClusters/agentPools"
UNREAD_POOL = "pass the running state instead: the output of `az aks nodepool list -o json`"


def value(text: Any) -> Any:
    """The result of a template value."""
    return evaluate(text, Scope(PARAMETERS, VARIABLES, Budget()))


@for_each(
    ("text", "expected"),
    [
        ("plain", "plain"),
        ("[[literal]", "[literal]"),
        ("[parameters('name')]", "prod"),
        ("[PARAMETERS('NAME')]", "prod"),
        ("[variables('cluster')]", "prod-weu"),
        ("[format('{0}/{1}', variables('cluster'), 'it''s')]", "prod-weu/it's"),
        ("[parameters('options').size.gpu]", "Standard_NC4as_T4_v3"),
        ("[parameters('options')['size']['gpu']]", "Standard_NC4as_T4_v3"),
        ("[parameters('pools')[1]]", "b"),
        ("[variables('list')[0]]", 1),
        ("[if(equals(parameters('name'), 'prod'), 'yes', 'no')]", "yes"),
        ("[if(not(empty(parameters('pools'))), 3, 4)]", 3),
        ("[if(true(), 'known', parameters('open'))]", "known"),
        ("[greater(length(parameters('pools')), 1)]", True),
        ("[union(createObject('a', 1), createObject('b', 2))]", {"a": 1, "b": 2}),
        ("[createArray(1, 'x')]", [1, "x"]),
        ("[last(split(resourceId('Microsoft.ContainerService/managedClusters', 'x'), '/'))]", "x"),
        ("[substring('abcdef', 1, 2)]", "bc"),
        ("[min(3, 2)]", 2),
        ({"a": ["[toLower('X')]"], "copy": []}, {"a": ["x"]}),
        ("[null()]", None),
    ],
)
def test_expressions_that_can_be_evaluated(text: Any, expected: Any) -> None:
    assert value(text) == expected


@for_each(
    "text",
    [
        "[parameters('open')]",
        "[parameters('secret')]",
        "[parameters('none')]",
        "[variables('circle')]",
        "[concat('a', parameters('open'))]",
        "[resourceGroup().location]",
        "[uniqueString('a')]",
        "[parameters('pools')[7]]",
        "[div(1, 0)]",
        "[concat(]",
        "[,(1)]",
        "[parameters('name']",
        "[1 + 1]",
        "[parameters('name') 'x']",
        "[mul(2, 'ab')]",
        "[mul('ab', 2)]",
        "[createObject('a')]",
        "[" + "toLower(" * 100 + "'x'" + ")" * 100 + "]",
    ],
)
def test_expressions_that_cannot_be_evaluated(text: str) -> None:
    assert value(text) is UNKNOWN


def test_a_name_that_is_known_in_part() -> None:
    scope = Scope(PARAMETERS, VARIABLES, Budget())
    assert evaluate_name("[format('{0}/{1}', parameters('open'), 'gpu')]", scope) == "\0/gpu"
    assert evaluate_name("[concat(parameters('open'), '/gpu')]", scope) == "\0/gpu"
    assert evaluate_name("[parameters('open')]", scope) == "\0"
    assert evaluate_name(5, scope) == "\0"


def template(*resources: Any, **more: Any) -> str:
    """An ARM template with these resources."""
    return json.dumps({"contentVersion": "1.0.0.0", "parameters": PARAMETERS, "resources": resources, **more})


def test_a_pool_of_a_cluster_whose_name_is_not_known() -> None:
    name = "[format('{0}/{1}', parameters('open'), 'gpu')]"
    inventory = read(template({"type": POOLS, "name": name, "properties": {"vmSize": "Standard_NC6s_v3"}}))
    assert list(bodies(inventory)) == [f"/{POOLS} gpu"]
    assert faults(inventory) == []


def test_pools_whose_names_are_not_known() -> None:
    pool = {"type": POOLS, "name": "[parameters('open')]", "properties": {"vmSize": "Standard_NC6s_v3"}}
    inventory = read(template(pool))
    assert bodies(inventory) == {}
    reason = "its name is known only when it is deployed"
    assert faults(inventory) == [f"IMP007 1: {POOLS} (name unknown) was not read: {reason}"]
    assert inventory.faults[0].help == UNREAD_POOL


def test_pools_inside_a_cluster_and_modules_inside_modules() -> None:
    """A nested resource has only the last part of its type. A deployment may evaluate in its parent's scope."""
    child = {"type": "agentPools", "name": "child", "properties": {"vmSize": "Standard_NC6s_v3"}}
    cluster = {
        "type": "Microsoft.ContainerService/managedClusters",
        "name": "[parameters('name')]",
        "resources": [child],
    }
    inner = {"contentVersion": "1.0.0.0", "resources": [cluster]}
    outer = {"type": "Microsoft.Resources/deployments", "name": "m", "properties": {"template": inner}}
    inventory = read(template({**outer, "properties": {"template": {"contentVersion": "1", "resources": [outer]}}}))
    assert list(bodies(inventory)) == [f"prod/{POOLS} child"]


@for_each(
    ("declared", "given", "size"),
    [
        ({"type": "string"}, {"value": "Standard_NC6s_v3"}, "Standard_NC6s_v3"),
        ({"type": "string", "defaultValue": "a"}, {"value": "b"}, "b"),
        ({"type": "string", "defaultValue": "a"}, None, "a"),
        ({"type": "string", "defaultValue": "a"}, {"value": "[parameters('open')]"}, None),
        ({"type": "string", "defaultValue": "a"}, {"reference": {"secretName": "x"}}, None),
        ({"type": "secureString"}, {"value": "not-a-real-secret"}, None),
        (None, {"value": "b"}, "b"),
    ],
)
def test_a_parameter_that_a_deployment_passes_to_its_template(declared: Any, given: Any, size: str | None) -> None:
    """It replaces the default. A secure parameter is never evaluated."""
    pool = {"type": POOLS, "name": "aks/gpu", "properties": {"vmSize": "[parameters('size')]", "count": 1}}
    module = {
        "expressionEvaluationOptions": {"scope": "inner"},
        "parameters": {"size": given} if given else {},
        "template": {"parameters": {"size": declared} if declared else {}, "resources": [pool]},
    }
    deployment = {"type": "Microsoft.Resources/deployments", "name": "m", "properties": module}
    body = bodies(read(template(deployment, parameters=PARAMETERS)))[f"aks/{POOLS} gpu"]
    assert body["spec"].get("vmSize") == size


def test_variables_that_double_are_not_evaluated_completely() -> None:
    doubling = {f"v{at}": f"[concat(variables('v{at + 1}'), variables('v{at + 1}'))]" for at in range(25)}
    variables = {**doubling, "v25": "xx"}
    pool = {"type": POOLS, "name": "a/gpu", "properties": {"vmSize": "[variables('v0')]", "count": 1}}
    text = template(pool, variables=variables)
    assert lines(lambda: read(text)) < 3_000_000
    assert "vmSize" not in bodies(read(text))[f"a/{POOLS} gpu"]["spec"]


@given(st.text("[]()',.abc01 {}parmetsvilfo", max_size=60))
@settings(max_examples=100, deadline=None)
def test_no_text_causes_a_crash(text: str) -> None:
    for written in (text, f"[{text}]"):
        value(written)


def test_a_loop_of_pools() -> None:
    """If its count is known, each iteration is a pool. A count that is known only at deployment is reported."""
    pool = {"type": POOLS, "properties": {"vmSize": "Standard_NC4as_T4_v3", "count": "[copyIndex(1)]"}}
    known = {**pool, "name": "[concat('aks/gpu', parameters('pools')[copyIndex('p')])]"}
    known["copy"] = {"name": "p", "count": "[length(parameters('pools'))]"}
    open_ = {**pool, "name": "[concat('aks/x', copyIndex())]", "copy": {"name": "q", "count": "[parameters('open')]"}}
    inventory = read(template(known, open_, parameters=PARAMETERS))
    counts = {name.rpartition(" ")[2]: body["spec"]["count"] for name, body in bodies(inventory).items()}
    assert counts == {"gpua": 1, "gpub": 2}
    reason = "a copy loop creates it, and the number is known only when it is deployed"
    assert faults(inventory) == [f"IMP007 1: {POOLS} (name unknown) was not read: {reason}"]
    assert inventory.faults[0].help == UNREAD_POOL


def test_a_loop_of_properties_and_a_loop_of_modules() -> None:
    """The output of Bicep for `[for pool in pools: {...}]` and `module pools 'pool.bicep' = [for ...]`."""
    loop = {"name": "agentPoolProfiles", "count": 2, "input": {"name": "[concat('g', copyIndex('agentPoolProfiles'))]"}}
    cluster = {"type": "Microsoft.ContainerService/managedClusters", "name": "aks", "properties": {"copy": [loop]}}
    nested = {"resources": [{"type": POOLS, "name": "[concat('aks/m', copyIndex())]", "properties": {}}]}
    module = {"type": "Microsoft.Resources/deployments", "name": "m", "properties": {"template": nested}}
    inventory = read(template(cluster, {**module, "copy": {"name": "m", "count": 2}}))
    assert sorted(body["metadata"]["name"] for body in bodies(inventory).values()) == ["g0", "g1", "m0", "m1"]


def test_nested_loops_end() -> None:
    inner: Any = 1
    for name in "abcd":
        inner = {"copy": [{"name": name, "count": 800, "input": inner}]}
    assert lines(lambda: value(inner)) < 2_000_000


@pytest.mark.parametrize(("levels", "is_read"), [(19, True), (20, False)])
def test_how_deeply_deployments_and_resources_may_be_nested(levels: int, is_read: bool) -> None:
    deployment: Any = {"type": POOLS, "name": "aks/gpu", "properties": {}}
    resource: Any = {"type": "Microsoft.A/innermost", "name": "x"}
    for _ in range(levels):
        modules = {"template": {"resources": [deployment]}}
        deployment = {"type": "Microsoft.Resources/deployments", "name": "m", "properties": modules}
        resource = {"type": "Microsoft.A/b", "name": "x", "resources": [resource]}
    types = [found.type for found in template_resources({"resources": [deployment, resource]})]
    assert (POOLS in types) is is_read
    assert ("Microsoft.A/innermost" in types) is is_read
    assert types.count("Microsoft.A/b") == levels
