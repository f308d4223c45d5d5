"""Cron expressions as Karpenter reads them: five fields or a descriptor, in UTC (robfig/cron v3, ParseStandard)."""

from datetime import date
from functools import cache
from itertools import product
from typing import NamedTuple

DAY = 24 * 60  # minutes
_MONTH_NAMES = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
MONTHS = {name: number for number, name in enumerate(_MONTH_NAMES, start=1)}
WEEKDAYS = {name: number for number, name in enumerate(("sun", "mon", "tue", "wed", "thu", "fri", "sat"))}
FIELDS: tuple[tuple[str, int, int, dict[str, int]], ...] = (
    ("minute", 0, 59, {}),
    ("hour", 0, 23, {}),
    ("day of the month", 1, 31, {}),
    ("month", 1, 12, MONTHS),
    ("day of the week", 0, 6, WEEKDAYS),  # robfig/cron does not accept 7 for Sunday
)
# Without `@every`, which the schema of NodePools rejects.
DESCRIPTORS = {
    "@yearly": "0 0 1 1 *",
    "@annually": "0 0 1 1 *",
    "@monthly": "0 0 1 * *",
    "@weekly": "0 0 * * 0",
    "@daily": "0 0 * * *",
    "@midnight": "0 0 * * *",
    "@hourly": "0 * * * *",
}
# Eight years contain 29 February twice, so that a schedule for it has a gap.
WINDOW = range(date(2024, 1, 1).toordinal(), date(2032, 1, 1).toordinal())


class Cron(NamedTuple):
    """When a schedule starts: minutes of the day, and days as ordinals in a window of eight years."""

    minutes: tuple[int, ...]
    days: tuple[int, ...]

    @property
    def longest_gap(self) -> int | None:
        """The most minutes from one start to the next; None if there is no second start."""
        if not self.minutes or len(self.days) < 2:
            return None
        within = max((later - minute for minute, later in zip(self.minutes, self.minutes[1:], strict=False)), default=0)
        overnight = DAY - self.minutes[-1] + self.minutes[0]
        widest_gap = max(later - day for day, later in zip(self.days, self.days[1:], strict=False))
        return max(within, overnight + (widest_gap - 1) * DAY)


@cache
def cron(text: str) -> Cron:
    """Parses a schedule. Raises ValueError, with the reason, if Karpenter cannot read it."""
    fields, (minutes, hours, days, months, weekdays) = _parse(text)
    # Cron joins the two day fields with "or", unless one is a star (dayMatches of robfig/cron).
    _, _, day_field, _, weekday_field = fields
    joined = all if _starred(day_field) or _starred(weekday_field) else any
    dates = []
    for ordinal, month, day in _window():
        # The ordinal of a Sunday is a multiple of 7.
        if month in months and joined((day in days, ordinal % 7 in weekdays)):
            dates.append(ordinal)
    times = sorted(60 * hour + minute for hour, minute in product(hours, minutes))
    return Cron(tuple(times), tuple(dates))


def schedule_fault(text: str) -> str:
    """Why Karpenter cannot read a schedule; "" if it can."""
    line = text.strip()
    if line.startswith(("TZ=", "CRON_TZ=")):
        return "it is in UTC, and time zones are not supported"
    if line.startswith("@every "):  # the schema of NodePools rejects it, with another message
        return ""
    try:
        _parse(line)
    except ValueError as reason:
        return str(reason)
    return ""


def _parse(text: str) -> tuple[list[str], list[set[int]]]:
    """The fields of a schedule, and the values of each."""
    fields = DESCRIPTORS.get(text, text).split()
    if text.startswith("@") and text not in DESCRIPTORS:
        raise ValueError(f"{text} is not a descriptor")
    if len(fields) != len(FIELDS):
        raise ValueError(f"it has {len(fields)} fields instead of {len(FIELDS)}")
    return fields, [_field(field, at) for at, field in enumerate(fields)]


@cache
def _window() -> tuple[tuple[int, int, int], ...]:
    """The days of the window: ordinal, month, day of the month."""
    dates = ((at, date.fromordinal(at)) for at in WINDOW)
    return tuple((at, day.month, day.day) for at, day in dates)


def _starred(field: str) -> bool:
    """Whether the field contains a star without a step, so that only the other day field counts."""
    for part in field.split(","):
        star, _, step = part.partition("/")
        if star in ("*", "?") and step in ("", "1"):
            return True
    return False


def _field(text: str, at: int) -> set[int]:
    values: set[int] = set()
    for part in filter(None, text.split(",")):
        values |= set(_range(part, at))
    return values


def _range(part: str, at: int) -> range:
    name, minimum, maximum, names = FIELDS[at]
    bounds, slash, step = part.partition("/")
    low, dash, high = bounds.partition("-")
    if low in ("*", "?"):
        first, last = minimum, maximum
    else:
        first = _number(low, name, names)
        # `5/15` without an end means "from 5 to the end, every 15".
        last = maximum if slash else first
        if dash:
            last = _number(high, name, names)
    by = _number(step, "step", {}) if slash else 1
    if first < minimum or last > maximum:
        raise ValueError(f"{bounds} is not a valid {name} ({minimum} to {maximum})")
    if first > last or not by:
        raise ValueError(f"{part} is empty")
    return range(first, last + 1, by)


def _number(text: str, name: str, names: dict[str, int]) -> int:
    if text.lower() in names:
        return names[text.lower()]
    if not (text.isascii() and text.isdigit()):
        raise ValueError(f"'{text}' is not a valid {name}")
    return int(text)
