"""The user's own rows: the rows, versions and faults that they lead to, and the values that have no effect."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
import yaml
from syrupy.assertion import SnapshotAssertion

from gitgpu.load.catalog.folders import Folder
from gitgpu.load.catalog.releases import release_faults, versions
from gitgpu.load.catalog.rows import CatalogFiles
from gitgpu.load.read import data_text
from tests.helping.single_changes import unread

ABOUT = {"source": ["https://wiki.contoso.com/gpus"], "verified": "2026-01-02"}
RELEASES: Mapping[str, Any] = {
    "releases/keda-2.99.0": {
        "name": "keda-2.99.0", "software": "keda", "version": "2.99.0",
        "chart": {"version": "2.99.0", "appVersion": "2.99.0"}, "image": None,
        "without": ["/chart/images/0", "/image/digest"], "notes": ["own"], **ABOUT,
    },
    "releases/pause-9.9": {
        "name": "pause-9.9", "software": "pause", "version": "9.9", "chart": None,
        "image": {"version": "9.9", "digest": None}, **ABOUT,
    },
    "releases/kaito-workspace-9.0.0": {
        "name": "kaito-workspace-9.0.0", "software": "kaito-workspace", "version": "9.0.0",
        "chart": {"version": "9.0.0", "appVersion": "9.0.0"}, "image": None, **ABOUT,
    },
}  # fmt: skip
ROWS: Mapping[str, Any] = {
    "gpus/T4": {"name": "T4", "extends": "gitgpu", "memoryGiB": 17, **ABOUT},
    "gpus/T5": {**yaml.load(data_text("catalog/gpus/T4.yaml"), yaml.CSafeLoader), "name": "T5", **ABOUT},
    "skus/Standard_NC16as_T4_v9": {
        **yaml.load(data_text("catalog/skus/Standard_NC16as_T4_v3.yaml"), yaml.CSafeLoader),
        "name": "Standard_NC16as_T4_v9",
        **ABOUT,
    },
    "containers/pause": {"name": "pause", "extends": "gitgpu", "version": "9.8", "digest": None, **ABOUT},
}


def read(rows: Mapping[str, Any]) -> tuple[CatalogFiles, list[str]]:
    """The catalog with these rows of the user, and the faults as lines."""
    texts = {f"{name}.yaml": json.dumps(row, indent=1) for name, row in rows.items()}
    files = CatalogFiles([Folder("mine", "mine", texts)])
    files.read_own()
    faults = [*files.faults, *release_faults(files)]
    shown = [
        f"{each.code} {each.span.file}:{each.span.line}:{each.span.column} {each.message}; {each.help[:100]}"
        for each in faults
    ]
    return files, shown


def differing(kind: str, name: str, row: Mapping[str, Any]) -> Mapping[str, Any]:
    """The fields in which a row differs from gitgpu's row of the same name; null if only gitgpu's row has the field."""
    gitgpus = yaml.load(data_text(f"catalog/{kind}/{name}.yaml"), yaml.CSafeLoader)
    return {key: row.get(key) for key in {**gitgpus, **row} if row.get(key) != gitgpus.get(key)}


def of_releases(rows: Mapping[str, Any]) -> Iterator[str]:
    """The versions of software in the catalog, as lines."""
    files, faults = read(rows)
    yield from faults
    for software in ("keda", "pause", "kaito-workspace"):
        for name, version in versions(files, software).items():
            if version.files:
                facts = [(kind, differing(kind, software, row)) for kind, row in version.facts.items()]
                yield f"{software} {name} of {version.files}: {facts}"


def of_rows(rows: Mapping[str, Any]) -> Iterator[str]:
    """The rows of the user, as lines."""
    files, faults = read(rows)
    yield from faults
    for kind in ("gpus", "skus", "containers"):
        for name in files.names(kind):
            row = files.row(kind, name)
            if row and row.origin:
                yield f"{kind}/{name} of {row.origin}: {row.data['verified']} {row.data.get('memoryGiB')}"
    yield from (str(version.files) for version in versions(files, "pause").values())


@pytest.mark.parametrize("name", RELEASES)
def test_the_values_without_effect_of_a_release(name: str, snapshot: SnapshotAssertion) -> None:
    assert unread({name: RELEASES[name]}, of_releases) == snapshot


@pytest.mark.parametrize("name", ROWS)
def test_the_values_without_effect_of_a_row(name: str, snapshot: SnapshotAssertion) -> None:
    assert unread({name: ROWS[name]}, of_rows) == snapshot


def test_rows_and_releases_together(snapshot: SnapshotAssertion) -> None:
    whole = {**ROWS, **RELEASES, "releases/pause-9.7": {**RELEASES["releases/pause-9.9"], "name": "pause-9.7"}}
    assert "\n".join([*of_releases(whole), *of_rows(whole)]) == snapshot
