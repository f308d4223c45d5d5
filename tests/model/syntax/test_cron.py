"""Cron as Karpenter parses it: valid and invalid schedules, and the times between them."""

import pytest

from gitgpu.model.syntax.cron import DAY, cron, schedule_fault
from tests.helping.cases import for_each


@for_each(
    ("text", "gap"),
    [
        ("* * * * *", 1),
        ("@hourly", 60),
        ("@daily", DAY),
        ("0 0 * * *", DAY),
        ("0 6,18 * * *", DAY // 2),
        ("0 6 * * 1-5", 3 * DAY),
        ("0 6 * * MON-Fri", 3 * DAY),
        ("@weekly", 7 * DAY),
        ("0 0 1 * *", 31 * DAY),
        ("@yearly", 366 * DAY),
        ("*/20 9-17 * * ?", 15 * 60 + 20),
        ("0 0 1 * 1", 7 * DAY),  # the first and every Monday
        ("0 0 */2 * 1", 2 * DAY),  # a star with a step does not count as a star
        ("0/30 * * * *", 30),
    ],
)
def test_the_longest_gap(text: str, gap: int) -> None:
    assert cron(text).longest_gap == gap


@pytest.mark.parametrize("text", ["0 0 30 2 *", ", 0 * * *", "0 0 31 4,6 *"])
def test_schedules_that_never_begin(text: str) -> None:
    assert cron(text).longest_gap is None


@for_each(
    ("text", "word"),
    [
        ("0 24 * * *", "24 is not a valid hour"),
        ("60 0 * * *", "minute"),
        ("0 0 0 * *", "day of the month"),
        ("0 0 * 13 *", "month"),
        ("0 0 * * 7", "day of the week"),
        ("0 0 * * sunday", "'sunday' is not a valid day of the week"),
        ("0 0 5-1 * *", "empty"),
        ("*/0 * * * *", "empty"),
        ("0 0 * *", "4 fields"),
        ("@every 1h", "descriptor"),
        ("0 0 1-2-3 * *", "not a valid day of the month"),
        ("0 0 L * *", "'L'"),
        ("*/2/3 * * * *", "step"),
    ],
)
def test_schedules_that_are_refused(text: str, word: str) -> None:
    with pytest.raises(ValueError, match=word):
        cron(text)


def test_months_and_weekdays_have_names() -> None:
    months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
    for number, name in enumerate(months, start=1):
        assert cron(f"0 0 1 {name} *").days == cron(f"0 0 1 {number} *").days
    for number, name in enumerate(["sun", "mon", "tue", "wed", "thu", "fri", "sat"]):
        assert cron(f"0 0 * * {name}").days == cron(f"0 0 * * {number}").days


@for_each(
    ("text", "fault"),
    [
        ("0 8 * * mon-fri", ""),
        (" @daily ", ""),
        ("@every 24h", ""),
        ("@sometimes", "@sometimes is not a descriptor"),
        ("TZ=UTC 0 8 * * *", "it is in UTC, and time zones are not supported"),
        ("CRON_TZ=UTC 0 8 * * *", "it is in UTC, and time zones are not supported"),
    ],
)
def test_why_karpenter_cannot_read_a_schedule(text: str, fault: str) -> None:
    """The schema of NodePools reports `@every`."""
    assert schedule_fault(text) == fault
