"""When disruption budgets allow a disruption, compared with a count of every minute."""

from datetime import UTC, datetime

from gitgpu.schedule.budget import Budget, budget
from gitgpu.schedule.openings import allowed_disruptions, next_opening
from tests.helping.cases import for_each


def at(text: str) -> int:
    """A time in minutes."""
    time = datetime.fromisoformat(text).replace(tzinfo=UTC)
    return time.toordinal() * 1440 + time.hour * 60 + time.minute


def given(*written: dict[str, object]) -> list[Budget]:
    return [budget(number, entry) for number, entry in enumerate(written)]


NIGHT: dict[str, object] = {"nodes": "0", "schedule": "0 0 * * *", "duration": "8h"}
MORNING: dict[str, object] = {"nodes": "0", "schedule": "0 7 * * mon-fri", "duration": "3h"}


@for_each(
    ("budgets", "nodes", "expected"),
    [
        (given(), 10, None),
        (given({"nodes": "10%"}), 11, 2),
        (given({"nodes": "10%"}, {"nodes": "1"}), 100, 1),
        (given({"nodes": "5", "reasons": ["Drifted"]}), 10, None),
        (given(NIGHT), 10, 0),
    ],
)
def test_allowed(budgets: list[Budget], nodes: int, expected: int | None) -> None:
    assert allowed_disruptions(budgets, "Empty", nodes, at("2026-01-01T03:00")) == expected


@for_each(
    ("budgets", "now", "expected"),
    [
        (given(NIGHT), "2026-01-01T00:12", "2026-01-01T08:00"),
        (given(NIGHT), "2026-01-01T08:00", "2026-01-01T08:00"),
        (given(NIGHT, MORNING), "2026-01-01T00:12", "2026-01-01T10:00"),  # a Thursday
        (given(NIGHT, MORNING), "2026-01-03T00:12", "2026-01-03T08:00"),  # a Saturday
        (given({"nodes": "0", "schedule": "0 22 * * *", "duration": "4h"}), "2026-01-02T01:00", "2026-01-02T02:00"),
        (given({"nodes": "0"}), "2026-01-01T00:12", None),
        (given({"nodes": "0", "schedule": "@daily", "duration": "24h"}), "2026-01-01T00:12", None),
        (given({"nodes": "0", "schedule": "0 0 29 2 *", "duration": "24h"}), "2028-02-29T12:00", "2028-03-01T00:00"),
        (given({"nodes": "0", "schedule": "not a schedule", "duration": "1h"}), "2026-01-01T00:12", None),
    ],
)
def test_next_opening(budgets: list[Budget], now: str, expected: str | None) -> None:
    found = next_opening(budgets, "Empty", 10, 0, at(now))
    assert found == (at(expected) if expected else None)


def test_busy_nodes_use_the_budget() -> None:
    assert next_opening(given({"nodes": "2"}), "Empty", 10, 2, at("2026-01-01T00:00")) is None
    assert next_opening(given({"nodes": "2"}), "Empty", 10, 1, at("2026-01-01T00:00")) == at("2026-01-01T00:00")


def test_the_opening_is_the_first_minute_that_is_allowed() -> None:
    budgets = given(NIGHT, MORNING, {"nodes": "0", "schedule": "*/50 9-11 * * *", "duration": "20m"})
    start = at("2026-01-01T00:00")
    for minute in range(start, start + 3 * 1440, 7):
        later = minute
        while allowed_disruptions(budgets, "Empty", 10, later) == 0:
            later += 1
        assert next_opening(budgets, "Empty", 10, 0, minute) == later
