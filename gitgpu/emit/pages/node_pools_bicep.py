"""The node pools of a cluster as a Bicep module."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from gitgpu.emit.nodepools import API, properties
from gitgpu.emit.page import Page
from gitgpu.plan.decision import ClusterPlan
from gitgpu.plan.nodes import NodePoolPlan

TYPE = "Microsoft.ContainerService/managedClusters"
IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z", re.ASCII)
HEAD = """\
// The node pools of this cluster, to be deployed into its resource group, for those without Azure Service Operator:
//     az deployment group create --resource-group my-group --template-file node-pools.bicep
// AKS wants to know with how many nodes a new pool begins. Once the autoscaled pools are there, deploy with
// `--parameters create=false`, or they fall back to that number.
param create bool = true
"""


class Expression(NamedTuple):
    """What is Bicep already, and no value."""

    bicep: str


def write(plan: ClusterPlan) -> str:
    """A module, "" on a cluster without node pools."""
    return "\n".join(_lines(plan)) if plan.node_pools else ""


def _lines(plan: ClusterPlan) -> Iterator[str]:
    name = (plan.cluster.resource_id or "").rpartition("/")[2]
    yield f"{HEAD}\nresource cluster '{TYPE}@{API}' existing = {{\n  name: {text(name)}\n}}"
    before = ""
    for one in plan.node_pools:
        symbol = f"pool_{one.name}"
        yield f"\nresource {symbol} '{TYPE}/agentPools@{API}' = {literal(_resource(one, before))}"
        before = symbol
    yield ""


def _resource(one: NodePoolPlan, before: str) -> dict[str, Any]:
    """One after the other: AKS takes one change of a cluster at a time."""
    told = {"vnetSubnetID": one.subnet, "capacityReservationGroupID": one.reservation}
    elsewhere = {key: value for key, value in told.items() if value}
    count = {} if one.fixed else {"count": Expression(f"create ? {one.least} : null")}
    after = {"dependsOn": [Expression(before)]} if before else {}
    body = {"parent": Expression("cluster"), "name": one.name, "properties": {**properties(one), **count, **elsewhere}}
    return {**body, **after}


def literal(value: Any, indent: str = "") -> str:
    """A value as Bicep writes it."""
    deeper = f"{indent}  "
    if isinstance(value, Mapping):
        inside = "".join(f"{deeper}{_key(key)}: {literal(item, deeper)}\n" for key, item in value.items())
        return f"{{\n{inside}{indent}}}"
    if isinstance(value, list):
        inside = "".join(f"{deeper}{literal(item, deeper)}\n" for item in value)
        return f"[\n{inside}{indent}]"
    if isinstance(value, Expression):
        return value.bicep
    if isinstance(value, bool):
        return str(value).lower()
    return text(value) if isinstance(value, str) else str(value)


def _key(key: str) -> str:
    return key if IDENTIFIER.match(key) else text(key)


def text(value: str) -> str:
    """A string of Bicep, in which nothing is replaced."""
    return "'" + value.replace("\\", "\\\\").replace("'", "\\'").replace("${", "\\${") + "'"


PAGE = Page("node-pools.bicep", write)
