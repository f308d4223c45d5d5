"""Every version in the catalog: the output for it, and that its chart reads all values that gitgpu sets."""

from collections.abc import Mapping
from functools import cache
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from gitgpu.diagnostic import Severity
from gitgpu.emit import emit, emitters
from gitgpu.emit.chart.releases import Release, releases
from gitgpu.load.catalog.rows import CatalogFiles
from gitgpu.model.catalog import Catalog
from gitgpu.model.fleet import Cluster
from gitgpu.model.inputs import Inputs
from gitgpu.model.software.installed import installed_software
from gitgpu.model.syntax.version import NUMBERS
from gitgpu.objects.gitops.value_keys import Keys, unread_paths
from gitgpu.plan.cluster_plan import plan
from tests.helping.cases import for_each
from tests.model.software.test_installed import images
from tests.rules.fleet.examples import RULES, findings, inputs_of

CATALOG = Catalog(CatalogFiles())
NAMES = sorted({*CATALOG.names("charts"), *CATALOG.names("containers")})


@cache
def examples() -> dict[str, list[tuple[Inputs, Cluster]]]:
    """The clusters of all good examples without an error, by the software that they install."""
    by_name: dict[str, list[tuple[Inputs, Cluster]]] = {}
    for text in (text for rule in RULES for text in rule.good_examples):
        inputs = inputs_of(text)
        if all(finding.severity is not Severity.ERROR for finding in findings(text)):
            for cluster in inputs.clusters:
                for name in installed_software(inputs, cluster):
                    by_name.setdefault(name, []).append((inputs, cluster))
    return by_name


def pinned(cluster: Cluster, name: str, version: str) -> Cluster:
    """The cluster with one pin."""
    return cluster._replace(stack=cluster.stack._replace(versions={name: version}))


VERSIONS = [(name, version) for name in NAMES for version in CATALOG.versions(name)]
CHARTS = [(name, version) for name, version in VERSIONS if name not in CATALOG.names("containers")]
each = pytest.mark.parametrize(("name", "version"), VERSIONS, ids=lambda part: part)


@pytest.mark.parametrize(("name", "version"), CHARTS, ids=lambda part: part)
def test_a_chart_reads_all_values_that_gitgpu_sets(name: str, version: str) -> None:
    for inputs, cluster in examples().get(name, []):
        release = released(inputs, pinned(cluster, name, version), name)
        facts, numbers = CATALOG.must("values", release.chart.name), NUMBERS.fullmatch(version)
        assert release.chart.version == version
        assert numbers is not None
        assert numbers[1] in facts["versions"]
        assert list(unread_paths(release.values, Keys(facts, numbers[1]))) == []


def released(inputs: Inputs, cluster: Cluster, name: str) -> Release:
    """The release of a chart on a cluster."""
    [release] = [release for release in releases(plan(inputs, cluster)) if release.chart.release == name]
    return release


@each
def test_what_a_version_brings(name: str, version: str, snapshot: SnapshotAssertion) -> None:
    """In the first example with the software: the objects that differ from those of the newest version."""
    if name in examples():
        inputs, cluster = examples()[name][0]
        newest = objects(inputs, cluster)
        changed = [body for body in objects(inputs, pinned(cluster, name, version)) if body not in newest]
        assert changed == snapshot
        assert bool(changed) is (version != CATALOG.version(name))


def objects(inputs: Inputs, cluster: Cluster) -> list[Mapping[str, Any]]:
    """The bodies of the objects of a cluster."""
    return [manifest.body for manifest in emit(plan(inputs, cluster), emitters())]


@for_each(("name", "version"), [pair for pair in VERSIONS if pair not in CHARTS], ids=lambda part: part)
def test_an_image_has_the_version(name: str, version: str) -> None:
    row = CATALOG.versions(name)[version].facts["containers"]
    for inputs, cluster in examples().get(name, [])[:3]:
        bodies = [body for body in objects(inputs, pinned(cluster, name, version)) if name in set(images(body))]
        assert bodies
        assert any((row["digest"] or row["version"]) in str(body) for body in bodies)
