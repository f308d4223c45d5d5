"""Whether the publisher of a chart still supports a version of it."""

from enum import StrEnum

from gitgpu.model.catalog import Catalog
from gitgpu.model.syntax.version import NUMBERS, version


class Support(StrEnum):
    """What the publisher says about a minor version that is not the newest."""

    DEPRECATED = "deprecated"
    ENDED = "ended"


def support(software: str, release: str, catalog: Catalog) -> Support | None:
    """The support of a release; None if it is supported, or nothing is known. The facts are in catalog/charts."""
    row = catalog.facts("charts", software) or {}
    if not NUMBERS.match(release):
        return None
    minor = version(release)[:2]
    for state in (Support.ENDED, Support.DEPRECATED):
        if row.get(state) and minor <= version(row[state]):
            return state
    return None
