"""Catalog releases: what they inherit, what they change, and faults in the user's own releases."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator

from gitgpu.load.catalog.folders import Folder
from gitgpu.load.catalog.releases import KIND, PARTS, current, versions
from gitgpu.load.catalog.rows import CatalogFiles
from gitgpu.load.read import data_text
from gitgpu.model.catalog import Catalog, catalog
from tests.helping.cases import for_each
from tests.load.catalog.test_rows import faults, put

CATALOG = Catalog(CatalogFiles())
SOFTWARE = sorted({*CATALOG.files.names("charts"), *CATALOG.files.names("containers")})
RELEASES = list(CATALOG.rows(KIND).values())
ROW = """\
name: keda-2.99.0
software: keda
version: "2.99.0"
chart: {version: "2.99.0", appVersion: "2.99.0"}
image: null
source: [https://wiki.contoso.com/keda]
verified: "2026-11-23"
"""
DIGEST = f"sha256:{'0' * 64}"
IMAGE = """\
name: pause-9.9
software: pause
version: "9.9"
chart: null
image: {version: "9.9", digest: null}
source: [https://wiki.contoso.com/pause]
verified: "2026-11-23"
"""


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """The user's own directory for rows."""
    return tmp_path / "mine"


def read(own: Path, text: str, name: str = "keda-2.99.0") -> Catalog:
    """The catalog with a release of the user."""
    return catalog((Folder(put(own, f"releases/{name}.yaml", text), "mine"),))


@for_each("row", RELEASES, ids=lambda row: row["name"])
def test_a_release_expands_to_complete_rows(row: Mapping[str, Any]) -> None:
    version = CATALOG.versions(row["software"])[row["version"]]
    assert row["name"] == f"{row['software']}-{row['version']}"
    assert version.name == row["version"] != current(CATALOG.files, row["software"]).name
    for kind, facts in version.facts.items():
        schema = json.loads(data_text(f"schemas/catalog/{kind}.schema.json"))
        assert not list(Draft7Validator(schema).iter_errors(facts))
        assert facts["source"] == row["source"]


@for_each("row", RELEASES, ids=lambda row: row["name"])
def test_a_key_that_a_release_removes_is_in_other_releases(row: Mapping[str, Any]) -> None:
    for pointer in row.get("without", ()):
        part, *path = pointer.split("/")[1:]
        kind = next(kind for kind, name in PARTS.items() if name == part)
        here: Any = CATALOG.must(kind, row["software"])
        for key in path:
            here = here[key]


def test_a_pin_changes_only_the_rows_of_its_software() -> None:
    pins = {"gpu-operator": "v26.3.3", "nvidia-device-plugin": "v0.19.3"}
    pinned = CATALOG.with_pins(pins)
    changed = {
        (kind, name)
        for kind in ("charts", "containers", "drivers")
        for name, facts in CATALOG.rows(kind).items()
        if pinned.rows(kind)[name] != facts
    }
    assert changed == {("charts", "gpu-operator"), *((kind, "nvidia-device-plugin") for kind in PARTS)}
    assert pinned.must("containers", "nvidia-device-plugin")["version"] == "v0.19.3"
    assert pinned.must("charts", "nvidia-device-plugin")["version"] == "0.19.3"
    assert pinned is CATALOG.with_pins(dict(reversed(pins.items())))


def test_without_a_pin_nothing_changes() -> None:
    newest = {name: row["version"] for name, row in CATALOG.rows("containers").items()}
    assert CATALOG.with_pins({}) is CATALOG
    assert CATALOG.with_pins({"gpu-operator": "v0", "nothing": "1"}) is CATALOG
    assert CATALOG.with_pins(newest).rows("containers") == CATALOG.rows("containers")


def test_mappings_are_merged_and_keys_can_be_left_out(own: Path) -> None:
    extra = 'chart: {version: "2.99.0", appVersion: "2.99.0", components: {a: "1"}}\nwithout: [/chart/largeDefinitions]'
    facts = read(own, ROW.replace('chart: {version: "2.99.0", appVersion: "2.99.0"}', extra)).versions("keda")
    chart, newest = facts["2.99.0"].facts["charts"], CATALOG.must("charts", "keda")
    assert chart["components"] == {**newest["components"], "a": "1"}
    assert newest.keys() - chart.keys() == {"largeDefinitions", "notes", "asOf"}
    assert (chart["repository"], chart["source"]) == (newest["repository"], ["https://wiki.contoso.com/keda"])


def test_a_digest_is_never_that_of_another_version(own: Path) -> None:
    known = read(own, IMAGE, "pause-9.9").versions("pause")
    assert known["9.9"].facts["containers"]["digest"] is None
    assert CATALOG.must("containers", "pause")["digest"]


def test_headers_name_your_own_release(own: Path) -> None:
    known = read(own, ROW)
    assert known.files.faults == []
    assert known.own("charts", "keda") == ()
    assert known.with_pins({"keda": "2.99.0"}).own("charts", "keda") == ("mine/releases/keda-2.99.0.yaml",)
    assert list(known.versions("keda"))[-1] == "2.99.0"


def test_your_own_row_of_the_same_version_is_the_base(own: Path) -> None:
    row = 'name: keda\nextends: gitgpu\n%s\nsource: [https://a.b]\nverified: "2026-11-23"\n'
    put(own, "charts/keda.yaml", row % "repository: https://charts.contoso.com")
    known = read(own, ROW)
    assert known.versions("keda")["2.99.0"].facts["charts"]["repository"] == "https://charts.contoso.com"
    assert known.versions("keda")["2.99.0"].files == ("mine/charts/keda.yaml", "mine/releases/keda-2.99.0.yaml")


def test_software_that_only_you_describe_has_your_version(own: Path) -> None:
    text = data_text("catalog/charts/keda.yaml").replace("name: keda\n", "name: other\n", 1)
    files = CatalogFiles([Folder(put(own, "charts/other.yaml", text), "mine")])
    assert list(versions(files, "other")) == [CATALOG.must("charts", "keda")["version"]]
    assert files.faults == []


def test_your_own_newer_row_leaves_older_rows_unchanged(own: Path) -> None:
    row = 'name: keda\nextends: gitgpu\n%s\nsource: [https://a.b]\nverified: "2026-11-23"\n'
    put(own, "charts/keda.yaml", row % 'version: "2.98.0"\nrepository: https://charts.contoso.com')
    known, shipped = read(own, ROW), CATALOG.must("charts", "keda")
    assert known.must("charts", "keda")["version"] == "2.98.0"
    assert known.versions("keda")[shipped["version"]].facts["charts"] == shipped
    assert known.versions("keda")["2.99.0"].facts["charts"]["repository"] == shipped["repository"]


@pytest.mark.parametrize(
    ("old", "new", "place"),
    [
        ("software: keda", "software: kedda", "CAT008 keda-2.99.0.yaml:2:11"),
        ('version: "2.99.0"\nchart', 'version: "2.99.1"\nchart', "CAT002 keda-2.99.0.yaml:1:7"),
        ("name: keda-2.99.0", "name: keda-2.99", "CAT002 keda-2.99.0.yaml:1:7"),
        ('chart: {version: "2.99.0"', 'chart: {version: "2.99.1"', "CAT008 keda-2.99.0.yaml:4:18"),
        ('appVersion: "2.99.0"', "repository: ftp://x", "CAT004 keda-2.99.0.yaml:4:8"),
        ('appVersion: "2.99.0"', 'appVersion: "1", repository: ftp://x', "CAT004 keda-2.99.0.yaml:4:57"),
        ('appVersion: "2.99.0"', 'appVersion: "1", colour: red', "CAT004 keda-2.99.0.yaml:4:45"),
        ("image: null", 'image: {version: "1", digest: null}', "CAT008 keda-2.99.0.yaml:5:8"),
        ('chart: {version: "2.99.0", appVersion: "2.99.0"}', "chart: null", "CAT008 keda-2.99.0.yaml:4:8"),
        ('version: "2.99.0"\nchart', "version: 2.99\nchart", "CAT004 keda-2.99.0.yaml:3:10"),
        ("image: null", "image: null\nwithout: [kubeVersion]", "CAT004 keda-2.99.0.yaml:6:11"),
    ],
)
def test_an_invalid_release_is_a_fault(own: Path, old: str, new: str, place: str) -> None:
    assert old in ROW
    assert faults(read(own, ROW.replace(old, new)).files) == [place]


@pytest.mark.parametrize(
    ("name", "remedy"),
    [
        ("kedda", "use keda"),
        ("contoso-app", f"use a name from catalog/charts or catalog/containers: {', '.join(SOFTWARE)}"),
    ],
)
def test_software_that_is_not_in_the_catalog(own: Path, name: str, remedy: str) -> None:
    (fault,) = read(own, ROW.replace("software: keda", f"software: {name}")).files.faults
    assert fault.message == f"the catalog has no chart or image '{name}'"
    assert fault.help == remedy


def test_a_release_of_kaito_needs_the_row_of_what_it_runs(own: Path) -> None:
    text = ROW.replace("keda", "kaito-workspace")
    assert faults(read(own, text, "kaito-workspace-2.99.0").files) == ["CAT005 kaito-workspace-2.99.0.yaml:4:40"]
    known = text.replace('appVersion: "2.99.0"', 'appVersion: "0.11.0"')
    assert not faults(read(own, known, "kaito-workspace-2.99.0").files)


def test_a_release_of_kaito_without_a_chart_is_a_fault(own: Path) -> None:
    text = ROW.replace("keda", "kaito-workspace").replace('{version: "2.99.0", appVersion: "2.99.0"}', "null")
    assert faults(read(own, text, "kaito-workspace-2.99.0").files) == ["CAT008 kaito-workspace-2.99.0.yaml:4:8"]


def test_a_release_with_faults_is_not_a_version(own: Path) -> None:
    assert "2.99.0" not in versions(read(own, "- a\n").files, "keda")


def test_a_release_of_software_whose_name_starts_alike_is_not_a_version(own: Path) -> None:
    chart = data_text("catalog/charts/keda.yaml").replace("name: keda\n", "name: keda-http\n", 1)
    put(own, "charts/keda-http.yaml", chart)
    files = read(own, ROW.replace("keda", "keda-http"), "keda-http-2.99.0").files
    assert ("2.99.0" in versions(files, "keda"), "2.99.0" in versions(files, "keda-http")) == (False, True)


def test_a_release_has_only_the_parts_that_its_software_has(own: Path) -> None:
    text = ROW.replace("image: null", 'image: {version: "2.99.0", digest: null}')
    assert versions(read(own, text).files, "keda")["2.99.0"].facts.keys() == {"charts"}


def test_a_key_inside_a_list_is_not_removed(own: Path) -> None:
    known = read(own, f"{ROW}without: [/chart/images/0, /chart/definitions/copy, /chart/none/copy]\n").versions("keda")
    chart, newest = known["2.99.0"].facts["charts"], CATALOG.must("charts", "keda")
    assert (chart["images"], chart["definitions"].keys()) == (newest["images"], newest["definitions"].keys() - {"copy"})


def test_the_notes_of_a_release_are_its_own(own: Path) -> None:
    noted = read(own, f"{ROW}notes: [Changed.]\n").versions("keda")["2.99.0"].facts["charts"]
    assert (noted["notes"], noted["verified"]) == (["Changed."], "2026-11-23")
    assert "notes" not in read(own, ROW).versions("keda")["2.99.0"].facts["charts"]


def test_a_version_is_known_once(own: Path) -> None:
    assert list(versions(read(own, ROW).files, "keda")).count("2.99.0") == 1
    assert versions(CatalogFiles(), "nothing") == {}


def test_a_row_of_kaitos_chart_needs_the_row_of_what_it_runs(own: Path) -> None:
    row = {**CATALOG.must("charts", "kaito-workspace"), "appVersion": "9.9.9"}
    folder = Folder(put(own, "charts/kaito-workspace.yaml", json.dumps(row)), "mine")
    [reported] = faults(catalog((folder,)).files)
    assert reported.startswith("CAT005 kaito-workspace.yaml:1:")
