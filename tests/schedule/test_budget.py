"""Disruption budgets: the times without an active budget, and the budgets for those times."""

from collections.abc import Iterable

from hypothesis import example, given
from hypothesis import strategies as st

from gitgpu.schedule.budget import REASONS, Budget, budget, overrules, possible, unlimited_times
from gitgpu.schedule.week import WEEK, WHOLE, schedules
from tests.helping.cases import for_each

ALLOWED = {
    "sat 3:00, 2h": ("0 3 * * 6", "2h", [("0 5 * * sat", "166h")]),
    "every night": ("0 3 * * *", "2h", [("0 5 * * *", "22h")]),
    "over midnight": ("30 22 * * *", "3h", [("30 1 * * *", "21h")]),
    "over the end of the week": ("0 22 * * 6", "4h", [("0 2 * * sun", "164h")]),
    "working days": ("0 8 * * 1-5", "8h", [("0 16 * * mon-thu", "16h"), ("0 16 * * fri", "64h")]),
    "two nights": ("0 3 * * 3,6", "2h30m", [("30 5 * * wed", "69h30m"), ("30 5 * * sat", "93h30m")]),
    "every hour": ("0 * * * *", "15m", []),
    "a descriptor": ("@weekly", "24h", [("0 0 * * mon", "144h")]),
}


def minutes_of(minutes: Iterable[int]) -> int:
    return sum(1 << minute for minute in set(minutes))


def opened(*budgets: Budget) -> list[int]:
    return [opening.week for opening in unlimited_times(budgets, REASONS)]


def scheduled(when: str, lasts: str, nodes: str = "1", at: int = 0) -> Budget:
    return budget(at, {"nodes": nodes, "schedule": when, "duration": lasts})


@for_each(("when", "lasts", "rest"), ALLOWED.values(), ids=ALLOWED)
def test_the_rest_of_the_week(when: str, lasts: str, rest: list[tuple[str, str]]) -> None:
    allowed = scheduled(when, lasts)
    (week,) = opened(allowed)
    assert schedules(week) == rest
    assert week.bit_count() + allowed.week().bit_count() == WEEK


times = st.tuples(st.integers(0, 59), st.integers(0, 23), st.sets(st.integers(0, 6), min_size=1))


@given(times, st.integers(1, WEEK - 1))
@example((0, 3, {6}), 120)
@example((30, 22, {0, 6}), 2880)
def test_allowed_times_and_the_rest_are_the_week(time: tuple[int, int, set[int]], minutes: int) -> None:
    minute, hour, days = time
    allowed = scheduled(f"{minute} {hour} * * {','.join(map(str, sorted(days)))}", f"{minutes}m")
    for week in opened(allowed):
        rest = [scheduled(*period, nodes="0", at=at) for at, period in enumerate(schedules(week), start=1)]
        assert rest == [] or not opened(allowed, *rest)
        assert not any(other.week() & allowed.week() for other in rest)
        assert rest or len(days) > 4


def test_a_budget_without_words_is_a_tenth_for_every_reason() -> None:
    assert budget(3, {}) == Budget(3, "10%", frozenset({"Underutilized", "Empty", "Drifted"}), None, None)
    assert budget(0, {"reasons": []}).reasons == frozenset()
    assert budget(0, {"nodes": "5", "reasons": ["Empty"]}) == Budget(0, "5", frozenset({"Empty"}), None, None)


@for_each(("nodes", "none"), [("0", True), ("0%", True), ("00", True), ("10", False), ("100%", False)])
def test_a_budget_of_nothing_allows_none(nodes: str, none: bool) -> None:
    assert budget(0, {"nodes": nodes}).allows_none is none


def test_a_budget_without_a_schedule_always_holds() -> None:
    assert budget(0, {}).always
    assert not budget(0, {"schedule": "@daily", "duration": "1h"}).always
    assert not budget(0, {"duration": "1h"}).always
    assert not budget(0, {"schedule": "@daily"}).always


