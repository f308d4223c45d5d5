"""Pinned charts by version: their values and definitions, and with GITGPU_E2E_CHARTS what Helm renders."""

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from gitgpu.load.catalog.rows import CatalogFiles
from gitgpu.model.catalog import Catalog
from tests.e2e import crds, pinned
from tests.e2e.client import Client
from tests.e2e.conftest import Cluster, Proved
from tests.e2e.fleet import clusters, identity, layers, prepare
from tests.e2e.pinned import Release

RELEASES = sorted(
    {
        (release.chart, release.version): release
        for name in clusters()
        for layer in layers(name)
        for release in pinned.releases(layer.objects)
    }.values()
)
CATALOG = Catalog(CatalogFiles())
PINS = [
    (software, version)
    for software in sorted(CATALOG.names("charts"))
    for version in CATALOG.versions(software)
    if pinned.definitions(software, version).is_dir()
]
SERVED = 3  # seconds after which the API server uses a changed definition


def titled(release: Release) -> str:
    """The name of a release in the list of tests."""
    return f"{release.chart}-{release.version}"


def unknown(release: Release) -> list[str] | None:
    """The keys that its chart does not have; None if the default values of this version are not known."""
    path = pinned.known_versions(release.name).get(release.version.removeprefix("v"))
    return pinned.unknown_keys(release, path) if path else None


@pytest.mark.parametrize("release", RELEASES, ids=titled)
def test_the_version_has_the_values(release: Release, proved: Proved) -> None:
    keys = unknown(release)
    if keys is None:
        pytest.skip(f"the default values of {release.chart} {release.version} are not next to the project")
    assert keys == []
    proved(f"chart {release.chart} {release.version}: its default values have every key that the release sets")


@pytest.mark.parametrize(("software", "version"), PINS)
def test_the_definitions_of_a_version_accept_the_objects(
    software: str, version: str, cluster: Cluster, tmp_path: Path, proved: Proved
) -> None:
    """The example fleet, built for each version in the catalog whose definitions are next to the project."""
    client = cluster.client
    objects = pinned.pinned_fleet(software, version, tmp_path)
    for release in pinned.releases(objects):
        if release.name == software:
            assert release.version.removeprefix("v") == version.removeprefix("v")
            assert not unknown(release)
    wanted = crds.read(pinned.definitions(software, version))
    kinds = {(body["spec"]["group"], body["spec"]["names"]["kind"]) for body in wanted.values()}
    of_kinds = [body for body in objects if (body["apiVersion"].rpartition("/")[0], body["kind"]) in kinds]
    prepare(client, of_kinds)
    with replaced(client, wanted):
        for body in of_kinds:
            answer = client.apply(body, dry_run=True)
            assert answer.warnings == (), identity(body)
    proved(f"{software} {version}: its definitions accept {len(of_kinds)} objects that are built for it")


@contextmanager
def replaced(client: Client, wanted: Mapping[str, Any]) -> Iterator[None]:
    """Other versions of definitions, until the context ends."""
    before = {name: client.get(body) for name, body in wanted.items()}
    for name, body in wanted.items():
        if before[name]:
            client.merge(body, {"spec": {"versions": body["spec"]["versions"]}})
        else:
            client.create(body)
    time.sleep(SERVED)
    try:
        yield
    finally:
        for name, body in wanted.items():
            old = before[name]
            if old:
                client.merge(body, {"spec": {"versions": old["spec"]["versions"]}})
            else:
                client.delete(body)
        time.sleep(SERVED)


@pytest.mark.skipif(pinned.charts() is None, reason="GITGPU_E2E_CHARTS names no folder with charts")
@pytest.mark.parametrize("release", RELEASES, ids=titled)
def test_helm_renders_the_chart_and_every_value_has_an_effect(release: Release, tmp_path: Path, proved: Proved) -> None:
    """A value without effect has a wrong key, or is what the chart has by default."""
    folder = pinned.charts()
    chart = pinned.archive(release, folder) if folder else None
    if chart is None:
        pytest.skip(f"the folder has no chart {release.chart} {release.version}")
    whole = pinned.rendered(release, chart, tmp_path)
    assert "kind:" in whole
    defaults = pinned.default_values(chart)
    ignored = [
        ".".join(path)
        for path in leaves(release.values)
        if reach(defaults, path) != reach(release.values, path)
        and rendered(release._replace(values=without(release.values, path)), chart, tmp_path) == whole
    ]
    assert ignored == []
    proved(f"chart {release.chart} {release.version}: Helm renders it, and every value has an effect or is the default")


def rendered(release: Release, chart: Path, folder: Path) -> str:
    """What Helm renders, or why the schema of the chart refuses the values."""
    try:
        return pinned.rendered(release, chart, folder)
    except AssertionError as error:
        return str(error)


def leaves(values: Mapping[str, Any], above: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """The path of every value that is not a mapping with keys."""
    for key, value in values.items():
        if isinstance(value, dict) and value:
            yield from leaves(value, (*above, key))
        else:
            yield (*above, key)


def reach(values: Any, path: tuple[str, ...]) -> Any:
    """The value at a path; None if it is not there."""
    for key in path:
        values = values.get(key) if isinstance(values, dict) else None
    return values


def without(values: Mapping[str, Any], path: tuple[str, ...]) -> dict[str, Any]:
    """The values without one."""
    first, *rest = path
    if not rest:
        return {key: value for key, value in values.items() if key != first}
    return {**values, first: without(values[first], tuple(rest))}
