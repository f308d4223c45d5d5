"""The input of a refresh, and the rows that follow from it."""

from collections.abc import Mapping
from typing import NamedTuple

from gitgpu.model.catalog import Catalog
from gitgpu.refresh.answers.charts import ChartIndex
from gitgpu.refresh.answers.prices import Price
from gitgpu.refresh.answers.quotas import Limit
from gitgpu.refresh.answers.sizes import ListedSize
from gitgpu.refresh.answers.versions import OfferedVersion
from gitgpu.refresh.availability import known_limits, listed_sizes, offered_versions
from gitgpu.refresh.prices import listed_prices
from gitgpu.refresh.published import published_charts
from gitgpu.refresh.row import CatalogUpdate, together
from gitgpu.refresh.sizes import size_facts


class Answers(NamedTuple):
    """The content of the files, with quotas and versions by region, which their files do not name. `day` is today."""

    sizes: tuple[ListedSize, ...]
    prices: tuple[Price, ...]
    limits: Mapping[str, tuple[Limit, ...]]
    versions: Mapping[str, tuple[OfferedVersion, ...]]
    charts: tuple[ChartIndex, ...]
    day: str


def rows_of(answers: Answers, catalog: Catalog) -> CatalogUpdate:
    """The rows for everything in the files."""
    day = answers.day
    return together(
        (
            listed_sizes(answers.sizes, catalog, day),
            size_facts(answers.sizes, catalog, day),
            listed_prices(answers.prices, catalog, day),
            known_limits(answers.limits, catalog, day),
            offered_versions(answers.versions, day),
            published_charts(answers.charts, catalog, day),
        )
    )
