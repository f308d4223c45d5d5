"""Kubernetes versions on AKS: their status according to the catalog and the date."""

from datetime import date, timedelta

from gitgpu.model.catalog import Catalog, Facts
from gitgpu.model.dates import has_begun, is_before, over
from gitgpu.model.inputs import Inputs
from gitgpu.model.syntax.version import version

_NOTICE = timedelta(days=30)  # AKS gives 30 days to upgrade after the end of a version


def life_cycles(catalog: Catalog) -> dict[str, Facts]:
    """The life cycle of every version on AKS, by its name such as 1.34."""
    return {name: row["aks"] for name, row in catalog.rows("kubernetes").items()}


def is_past_end_of_life(life: Facts, today: str) -> bool:
    """Whether the version is past its end of life. The user may ask about an earlier day than that of the catalog."""
    has_ended = life["status"] == "eol" and not is_before(today, life["endOfLife"])
    return has_ended or over(life["endOfLife"], today)


def ends_soon(last_day: str | None, today: str) -> bool:
    """Whether 30 days or less are left until the last day. False without a day; not called for a day that is past."""
    return last_day is not None and has_begun((date.fromisoformat(last_day) - _NOTICE).isoformat(), today)


def forced_upgrade(catalog: Catalog, today: str) -> str:
    """What AKS does with clusters that stay on a version without support, to follow a message about one."""
    forced = catalog.must("upgrades", "aks")["forced"]
    first = forced["since"]
    since = f"as of {first}" if has_begun(first, today) else f"from {first} on"
    return f"{since}, AKS upgrades clusters by itself {forced['graceDays']} days after the end of platform support"


def is_preview(life: Facts, today: str) -> bool:
    """Whether the version is still in preview."""
    return life["status"] == "preview" and not over(life["ga"], today)


def version_list(catalog: Catalog, region: str) -> Facts | None:
    """AKS's list for a region: its `date`, and its `versions` by name; None if there is no list."""
    row = catalog.facts("availability", region)
    listing: Facts | None = row.get("kubernetes") if row else None
    return listing


def supported_versions(inputs: Inputs) -> str:
    """The versions that AKS supports, oldest first, as text."""
    usable = []
    for name, life in life_cycles(inputs.catalog).items():
        if not (is_preview(life, inputs.today) or is_past_end_of_life(life, inputs.today)):
            usable.append(name)
    return ", ".join(sorted(usable, key=version)) or "a newer one"
