"""Static pools that leave no room for a replacement, pauses on days of the month, and prices that are unknown."""

from typing import Any

import pytest

from gitgpu.report.comparison.pools import growth, rolling
from tests.compare.sides import CLASS, POOL, edited, pool_between
from tests.helping.cases import for_each

IMAGE = {"spec/imageFamily": "AzureLinux"}
SPEC = "spec/template/spec"


def changed(limit: int | None, replicas: int, budgets: list[dict[str, Any]] | None = None, **more: Any) -> Any:
    """The change of a static pool whose node class gets another image."""
    edits = {"spec/replicas": replicas, **more, **({"spec/disruption/budgets": budgets} if budgets else {})}
    limits = {} if limit is None else {"nodes": limit}
    body = edited(POOL, {**edits, "spec/limits": limits})
    return pool_between([body, CLASS], [body, edited(CLASS, IMAGE)], minutes=10)


@pytest.mark.parametrize(("limit", "replaced"), [(2, "none"), (3, "all"), (None, "all")])
def test_a_static_pool_needs_room_for_a_replacement(limit: int | None, replaced: str) -> None:
    change = changed(limit, 2)
    assert change.replaced == replaced
    assert ("no node is replaced" in change.reason) == (replaced == "none")
    assert "AKSNodeClass hash changes" in change.reason


def test_a_static_pool_replaces_as_many_nodes_at_once_as_its_limit_has_room_for() -> None:
    wide = changed(7, 4, [{"nodes": "100%"}])
    assert wide.roll.at_once == 3
    assert changed(5, 4, [{"nodes": "100%"}]).roll.at_once == 1
    assert changed(9, 4, [{"nodes": "2"}]).roll.at_once == 2


def test_fewer_replicas_are_drained_whatever_the_limit() -> None:
    before = edited(POOL, {"spec/replicas": 4, "spec/limits": {"nodes": 4}})
    after = edited(POOL, {"spec/replicas": 2, "spec/limits": {"nodes": 2}})
    assert pool_between([before, CLASS], [after, CLASS]).replaced == "some"


@for_each(
    ("schedule", "duration", "text"),
    [
        ("0 0 1-14 * *", "24h", "paused on some days, for 77.3 hours per week on average"),
        ("@monthly", "168h", "paused on some days, for 38.6 hours per week on average"),
        ("0 0 * * *", "8h", "paused for 56 hours per week,"),
        ("0 0 29 2 *", "10h", "paused on some days, for less than 0.1 hours per week on average"),
        ("0 0 1 1 *", "24h", "paused on some days, for 0.5 hours per week on average"),
    ],
)
def test_pauses_on_days_of_the_month_are_printed(schedule: str, duration: str, text: str) -> None:
    budgets = [{"nodes": "2"}, {"nodes": "0", "schedule": schedule, "duration": duration}]
    assert text in f"{rolling(changed(9, 4, budgets))},"


def test_pauses_that_overlap_count_once() -> None:
    month = {"nodes": "0", "schedule": "0 0 1-14 * *", "duration": "24h"}
    always = {"nodes": "0", "schedule": "0 0 * * *", "duration": "24h"}
    assert changed(9, 4, [{"nodes": "2"}, month, month]).roll.closed == pytest.approx(77.3, abs=0.1)
    assert "do not allow disruption at any time" in changed(9, 4, [{"nodes": "2"}, month, always]).roll.blocked
    both = changed(9, 4, [{"nodes": "2"}, month, {**always, "duration": "12h"}]).roll
    assert both.closed == pytest.approx((168 + 77.3) / 2, abs=0.1)


def test_an_unknown_price_is_named() -> None:
    size = "Standard_NC8ads_A10_v4"
    before = edited(POOL, {"spec/limits": {"nodes": 2}, f"{SPEC}/requirements/0/values": [size]})
    after = edited(before, {"spec/limits": {"nodes": 4}})
    lines = list(growth([pool_between([before, CLASS], [after, CLASS])], "USD"))
    assert [line for line in lines if line.startswith("price")] == [
        f"price at the limits: unknown (no price for {size})"
    ]
    assert list(growth([pool_between([before, CLASS], [before, edited(CLASS, IMAGE)])], "USD")) == []
