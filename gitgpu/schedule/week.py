"""Minutes of a week, as the bits of a number: bit 0 is Sunday 0:00 UTC. Weeks are joined and compared with & and |."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from gitgpu.model.syntax.cron import DAY, Cron

WEEK = 7 * DAY  # minutes
WHOLE = (1 << WEEK) - 1
_WEEKDAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
_READABLE = 4  # a remedy with more budgets than this is too long to read


def active(schedule: Cron, minutes: int) -> int:
    """The minutes of every week in which runs of this length are active; 0 if weeks differ."""
    by_weekday: dict[int, list[int]] = {}
    for day in schedule.days:
        by_weekday.setdefault(day % 7, []).append(day)  # 0 is Sunday: see `cron`
    # A day of the month does not fall on one weekday, so such a schedule has no typical week.
    if not all(len(days) > 1 and _are_weekly(days) for days in by_weekday.values()):
        return 0
    length = (1 << min(minutes, WEEK)) - 1
    of_day = 0  # what a run that starts on Sunday covers
    for start in schedule.minutes:
        of_day |= _later(length, start)
    week = 0
    for weekday in by_weekday:
        week |= _later(of_day, weekday * DAY)
    return week


def schedules(week: int) -> list[tuple[str, str]]:
    """Schedules and durations that together cover exactly these minutes; [] if there are too many."""
    days: dict[tuple[int, int], list[int]] = {}  # by time of the day and length
    for start, minutes in stretches(week):
        days.setdefault((start % DAY, minutes), []).append(start // DAY)
    if len(days) > _READABLE:
        return []
    return [(_schedule(time, weekdays), _duration(minutes)) for (time, minutes), weekdays in days.items()]


def _later(week: int, minutes: int) -> int:
    """The same, later: the end of the week continues at its start."""
    moved = week << minutes
    return (moved | moved >> WEEK) & WHOLE


def stretches(week: int) -> list[tuple[int, int]]:
    """The unbroken stretches of these minutes, across the end of the week: the first minute and the length."""
    before = _later(week, 1)  # the minutes after those of the week
    starts = list(_positions(week & ~before))
    ends = list(_positions(before & ~week))
    if starts and ends[0] < starts[0]:  # the last stretch continues in the next week
        ends = [*ends[1:], ends[0] + WEEK]
    return [(start, end - start) for start, end in zip(starts, ends, strict=True)]


def _positions(week: int) -> Iterator[int]:
    while week:
        lowest = week & -week
        yield lowest.bit_length() - 1
        week ^= lowest


def _schedule(time: int, weekdays: Iterable[int]) -> str:
    named = sorted(weekdays)
    run = all(later - number == 1 for number, later in pairwise(named))
    if len(named) == len(_WEEKDAYS):
        days = "*"
    elif run and len(named) > 2:  # two days are as short with a comma
        days = f"{_WEEKDAYS[named[0]]}-{_WEEKDAYS[named[-1]]}"
    else:
        days = ",".join(_WEEKDAYS[day] for day in named)
    return f"{time % 60} {time // 60} * * {days}"


def _duration(minutes: int) -> str:
    hours, rest = divmod(minutes, 60)
    if hours and rest:
        return f"{hours}h{rest}m"
    return f"{hours}h" if hours else f"{rest}m"


def _are_weekly(days: Sequence[int]) -> bool:
    return all(later - day == 7 for day, later in pairwise(days))
