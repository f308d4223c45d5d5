"""Sizes that Azure does not offer: the reason and what to use, by the day that is given."""

from gitgpu.load.catalog.rows import CatalogFiles
from gitgpu.model.catalog import Catalog
from gitgpu.model.dates import retiring
from gitgpu.model.retirement import not_offered, replacement, retired_tags
from gitgpu.model.sku import Lifecycle, Sku
from tests.helping.cases import for_each

CATALOG = Catalog(CatalogFiles())


def size(status: str, date: str | None = None, replacement: str | None = None) -> Sku:
    """A size with this lifecycle, checked on 2026-11-01."""
    sku = CATALOG.sku("Standard_NC16as_T4_v3")
    assert sku is not None
    return sku._replace(lifecycle=Lifecycle(status, date, replacement), row={**sku.row, "verified": "2026-11-01"})


NAME = size("active").name
PLANNED = f"Azure planned to retire {NAME} on 2027-01-31"


@for_each(
    ("life", "today", "reason"),
    [
        ({"status": "active"}, "2030-01-01", ""),
        ({"status": "never-offered"}, "", f"Azure never offered {NAME}"),
        ({"status": "retired"}, "", f"Azure retired {NAME}"),
        ({"status": "retired", "date": "2026-01-31"}, "", f"Azure retired {NAME} on 2026-01-31"),
        ({"status": "retired", "date": "2026-01-31"}, "2026-01-31", f"Azure retired {NAME} on 2026-01-31"),
        ({"status": "retired", "date": "2026-01-31"}, "2026-01-30", ""),
        ({"status": "announced", "date": "2027-01-31"}, "2027-01-30", ""),
        ({"status": "announced", "date": "2027-01-31"}, "2027-01-31", PLANNED),
        ({"status": "announced", "date": "2027-01-31"}, "", ""),  # the catalog was checked before the day
    ],
)
def test_why_azure_does_not_offer_a_size(life: dict[str, str], today: str, reason: str) -> None:
    assert not_offered(size(**life), today) == reason
    assert retiring(size(**life), today) == (life["status"] in ("announced", "retired") and not reason)


@for_each(
    ("tag", "today", "reported"),
    [
        ("SkipGPUDriverInstall", "", True),
        ("skipgpudriverinstall", "2025-08-14", True),
        ("SkipGPUDriverInstall", "2025-08-13", False),
        ("team", "", False),
    ],
)
def test_tags_that_aks_has_retired(tag: str, today: str, *, reported: bool) -> None:
    message = f"AKS retired tag {tag} on 2025-08-14"
    assert list(retired_tags([tag], CATALOG, today)) == ([(tag, message)] if reported else [])


def test_what_to_use_instead() -> None:
    assert replacement(size("retired", replacement="Standard_B")) == "Standard_B"
    assert replacement(size("retired")) == "a size that `gitgpu sku list` shows as active"
