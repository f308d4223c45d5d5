"""The clock: which announced days are past. A day is ISO text, so the order of texts is the order of days.

Nothing here looks at a real clock. Where no day is given, what the catalog knew when it was checked holds.
"""

from gitgpu.model.catalog import Facts
from gitgpu.model.sku import Sku


def begun(day: str | None, today: str) -> bool:
    """Has the day come? For the first day on which something is gone."""
    return bool(day) and today >= str(day)


def over(day: str | None, today: str) -> bool:
    """Is the day, or the month, over? For the last one on which something is supported."""
    return day is not None and today[: len(day)] > day


def known(row: Facts, today: str) -> str:
    """The later of the day that is given and the day on which a row of the catalog was checked."""
    return max(today, str(row["verified"]))


def retired(sku: Sku, today: str) -> bool:
    """Has Azure retired the size, as the catalog says or because the planned day has come?"""
    life = sku.lifecycle
    if life.status == "retired":
        return not is_before(today, life.date)
    # A plan can still change, so it is compared with the given day; without one, with the day of the row.
    return life.status == "announced" and begun(life.date, today or str(sku.row["verified"]))


def retiring(sku: Sku, today: str) -> bool:
    """Is the retirement of the size announced, and its day still to come?"""
    return sku.lifecycle.status in ("announced", "retired") and not retired(sku, today)


def is_before(today: str, day: str | None) -> bool:
    """Is the day that is given before another? Not where one of them is not known."""
    return bool(day and today) and today < str(day)


def retirement(sku: Sku) -> str:
    """What is known of the retirement of a retired size, as a message says it: a fact, or a plan whose day has come."""
    life = sku.lifecycle
    if life.status == "announced":
        return f"Azure planned to retire {sku.name} on {life.date}"
    return f"Azure retired {sku.name}" + (f" on {life.date}" if life.date else "")
