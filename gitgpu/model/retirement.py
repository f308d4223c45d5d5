"""What Azure no longer offers: sizes and tags, as all rules report them.

On a given day, what was retired after it still exists; see `gitgpu.model.dates`.
"""

from collections.abc import Iterable, Iterator

from gitgpu.model.catalog import Catalog
from gitgpu.model.dates import is_before, is_retired, retirement
from gitgpu.model.sku import Sku


def not_offered(sku: Sku, today: str) -> str:
    """Why Azure does not offer the size on a day; empty if it does."""
    if sku.lifecycle.status == "never-offered":
        return f"Azure never offered {sku.name}"
    return retirement(sku) if is_retired(sku, today) else ""


def replacement(sku: Sku, shown: str = "active") -> str:
    """What to use instead of a size: its replacement, or any that `gitgpu sku list` shows with this word."""
    return sku.lifecycle.replacement or f"a size that `gitgpu sku list` shows as {shown}"


def retired_tags(tags: Iterable[str], catalog: Catalog, today: str) -> Iterator[tuple[str, str]]:
    """The tags that AKS has retired, each with a sentence that says so. Azure ignores the case of a tag's name."""
    since = {row["name"].lower(): row["since"] for row in catalog.must("pools", "aks")["retiredTags"]}
    for tag in tags:
        day = since.get(tag.lower())
        if day and not is_before(today, day):
            yield tag, f"AKS retired tag {tag} on {day}"