@for_each(
    ("disruption", "reasons"),
    [
        ({}, {"Underutilized", "Empty", "Drifted"}),
        ({"consolidationPolicy": "WhenEmptyOrUnderutilized"}, {"Underutilized", "Empty", "Drifted"}),
        ({"consolidationPolicy": "WhenEmpty", "consolidateAfter": "1m"}, {"Empty", "Drifted"}),
        ({"consolidateAfter": "Never"}, {"Drifted"}),
        ({"consolidationPolicy": "WhenEmpty", "consolidateAfter": "Never"}, {"Drifted"}),
    ],
)
def test_the_reasons_for_which_nodes_go(disruption: dict[str, str], reasons: set[str]) -> None:
    assert possible(disruption, static=False) == reasons
    assert possible(disruption, static=True) == {"Drifted"}


ALWAYS = {"0": budget(0, {"nodes": "0"}), "2": budget(0, {"nodes": "2"}), "20%": budget(0, {"nodes": "20%"})}


@for_each(
    ("name", "nodes", "expected"),
    [
        ("0", "3", True),
        ("0", "30%", True),
        ("0", "0", False),
        ("2", "3", True),
        ("2", "2", False),
        ("2", "1", False),
        ("2", "30%", False),
        ("20%", "30%", True),
        ("20%", "20%", False),
        ("20%", "3", False),
        ("20%", "5", False),
    ],
)
def test_a_budget_that_always_holds_makes_a_larger_one_void(name: str, nodes: str, expected: bool) -> None:
    assert overrules(ALWAYS[name], scheduled("@daily", "1h", nodes)) is expected


def test_only_a_budget_of_nothing_makes_one_void_that_always_holds_too() -> None:
    more = budget(1, {"nodes": "3"})
    assert overrules(ALWAYS["0"], more)
    assert not overrules(ALWAYS["2"], more)
    assert not overrules(scheduled("@daily", "1h", "0"), more)


def test_a_budget_for_fewer_reasons_makes_none_void() -> None:
    empty = budget(0, {"nodes": "0", "reasons": ["Empty"]})
    assert not overrules(empty, scheduled("@daily", "1h", "3"))
    assert overrules(ALWAYS["0"], budget(1, {"nodes": "3", "reasons": ["Empty"]}))


def test_times_of_many_lengths_are_not_written_out() -> None:
    """Four schedules can be read; five cannot."""
    spans = [range(day * 1440 + day, day * 1440 + 60) for day in range(5)]
    assert len(schedules(minutes_of(minute for span in spans[:4] for minute in span))) == 4
    assert schedules(minutes_of(minute for span in spans for minute in span)) == []


@for_each(
    ("days", "written"),
    [
        ([1, 2, 3], "mon-wed"),
        ([1, 2], "mon,tue"),
        ([1, 3, 5], "mon,wed,fri"),
        ([1, 2, 4], "mon,tue,thu"),
        ([0, 1, 2, 3, 4, 5, 6], "*"),
        ([6], "sat"),
    ],
)
def test_days_are_named(days: list[int], written: str) -> None:
    week = minutes_of(day * 1440 + minute for day in days for minute in range(65, 155))
    assert schedules(week) == [(f"5 1 * * {written}", "1h30m")]


@for_each(("minutes", "written"), [(60, "1h"), (59, "59m"), (61, "1h1m"), (120, "2h")])
def test_durations_are_written_short(minutes: int, written: str) -> None:
    assert schedules(minutes_of(range(minutes))) == [("0 0 * * sun", written)]


