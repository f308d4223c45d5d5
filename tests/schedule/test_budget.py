"""Disruption budgets: when none holds, and the budgets that hold then."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from gitgpu.schedule.budget import REASONS, WEEK, Budget, budget, complement, unlimited

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


def opened(*budgets: Budget) -> list[frozenset[int]]:
    return [found.week for found in unlimited(budgets, REASONS)]


def scheduled(when: str, lasts: str, nodes: str = "1", at: int = 0) -> Budget:
    return budget(at, {"nodes": nodes, "schedule": when, "duration": lasts})


@pytest.mark.parametrize(("when", "lasts", "rest"), ALLOWED.values(), ids=ALLOWED)
def test_the_rest_of_the_week(when: str, lasts: str, rest: list[tuple[str, str]]) -> None:
    allowed = scheduled(when, lasts)
    (week,) = opened(allowed)
    assert complement(week) == rest
    assert len(week) + len(allowed.week()) == WEEK


times = st.tuples(st.integers(0, 59), st.integers(0, 23), st.sets(st.integers(0, 6), min_size=1))


@given(times, st.integers(1, WEEK - 1))
@example((0, 3, {6}), 120)
@example((30, 22, {0, 6}), 2880)
def test_allowed_times_and_the_rest_are_the_week(time: tuple[int, int, set[int]], minutes: int) -> None:
    minute, hour, days = time
    allowed = scheduled(f"{minute} {hour} * * {','.join(map(str, sorted(days)))}", f"{minutes}m")
    for week in opened(allowed):
        rest = [scheduled(*one, nodes="0", at=at) for at, one in enumerate(complement(week), start=1)]
        assert rest == [] or not opened(allowed, *rest)
        assert not any(one.week() & allowed.week() for one in rest)
        assert rest or len(days) > 4
