"""The values of a chart that a pinned version does not read, not yet or no longer. gitgpu does not set these."""

from functools import lru_cache

from gitgpu.model.catalog import Catalog
from gitgpu.model.syntax.version import NUMBERS, version


@lru_cache(maxsize=64)
def absent_values(name: str, catalog: Catalog) -> tuple[str, ...]:
    """Dotted paths, sorted. () without a pin: tests prove that the newest version reads all values that gitgpu sets."""
    row = catalog.must("charts", name)
    facts = catalog.facts("values", row["chart"]) if catalog.has_pin("charts", name) else None
    numbers = NUMBERS.fullmatch(row["version"])
    if facts is None or numbers is None:
        return ()
    installed = version(numbers[1])
    absent: list[str] = []
    for path, (first, last) in sorted(facts["ranges"].items()):
        if (first and installed < version(first)) or (last and version(last) < installed):
            absent.append(path)
    return tuple(absent)
