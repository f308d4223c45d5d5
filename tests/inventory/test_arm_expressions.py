"""Expressions in ARM templates that can be evaluated without a deployment."""

from typing import Any

import pytest

from gitgpu.inventory.arm.expressions import UNKNOWN, Budget, Scope, copies_of, evaluate
from tests.helping.cases import for_each

PARAMETERS = {"name": {"defaultValue": "gpu"}, "sizes": {"defaultValue": ["a", "b"]}, "asked": {"type": "string"}}


def scope() -> Scope:
    """A scope with parameters and a variable."""
    return Scope(PARAMETERS, {"twice": "[concat(parameters('name'), parameters('name'))]"}, Budget())


@for_each(
    ("text", "expected"),
    [
        ("[and(true(), false())]", False),
        ("[or(true(), false())]", True),
        ("[not(true())]", False),
        ("[array('a')]", ["a"]),
        ("[array(createArray('a'))]", ["a"]),
        ("[bool('True')]", True),
        ("[bool('1')]", True),
        ("[bool('0')]", False),
        ("[add(2, 3)]", 5),
        ("[sub(5, 3)]", 2),
        ("[mul(2, 3)]", 6),
        ("[div(7, 2)]", 3),
        ("[coalesce(null(), 'a', 'b')]", "a"),
        ("[coalesce(null())]", None),
        ("[concat('a', 1, true())]", "a1True"),
        ("[concat(createArray('a'), createArray('b'))]", ["a", "b"]),
        ("[contains('abc', 'b')]", True),
        ("[contains(createArray('a'), 'b')]", False),
        ("[contains(createObject('vmSize', 'b'), 'vmsize')]", True),
        ("[contains(createObject('vmSize', 'b'), 'b')]", False),
        ("[createObject('a', 1, 'b', 2)]", {"a": 1, "b": 2}),
        ("[empty('')]", True),
        ("[empty('a')]", False),
        ("[equals('a', 'a')]", True),
        ("[equals('a', 'b')]", False),
        ("[first('abc')]", "a"),
        ("[last(createArray(1, 2, 3))]", 3),
        ("[format('{0}-{1}', 'a', 2)]", "a-2"),
        ("[startsWith('Standard', 'stan')]", True),
        ("[startsWith('Standard', 'ard')]", False),
        ("[endsWith('Standard', 'ARD')]", True),
        ("[endsWith('Standard', 'Stan')]", False),
        ("[greater(2, 2)]", False),
        ("[greater(3, 2)]", True),
        ("[greaterOrEquals(2, 2)]", True),
        ("[greaterOrEquals(1, 2)]", False),
        ("[less(2, 2)]", False),
        ("[less(1, 2)]", True),
        ("[lessOrEquals(2, 2)]", True),
        ("[lessOrEquals(3, 2)]", False),
        ("[int('7')]", 7),
        ("[join(createArray('a', 1), '-')]", "a-1"),
        ("[length('abc')]", 3),
        ("[max(1, 3, 2)]", 3),
        ("[min(createArray(4, 3))]", 3),
        ("[max(createArray(4, 3))]", 4),
        ("[min(1, 3, 2)]", 1),
        ("[replace('a-b', '-', '+')]", "a+b"),
        ("[split('a,b', ',')]", ["a", "b"]),
        ("[string(false())]", "False"),
        ("[substring('abcdef', 1, 2)]", "bc"),
        ("[substring('abcdef', 4)]", "ef"),
        ("[toLower('ABC')]", "abc"),
        ("[toUpper('abc')]", "ABC"),
        ("[trim(' a ')]", "a"),
        ("[union(createObject('a', 1), createObject('b', 2))]", {"a": 1, "b": 2}),
        ("[resourceId('Microsoft.Net/networks/subnets', 'v', 's')]", "Microsoft.Net/networks/v/subnets/s"),
        ("[resourceId('group', 'Microsoft.Compute/disks', 'd')]", "Microsoft.Compute/disks/d"),
        ("[parameters('name')]", "gpu"),
        ("[parameters('sizes')[1]]", "b"),
        ("[variables('twice')]", "gpugpu"),
        ("[parameters('asked')]", UNKNOWN),
        ("[reference('other').id]", UNKNOWN),
        ("[mul('a', 3)]", UNKNOWN),
        ("[if(equals(parameters('name'), 'gpu'), 'yes', 'no')]", "yes"),
        ("[if(false(), 'yes', 'no')]", "no"),
        ("[[not an expression]", "[not an expression]"),
        ("plain", "plain"),
    ],
)  # fmt: skip
def test_the_value_of_an_arm_expression(text: str, expected: Any) -> None:
    assert evaluate(text, scope()) == expected


@pytest.mark.parametrize(("calls", "expected"), [(50, "1"), (51, UNKNOWN)])
def test_how_deeply_calls_may_be_nested(calls: int, expected: Any) -> None:
    assert evaluate(f"[{'string(' * calls}1{')' * calls}]", scope()) == expected


def test_lists_and_mappings() -> None:
    assert evaluate({"a": ["[parameters('name')]", 1]}, scope()) == {"a": ["gpu", 1]}


def test_passes_of_a_copy_loop() -> None:
    passes = copies_of({"name": "Pools", "count": 2}, scope())
    assert passes is not None
    assert [dict(each.copies) for each in passes] == [{"pools": 0, "": 0}, {"pools": 1, "": 1}]
    assert [evaluate("[copyIndex()]", each) for each in passes] == [0, 1]
    assert [evaluate("[copyIndex('pools', 1)]", each) for each in passes] == [1, 2]
    assert copies_of({"count": 0}, scope()) == []
    counted = copies_of({"name": "p", "count": "[length(parameters('sizes'))]"}, scope())
    assert counted is not None
    assert len(counted) == 2


@for_each("loop", [None, {}, {"count": True}, {"count": -1}, {"count": "2"}, {"count": 10**9}])
def test_a_loop_whose_passes_are_not_known(loop: Any) -> None:
    assert copies_of(loop, scope()) is None


def test_a_property_that_a_loop_creates() -> None:
    value = {"copy": [{"name": "zones", "count": 2, "input": "[string(add(copyIndex('zones'), 1))]"}], "kept": 1}
    assert evaluate(value, scope()) == {"kept": 1, "zones": ["1", "2"]}


def test_loops_share_a_budget() -> None:
    nearly_spent = scope()
    nearly_spent.budget.left = 1
    assert copies_of({"count": 2}, nearly_spent) is None
    assert len(copies_of({"count": 1}, nearly_spent) or ()) == 1
    assert nearly_spent.budget.left == 0
