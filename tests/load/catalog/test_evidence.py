"""How old the evidence of a catalog is, from the dates of its rows."""

import pytest

from gitgpu.load.catalog.evidence import Evidence, evidence
from gitgpu.load.catalog.folders import Folder
from gitgpu.load.catalog.rows import CatalogFiles

ROWS = {
    "gpus/A.yaml": 'name: A\nasOf: "2030-01-01"\nverified: "2031-01-02"\n',
    "gpus/B.yaml": "name: B\nasOf: null\nverified: 2031-01-03\n",
    "gpus/C.yaml": "name: C\nverified: '2030-12-31'\n",
    "prices/x.yaml": 'name: x\ndate: "2030-02-01"\nasOf: "2030-02-01"\nverified: "2031-01-02"\n',
    "prices/y.yaml": 'name: y\ndate: "2030-03-01"\nverified: "2031-01-02"\n',
}


def of(*paths: str) -> Evidence:
    """The age of a catalog that has only these rows."""
    return evidence(CatalogFiles([Folder("catalog", "", {path: ROWS[path] for path in paths})]))


def test_the_age_of_all_rows() -> None:
    age = of(*ROWS)
    assert age == Evidence("2030-02-01", "2030-01-01", "2030-12-31", "2030-02-01", "2031-01-03", 1)
    dates = "evidence of 2030-02-01 (median), oldest 2030-01-01, newest 2030-12-31"
    assert str(age) == f"{dates}; prices of 2030-02-01"


@pytest.mark.parametrize(
    ("path", "day"),
    [("gpus/A.yaml", "2030-01-01"), ("gpus/C.yaml", "2030-12-31"), ("prices/y.yaml", "2030-03-01")],
)
def test_the_date_of_a_row(path: str, day: str) -> None:
    assert of(path).median == day


def test_a_catalog_without_dates() -> None:
    assert of("gpus/B.yaml") == Evidence(unknown=1)
    assert "prices" not in str(of("gpus/A.yaml"))
