"""Which nodes a change of requirements replaces, label by label."""

from typing import Any

import pytest

from gitgpu.compare.requirement_drift import requirement_drift
from tests.compare.sides import CLASS, POOL, edited, pool_between, pool_of
from tests.helping.cases import for_each

REQUIREMENTS = POOL["spec"]["template"]["spec"]["requirements"]
AT = "spec/template/spec/requirements"


def asked(*requirements: tuple[str, str, list[str]]) -> dict[str, Any]:
    """The pool with further requirements."""
    more = [{"key": key, "operator": operator, "values": values} for key, operator, values in requirements]
    return edited(POOL, {AT: [*REQUIREMENTS, *more]})


def role(operator: str, *values: str) -> dict[str, Any]:
    """The pool with a requirement on a custom label, or without one if there is no operator."""
    return asked(("role", operator, list(values))) if operator else POOL


@for_each(
    ("before", "after", "part", "reason"),
    [
        (("In", "a", "b"), ("In", "a"), "some", "nodes whose role is not a no longer match"),
        (("In", "a"), ("In", "a", "b"), "none", ""),
        (("In", "a", "b"), ("NotIn", "a"), "some", "nodes whose role is not other than a no longer match"),
        (("In", "a", "b"), ("NotIn", "c"), "none", ""),
        (("In", "a"), ("In", "b"), "all", "no node that it could have created meets role"),
        (("In", "a"), ("DoesNotExist",), "all", "no node that it could have created meets role"),
        (("In", "a"), ("Exists",), "none", ""),
        (("In", "5", "7"), ("Gt", "4"), "none", ""),
        (("In", "5", "7"), ("Gt", "6"), "some", "nodes whose role is not from 7 to any no longer match"),
        (("In", "5", "7"), ("Lt", "6"), "some", "nodes whose role is not from any to 5 no longer match"),
        (("In", "5", "7"), ("Gt", "7"), "all", "no node that it could have created meets role"),
        (("Gt", "10"), ("Gt", "5"), "none", ""),
        (("Gt", "10"), ("Gt", "10"), "none", ""),
        (("Gt", "10"), ("Gt", "11"), "some", "nodes whose role is not from 12 to any no longer match"),
        (("Lt", "10"), ("Lt", "20"), "none", ""),
        (("Lt", "10"), ("Lt", "10"), "none", ""),
        (("Lt", "10"), ("Lt", "9"), "some", "nodes whose role is not from any to 8 no longer match"),
        (("Gt", "10"), ("Lt", "20"), "some", "nodes whose role is not from any to 19 no longer match"),
        (("Lt", "20"), ("Gt", "10"), "some", "nodes whose role is not from 11 to any no longer match"),
        (("Lt", "10"), ("Gt", "9"), "all", "no node that it could have created meets role"),
        (("Exists",), ("Gt", "-1"), "none", ""),
        (("Exists",), ("Gt", "0"), "some", "nodes whose role is not from 1 to any no longer match"),
        (("Exists",), ("NotIn", "5"), "some", "nodes whose role is not other than 5 no longer match"),
        (("Exists",), ("NotIn", "x"), "none", ""),
        (("Exists",), ("In", "5"), "some", "nodes whose role is not 5 no longer match"),
        (("",), ("In", "a"), "all", "its nodes do not have the label role, which is now required"),
        (("",), ("Exists",), "all", "its nodes do not have the label role, which is now required"),
        (("",), ("NotIn", "a"), "none", ""),
        (("",), ("DoesNotExist",), "none", ""),
    ],
)
def test_drift_of_a_label(before: tuple[str, ...], after: tuple[str, ...], part: str, reason: str) -> None:
    assert tuple(requirement_drift(pool_of(role(*before)), pool_of(role(*after)))) == (part, reason)


def test_a_requirement_that_no_node_violates_needs_no_remedy() -> None:
    without = edited(POOL, {AT: REQUIREMENTS[:1]})
    change = pool_between([without, CLASS], [POOL, CLASS])
    key = "karpenter.sh/capacity-type"
    assert (change.replaced, change.reason) == ("none", f"requirements[{key}:In]: no effect on running nodes")


@pytest.mark.parametrize(("name", "small", "large"), [("sku-cpu", "4", "16"), ("sku-memory", "28672", "112640")])
def test_a_label_under_its_other_name_is_the_same(name: str, small: str, large: str) -> None:
    before, after = (
        asked((f"{group}/{name}", "In", [small, large])) for group in ("karpenter.azure.com", "kubernetes.azure.com")
    )
    assert requirement_drift(pool_of(before), pool_of(after)) == ("none", "")
    fewer = asked((f"kubernetes.azure.com/{name}", "In", [small]))
    drift = requirement_drift(pool_of(before), pool_of(fewer))
    assert drift == ("some", f"nodes of Standard_NC16as_T4_v3 do not meet karpenter.azure.com/{name}")


def test_a_reason_names_four_sizes() -> None:
    before = edited(
        POOL,
        {
            f"{AT}/0/values": [f"Standard_NC{cpus}as_T4_v3" for cpus in (4, 8, 16, 64)]
            + ["Standard_NC24ads_A100_v4", "Standard_NC40ads_H100_v5"]
        },
    )
    after = edited(before, {f"{AT}/0/values": ["Standard_NC4as_T4_v3"]})
    drift = requirement_drift(pool_of(before), pool_of(after))
    assert drift.part == "some"
    assert (
        "Standard_NC24ads_A100_v4, Standard_NC40ads_H100_v5, Standard_NC64as_T4_v3 and 1 more do not meet"
        in drift.reason
    )


def test_a_pool_that_does_not_fit_its_schema_is_not_known() -> None:
    drift = requirement_drift(pool_of(POOL), pool_of(edited(POOL, {"spec/weight": 0})))
    assert drift.part == "some"
    assert "cannot be compared" in drift.reason


def test_only_causes_of_the_worst_outcome_are_named() -> None:
    after = asked(("role", "In", ["a"]), ("karpenter.azure.com/sku-cpu", "In", ["4"]))
    drift = requirement_drift(pool_of(POOL), pool_of(after))
    assert drift == ("all", "its nodes do not have the label role, which is now required")


def test_the_reason_of_a_retiring_pool_that_needs_a_new_one() -> None:
    retiring = {"key": "gitgpu.dev/retiring", "value": "true", "effect": "NoSchedule"}
    taints = [*POOL["spec"]["template"]["spec"]["taints"], retiring]
    after = edited(POOL, {"spec/template/spec/nodeClassRef/kind": "Other", "spec/template/spec/taints": taints})
    change = pool_between([POOL, CLASS], [after, CLASS])
    assert change.refused
    assert "create a new pool" in change.reason


@pytest.mark.parametrize(("nodes", "blocked"), [("0", "its limits leave no room for a replacement node"), ("1", "")])
def test_a_pool_without_room_replaces_nothing(nodes: str, blocked: str) -> None:
    after = edited(POOL, {"spec/limits/nodes": nodes, "spec/template/metadata/labels/team": "web"})
    change = pool_between([POOL, CLASS], [after, CLASS])
    assert change.roll is not None
    assert change.roll.blocked == blocked