@for_each(
    ("budgets", "expected"),
    [
        ([], []),
        ([budget(0, {"nodes": "1"})], []),
        ([budget(0, {"nodes": "1"}), scheduled("0 3 * * *", "2h", at=1)], []),
        ([scheduled("0 3 * * *", "2h"), budget(1, {"nodes": "0"})], []),
        ([scheduled("0 0 * * *", "24h")], []),
        ([scheduled("0 0 * * *", "12h"), scheduled("0 12 * * *", "12h", at=1)], []),
        ([scheduled("0 0 1 * *", "1h")], [True]),
        ([scheduled("0 0 1 * *", "1h"), scheduled("0 12 1 * *", "1h", at=1)], []),
        ([scheduled("0 0 1 * *", "800h")], []),
        ([scheduled("0 3 * * *", "2h"), scheduled("0 0 1 * *", "1h", at=1)], []),
        ([scheduled("0 3 * * *", "2h"), scheduled("nonsense", "1h", at=1)], []),
        ([scheduled("nonsense", "1h")], []),
    ],
)
def test_when_no_budget_holds(budgets: list[Budget], expected: list[bool]) -> None:
    """A schedule by day of the month differs from week to week, so it is known that it pauses, but not when."""
    assert [opening.week == 0 for opening in unlimited_times(budgets, REASONS)] == expected


def test_reasons_of_one_time_come_together_and_name_the_budget_that_ends() -> None:
    closed, night = scheduled("0 0 * * *", "20h", "0"), scheduled("0 20 * * *", "1h", "5", at=1)
    (opening,) = unlimited_times([closed, night], REASONS)
    assert (opening.reasons, opening.every, opening.budget.at, opening.week.bit_count()) == (REASONS, True, 1, 7 * 180)
    empty = budget(2, {"nodes": "1", "reasons": ["Empty"]})
    (opening,) = unlimited_times([closed, night, empty], REASONS)
    assert (opening.reasons, opening.every) == (frozenset({"Underutilized", "Drifted"}), False)
    (opening,) = unlimited_times([closed], frozenset({"Drifted"}))
    assert (opening.reasons, opening.every, opening.budget.at) == (frozenset({"Drifted"}), True, 0)


@for_each(
    ("when", "lasts", "minutes"),
    [
        ("0 3 * * *", "2h", [(day, 180, 300) for day in range(7)]),
        ("0 0 * * 0", "1m", [(0, 0, 1)]),
        ("59 23 * * 6", "2m", [(6, 1439, 1440), (0, 0, 1)]),
        ("30 8 * * 1,3", "30m", [(1, 510, 540), (3, 510, 540)]),
        ("0 0 * * 1", "90s", [(1, 0, 1)]),
        ("0 0 1 * *", "1h", []),  # weeks differ
        ("0 0 1 * 1", "1h", []),  # Mondays are alike, but the first of a month is on any day
        ("0 0 * 1 1", "1h", []),  # only Mondays in January
        ("0 0 1 1 *", "1h", []),
        ("0 0 29 2 *", "1h", []),
        ("nonsense", "1h", []),
    ],
)
def test_the_minutes_of_a_week_in_which_a_budget_holds(
    when: str, lasts: str, minutes: list[tuple[int, int, int]]
) -> None:
    held = minutes_of(day * 1440 + minute for day, first, end in minutes for minute in range(first, end))
    assert scheduled(when, lasts).week() == held


@for_each(
    ("when", "lasts", "pauses"),
    [
        ("0 3 * * *", "1h", True),
        ("0 3 * * *", "23h59m", True),
        ("0 3 * * *", "24h", False),
        ("0 3 * * *", "24h20m", False),
        ("0 0 1 * *", "720h", True),
        ("0 0 1 * *", "800h", False),
        ("nonsense", "1h", False),
        ("0 3 * * *", None, False),
        (None, "1h", False),
    ],
)
def test_whether_a_schedule_ends_before_it_begins_again(when: str | None, lasts: str | None, *, pauses: bool) -> None:
    assert budget(0, {"schedule": when, "duration": lasts}).pauses() is pauses


def test_no_minutes_and_all_minutes_need_no_schedule() -> None:
    assert schedules(0) == []
    assert schedules(WHOLE) == []
