"""Tables of sizes on a terminal of 80 columns."""

import pytest

from gitgpu.model.size.availability import Sold, sale_of
from gitgpu.report.findings import Style
from gitgpu.report.sizes import listing
from tests.emit.fleets import CATALOG

NARROW = Style(width=80)


@pytest.mark.parametrize("region", ["", "westeurope"])
def test_each_size_has_one_line(region: str) -> None:
    """The dates of the prices are below the table if the header has no room for them, as no zone is known here."""
    offers = [(sku, sale_of(CATALOG, sku, region)) for sku in CATALOG.skus]
    dates = {sale.price_date for _, sale in offers if sale.price_date}
    *lines, note = listing(offers, region, NARROW).splitlines()
    assert max(map(len, [*lines, note])) <= 80
    assert [line.split()[0] for line in lines if line.startswith("Standard")] == [sku.name for sku, _ in offers]
    assert len(lines) - len(offers) == 2
    assert note == f"Prices are of {dates.pop()}."


def test_a_column_with_values_stays() -> None:
    """Zones that are known are shown, in a block if no table has room for them."""
    [size] = [sku for sku in CATALOG.skus if sku.name == "Standard_NC144lds_xl_RTXPRO6000BSE_v6"]
    sale = Sold("westeurope", {"westeurope": 7.87}, {"westeurope": ("1", "2")}, dates={"westeurope": "2026-06-18"})
    assert "ZONES: 1,2" in listing([(size, sale)], "westeurope", NARROW)
