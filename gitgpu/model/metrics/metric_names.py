"""Names of the metrics of model servers and exporters, and names that differ from one of them in separators only."""

import re
from collections.abc import Mapping
from functools import lru_cache

from gitgpu.model.catalog import Catalog

# What Prometheus clients add to the name of a counter, a histogram or a summary.
_SUFFIX = re.compile("_(total|bucket|sum|count|created)$")
_SEPARATORS = re.compile("[:_]+")


def known_names(catalog: Catalog) -> Mapping[str, str]:
    """Every metric that the catalog knows, by its name in lower case with a single underscore as every separator."""
    names = set(catalog.must("dcgm", "fields")["fields"])
    for row in catalog.rows("series").values():
        names.update(row.get("metrics", ()))
    return _by_plain_name(tuple(sorted(names)))


@lru_cache(1)  # the catalog rarely differs between two runs of an editor
def _by_plain_name(names: tuple[str, ...]) -> Mapping[str, str]:
    return {_plain(name): name for name in names}


def intended_metric(name: str, known: Mapping[str, str]) -> str:
    """The metric that a name means if only its separators or its case differ; "" otherwise."""
    suffix = _SUFFIX.search(name)
    endings = ("", suffix.group()) if suffix else ("",)
    for ending in endings:
        base = name.removesuffix(ending)
        meant = known.get(_plain(base))
        if meant:
            return "" if meant == base else meant + ending
    return ""


def _plain(name: str) -> str:
    return _SEPARATORS.sub("_", name).lower()
