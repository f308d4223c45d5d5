"""Catalog rows: each matches its schema, names its sources, and refers only to existing rows."""

import json
import re
from collections.abc import Iterator
from datetime import UTC, date, datetime
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator

from gitgpu.load.catalog.rows import CatalogFiles
from gitgpu.model.catalog import Catalog
from gitgpu.model.syntax.version import version
from tests.helping.cases import for_each
from tests.helping.nested import values_inside

ROOT = Path(__file__).parents[2]
SEEDS = ROOT.parent / "shared" / "seeds"
FILES = CatalogFiles()
KINDS = FILES.kinds
PLACE = re.compile(r"https://[a-z0-9.-]+\.[a-z]{2,}/\S*[^\s.,)]")


@cache
def rows(kind: str) -> dict[str, Any]:
    """The data of every row of a kind, by the name of its file."""
    by_name = {name: FILES.row(kind, name) for name in FILES.names(kind)}
    assert FILES.faults == []
    return {name: row.data for name, row in by_name.items() if row}


@for_each("kind", KINDS)
def test_every_row_fits_its_schema(kind: str) -> None:
    schema = json.loads((ROOT / f"schemas/catalog/{kind}.schema.json").read_text("utf-8"))
    validator = Draft7Validator(schema)
    wrong = [
        (name, error.json_path, error.message)
        for name in rows(kind)
        for error in validator.iter_errors(rows(kind)[name])
    ]
    assert wrong == []
    assert rows(kind)


@for_each("key", ["repository", "key"])
@for_each("address", ["https://a.example/$(id)", "https://a.example/x y", "https://a.example/a;b", "http://a"])
def test_an_address_cannot_inject_code_into_a_script_of_nodes(key: str, address: str) -> None:
    schema = json.loads((ROOT / "schemas/catalog/packages.schema.json").read_text("utf-8"))
    assert not Draft7Validator(schema).is_valid(rows("packages")["amdgpu"] | {key: address})


def test_every_schema_has_rows_but_those_about_one_subscription_or_day() -> None:
    schemas = {path.name.removesuffix(".schema.json") for path in (ROOT / "schemas/catalog").iterdir()}
    assert schemas == {*KINDS, "availability", "published"}


@for_each("kind", KINDS)
def test_a_row_has_the_name_of_its_file(kind: str) -> None:
    folder = ROOT / "catalog" / kind
    assert {path.suffix for path in folder.iterdir()} == {".yaml"}
    assert {name: row["name"] for name, row in rows(kind).items()} == {
        path.stem: path.stem for path in folder.iterdir()
    }
    assert len({name.lower() for name in rows(kind)}) == len(rows(kind))  # on any disk


@for_each("kind", KINDS)
def test_a_row_has_its_source_and_date(kind: str) -> None:
    for name, row in rows(kind).items():
        assert row["source"], name
        assert [url for url in row["source"] if not PLACE.fullmatch(url)] == [], name
        assert date.fromisoformat(row["verified"]) <= datetime.now(UTC).date(), name


def dates(row: Any) -> Iterator[str]:
    """Every text that is meant as a date."""
    for _, value in values_inside(row):
        if isinstance(value, str) and re.fullmatch(r"\d{4}-\d{2}-\d{2}", value):
            yield value


@for_each("kind", KINDS)
def test_every_date_is_a_day_of_the_calendar(kind: str) -> None:
    assert all(date.fromisoformat(day) for row in rows(kind).values() for day in dates(row))


def test_sizes_name_rows_that_exist() -> None:
    skus = rows("skus")
    named = {
        "gpus": {sku["gpu"]["name"] for sku in skus.values()} - {None},
        "drivers": {sku["driver"] for sku in skus.values()} - {None},
        "skus": {sku["lifecycle"]["replacement"] for sku in skus.values()} - {None},
        "regions": {region for sku in skus.values() for region in sku["zones"]},
    }
    assert [(kind, names - rows(kind).keys()) for kind, names in named.items() if names - rows(kind).keys()] == []
    assert rows("gpus").keys() == named["gpus"]  # every GPU belongs to a size


def test_prices_name_rows_that_exist() -> None:
    prices = rows("prices")
    assert prices.keys() <= rows("regions").keys()
    priced = {size for price in prices.values() for size in (*price["onDemand"], *price["spot"])}
    assert priced <= rows("skus").keys()


def test_a_spot_price_is_below_the_on_demand_price() -> None:
    for name, price in rows("prices").items():
        assert [size for size, paid in price["spot"].items() if paid > price["onDemand"].get(size, paid)] == [], name


def test_counters_and_metrics_name_the_same_fields() -> None:
    known = {field for row in rows("counters").values() for field in row["fields"]}
    assert {field for row in rows("metrics").values() for field in row["fields"]} <= known
    profiling = set(rows("counters")["profiling"]["fields"])
    for name, row in rows("metrics").items():
        assert row["profiling"] is bool(profiling & set(row["fields"])), name


def test_metrics_that_are_queried_for_amd_gpus_exist() -> None:
    there = {metric for metric, known in rows("series")["amd"]["guest"].items() if known}
    asked = {metric for row in rows("metrics").values() for metric in row["amd"] or ()}
    terms = [term for row in rows("alerts").values() if row.get("scope") == "amd" for term in row["terms"]]
    assert asked | {metric for term in terms for metric in term["fields"]} <= there


