"""How old the evidence of a catalog is: the dates of the newest sources of its rows."""

import re
from statistics import median_low
from typing import NamedTuple

from gitgpu.load.catalog.rows import CatalogFiles

# The dates of a row, as bytes, because parsing every row takes long. A line break is found faster than `^`.
# `null` means that no source has a known date.
_DATE = re.compile(rb"""\n(asOf|date|verified): ["']?(null|[0-9]{4}-[0-9]{2}-[0-9]{2})""")


class Evidence(NamedTuple):
    """Dates such as 2026-08-21, or "" if no row has one. `unknown` is the number of rows whose sources have no date.

    The median is that of the rows with a date; `prices` is the oldest date of prices, `checked` that of the last check
    of a row against its sources.
    """

    median: str = ""
    oldest: str = ""
    newest: str = ""
    prices: str = ""
    checked: str = ""
    unknown: int = 0

    def __str__(self) -> str:
        """One line for people."""
        prices = f"; prices of {self.prices}" if self.prices else ""
        return f"evidence of {self.median} (median), oldest {self.oldest}, newest {self.newest}{prices}"


def evidence(files: CatalogFiles) -> Evidence:
    """The age of all rows. A row without `asOf`, as a user writes it, is as old as its check.

    It reads every file of the catalog, which takes long: it is for `version`, and for pages with results.
    """
    days: list[str] = []
    prices: list[str] = []
    checks: list[str] = []
    unknown = 0
    for content in files.everything():
        found = {key.decode(): day.decode() for key, day in _DATE.findall(content)}
        day = found.get("date") or found.get("asOf") or found.get("verified")
        checks += [found["verified"]] if "verified" in found else []
        if day == "null":
            unknown += 1
        elif day:
            days.append(day)
            prices += [day] if content.startswith(b"prices/") else []
    if not days:
        return Evidence(unknown=unknown)
    return Evidence(median_low(days), min(days), max(days), min(prices, default=""), max(checks, default=""), unknown)
