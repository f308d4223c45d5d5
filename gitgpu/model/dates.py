"""Which announced days are past. A day is an ISO text, so that texts sort like days.

Nothing here reads a clock. If no day is given, the day on which the catalog was checked is used.
"""

from datetime import date, timedelta

from gitgpu.model.catalog import Facts
from gitgpu.model.sku import Sku

OLD = timedelta(days=90)  # a choice: Kubernetes has a new minor version about every four months


def has_begun(day: str | None, today: str) -> bool:
    """Whether the day has come. For the first day on which something is no longer available."""
    return bool(day) and today >= str(day)


def over(day: str | None, today: str) -> bool:
    """Whether the day or month is over. For the last day or month in which something is supported."""
    return day is not None and today[: len(day)] > day


def known_day(row: Facts, today: str) -> str:
    """The given day, or the day on which a row of the catalog was checked, if that is later."""
    return max(today, str(row["verified"]))


def evidence_day(row: Facts) -> str:
    """The date of the facts in a row: one that it states, that of its newest source, or that of its last check.

    Rows of a user have no `asOf`, unless the user writes it: they are as old as their check.
    """
    return str(row.get("date") or row.get("asOf") or row["verified"])


def is_old(day: str, today: str) -> bool:
    """Whether a fact of this date is old. Without a given day, facts have no age: no rule reads a clock."""
    return bool(today) and day < days_before(today, OLD)


def days_before(today: str, span: timedelta) -> str:
    """The day that is so long before another one, or the first day of the calendar."""
    return date.fromordinal(max(1, date.fromisoformat(today).toordinal() - span.days)).isoformat()


def is_retired(sku: Sku, today: str) -> bool:
    """Whether Azure has retired the size, according to the catalog or because the planned day has come."""
    life = sku.lifecycle
    if life.status == "retired":
        # The user may ask about an earlier day.
        return not is_before(today, life.date)
    # A plan can still change, so it is compared with the given day. Without one, with the day of the row.
    return life.status == "announced" and has_begun(life.date, today or str(sku.row["verified"]))


def retiring(sku: Sku, today: str) -> bool:
    """Whether the retirement of the size is announced for a day in the future."""
    return sku.lifecycle.status in ("announced", "retired") and not is_retired(sku, today)


def is_before(today: str, day: str | None) -> bool:
    """Whether the given day is before another. False if one of them is not known."""
    return bool(day and today) and today < str(day)


def retirement(sku: Sku) -> str:
    """The retirement of a retired size, for messages: a fact, or a plan whose day has come."""
    life = sku.lifecycle
    if life.status == "announced":
        return f"Azure planned to retire {sku.name} on {life.date}"
    return f"Azure retired {sku.name}" + (f" on {life.date}" if life.date else "")
