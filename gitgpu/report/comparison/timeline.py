"""Pictures of how nodes are replaced: the waves of a pool in a row, and when budgets pause them in a week."""

from collections.abc import Iterable

from gitgpu.compare import Rollout
from gitgpu.report.comparison.pools import minutes
from gitgpu.report.html.markup import escape
from gitgpu.schedule.week import WEEK, stretches
from gitgpu.spelling import count_text

_DAYS = ("Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")
_DAY = WEEK // len(_DAYS)  # minutes
_MOST_DRAWN = 48  # waves of a pool that are drawn one by one
_HEIGHT = 16  # pixels


def length(roll: Rollout, *, in_minutes: bool) -> int:
    """How long a rollout is in the picture: minutes, or waves if the time for a node is not known."""
    return (roll.minutes if in_minutes else roll.waves) or 0


def waves(roll: Rollout, longest: int, *, in_minutes: bool) -> str:
    """The waves of a pool one after another; `longest` is the length of the longest rollout. "" if it has no waves."""
    total = length(roll, in_minutes=in_minutes)
    if not (roll.waves and total and longest):
        return ""
    drawn = min(roll.waves, _MOST_DRAWN)
    width = 100 * total / longest / drawn
    shapes = "".join(
        f'<rect x="{number * width:.2f}%" width="{width:.2f}%" height="{_HEIGHT}" class="used"/>'
        for number in range(drawn)
    )
    said = count_text(roll.waves, "wave") + (f", {minutes(total)}" if in_minutes else "")
    return f'<svg class="bar" role="img" width="100%" height="{_HEIGHT}"><title>{said}</title>{shapes}</svg>'


def paused_week(roll: Rollout) -> str:
    """A week from Sunday 0:00 UTC, where what budgets forbid is hatched; "" if they pause nothing, or weeks differ."""
    if not roll.week:
        return ""
    pauses = stretches(roll.week)
    shapes = "".join(_paused(start, minutes_long) for start, minutes_long in pauses)
    days = "".join(_shape(day * _DAY, (day + 1) * _DAY, "day") for day in range(len(_DAYS)))
    said = escape(f"Paused {pauses_text(pauses)} (UTC)")
    picture = f'<svg class="bar" role="img" width="100%" height="{_HEIGHT}"><title>{said}</title>{days}{shapes}</svg>'
    return f'{picture}<div class="days" aria-hidden="true">{"".join(f"<span>{day[:2]}</span>" for day in _DAYS)}</div>'


def pauses_text(pauses: Iterable[tuple[int, int]]) -> str:
    """`Monday 8:00 to 18:00, Friday 20:00 to Monday 6:00`, from the first minutes and the lengths."""
    texts = []
    for start, minutes_long in pauses:
        end = start + minutes_long
        same_day = end <= (start // _DAY + 1) * _DAY and end % _DAY
        texts.append(f"{_moment(start)} to {_moment(end).rpartition(' ')[2] if same_day else _moment(end)}")
    return ", ".join(texts)


def _moment(minute: int) -> str:
    hour, rest = divmod(minute % _DAY, 60)
    return f"{_DAYS[minute // _DAY % len(_DAYS)]} {hour}:{rest:02}"


def _paused(start: int, minutes_long: int) -> str:
    """A pause; what continues after the end of the week is drawn at its start."""
    end = start + minutes_long
    rest = _shape(0, end - WEEK, "idle") if end > WEEK else ""
    return _shape(start, min(end, WEEK), "idle") + rest


def _shape(start: int, end: int, look: str) -> str:
    left, width = 100 * start / WEEK, 100 * (end - start) / WEEK
    return f'<rect x="{left:.3f}%" width="{width:.3f}%" height="{_HEIGHT}" class="{look}"/>'
