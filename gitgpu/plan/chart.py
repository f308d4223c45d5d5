"""The Helm charts of catalog rows."""

from functools import lru_cache

from gitgpu.model.catalog import Catalog, Facts
from gitgpu.model.syntax.version import NUMBERS, inside, version
from gitgpu.plan.decided.charts import Chart, ChartImage


def chart(name: str, catalog: Catalog) -> Chart:
    """A chart of the catalog, pinned."""
    row = catalog.must("charts", name)
    return Chart(
        release=name,
        name=row["chart"],
        repository=row["repository"],
        oci=row["type"] == "oci",
        version=row["version"],
        namespace=row["namespace"],
        rows=catalog.own("charts", name),
        # Before a chart was renamed, upstream called its release by the old name.
        helm_release=row["chart"] if row["chart"] in row.get("renamed", ()) else name,
        definitions="foreignDefinitions" not in row,
        shared=_shared_definitions(row["chart"], row["version"], catalog),
        absent=absent_values(name, catalog),
        images=tuple(map(chart_image, row.get("images", ()))),
    )


@lru_cache(maxsize=64)
def absent_values(name: str, catalog: Catalog) -> tuple[str, ...]:
    """The paths of values that a pinned version does not read, not yet or no longer: gitgpu does not set these.

    They are dotted and sorted. () without a pin: tests prove that the newest version reads all values that gitgpu sets.
    """
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


def _shared_definitions(name: str, release: str, catalog: Catalog) -> dict[str, str]:
    """The definitions that this version of a chart always installs for the software of another chart."""
    row = catalog.facts("definitions", name)
    return {
        definition: part["owner"]
        for part in (row["parts"] if row else ())
        if "owner" in part and not part.get("values")
        for definition, bounds in part["definitions"].items()
        if inside(release, bounds)
    }


def chart_image(row: Facts) -> ChartImage:
    """An image from the row of its chart in the catalog."""
    return ChartImage(
        name=row["image"],
        tag=row["tag"],
        suffix=row.get("suffix", ""),
        digest=row["digest"] or "",
        registries=row["registry"],
        named_at=row.get("nameValue", ""),
        at=row.get("tagValue", ""),
        secrets=row.get("pullSecrets", {}),
        enabled=row.get("enabled", {}),
        use=row.get("use", ""),
    )