def test_zones_of_a_size_are_zones_of_the_region() -> None:
    wrong = [
        (name, region)
        for name, sku in rows("skus").items()
        for region, zones in sku["zones"].items()
        if not set(zones) <= set(rows("regions")[region]["zones"])
    ]
    assert wrong == []


def test_sizes_do_not_contradict_themselves() -> None:
    for name, sku in rows("skus").items():
        life, gpu = sku["lifecycle"], rows("gpus").get(sku["gpu"]["name"])
        assert life["replacement"] != name
        assert life["date"] is None or life["status"] in ("announced", "retired"), name
        assert life["status"] != "announced" or life["date"], name
        assert life["status"] != "retired" or (life["date"] or "") <= sku["verified"], name
        assert sku["mig"] is not True or (gpu and gpu["mig"]), name
        assert not (sku["driver"] and gpu and gpu["manufacturer"] == "amd"), name
        assert sku["karpenter"]["reason"] or sku["karpenter"]["offer"] == "offered", name
        assert Fraction(sku["gpu"]["share"] or 1) <= 1, name


NAME = re.compile(
    r"Standard_(?P<family>[A-Z])(?P<more>[A-Z]{0,2})\d+-?\d*(?P<features>(?:[abcdefilmnoprstP]+|C+|NP)?)"
    r"_?(?:(?:xl_(?P<long>[A-Z]+\d+[A-Z]*)|(?P<gpu>[A-Z]+\d+))_?)?(?:_MI300X_)?(?P<version>(?:[vV][1-9])?)(?:_Promo)?"
)


def test_labels_of_a_name_are_those_that_karpenter_reads() -> None:
    """The grammar of Azure/skewer v0.0.24, which Karpenter for Azure 1.13 and 1.14 read the names of sizes with.

    A size that is not read is omitted. A GPU's name becomes a label only where Karpenter lists the size.
    """
    for name, sku in rows("skus").items():
        read, labels = NAME.fullmatch(name), (sku["family"], sku["series"], sku["version"])
        if sku["lifecycle"]["status"] == "never-offered":
            assert labels == (None, None, None), name
            continue
        assert read or (labels == (None, None, None) and "cannot read the name" in sku["karpenter"]["reason"]), name
        if read:
            version = read["version"] and f"_{read['version']}"
            series = f"{read['family']}{read['more']}{read['features']}{version}"
            assert labels == (read["family"], series, read["version"].lower().removeprefix("v") or "1"), name
        named = read and sku["karpenter"]["offer"] != "left-out" and (read["long"] or read["gpu"])
        assert sku["gpu"]["accelerator"] == (named or None), name


def test_notes_agree_with_the_fields() -> None:
    """Notes about GPUs and prices agree with the fields."""
    for name, sku in rows("skus").items():
        notes, karpenter = " ".join(sku.get("notes", ())), sku["karpenter"]
        assert ("Karpenter sees no GPU" in notes) == (karpenter["gpus"] == 0), name
        assert ("reports no GPU count" not in notes) or not karpenter["gpus"], name
        assert ("sets no sku-gpu-name" not in notes) or sku["gpu"]["accelerator"] is None, name
        assert ("ranks it last" not in notes and "has no price" not in notes) or not karpenter["priced"], name
        assert "it has a price" not in notes, name
        assert (karpenter["gpus"] is None) == (karpenter["offer"] == "left-out"), name


def test_versions_have_the_form_of_a_version() -> None:
    for row in rows("drivers").values():
        assert version(row["version"])
        assert row["version"].startswith(row["branch"])
    for row in rows("cuda").values():
        assert version(row["minimumDriver"])
    for name in rows("kubernetes"):
        assert version(name)[0] == 1
    for row in rows("charts").values():
        assert version(row["version"])


def test_containerd_is_known_on_every_system_of_an_image() -> None:
    for row in rows("images").values():
        systems = {entry["os"] for entry in (*row["versions"], *row["pools"])}
        assert {entry["os"] for entry in row["containerd"]} == systems
    runtimes = {entry["os"]: entry for row in rows("images").values() for entry in row["containerd"]}
    for row in rows("images").values():
        assert [
            entry for entry in row["containerd"] if entry != runtimes[entry["os"]]
        ] == []  # one system, one containerd


def test_every_row_becomes_a_size() -> None:
    catalog = Catalog(CatalogFiles())
    assert [sku.name for sku in catalog.skus] == sorted(rows("skus"))
    assert catalog.files.faults == []


@pytest.mark.skipif(not SEEDS.is_dir(), reason="the first table of sizes (../shared/seeds) is not here")
def test_every_name_of_the_first_table_is_a_row() -> None:
    texts = [path.read_text("utf-8", "replace") for path in sorted(SEEDS.iterdir())]
    table = {name for text in texts for name in re.findall(r"^\|\s*(standard_\w+)\s*\|", text, re.MULTILINE)}
    assert len(table) > 40
    known = {name.lower() for name in rows("skus")}
    assert table - known == set()
