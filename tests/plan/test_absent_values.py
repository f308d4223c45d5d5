"""Chart values that a pinned version does not read."""

from gitgpu.load.catalog.rows import CatalogFiles
from gitgpu.model.catalog import Catalog
from gitgpu.plan.chart import absent_values

CATALOG = Catalog(CatalogFiles())


def test_the_newest_version_reads_all_values() -> None:
    for name in CATALOG.names("charts"):
        assert absent_values(name, CATALOG) == ()


def test_a_value_is_absent_before_its_first_and_after_its_last_version() -> None:
    pins = {"keda": "2.18.3", "network-operator": "25.10.0"}
    assert all(pin in CATALOG.versions(name) for name, pin in pins.items())
    pinned = CATALOG.with_pins(pins)
    for name, pin in pins.items():
        numbers = tuple(map(int, pin.split(".")))
        facts = CATALOG.must("values", CATALOG.must("charts", name)["chart"])
        absent = absent_values(name, pinned)
        assert list(absent) == sorted(absent)
        for path, bounds in facts["ranges"].items():
            first, last = (tuple(map(int, bound.split("."))) if bound else None for bound in bounds)
            read = (first is None or first <= numbers) and (last is None or numbers <= last)
            assert (path in absent) is not read, path
    assert absent_values("network-operator", pinned)
