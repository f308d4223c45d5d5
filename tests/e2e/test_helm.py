"""HelmReleases in helm-controller: each finds its chart, waits for its dependencies, and passes its values."""

import json
from functools import partial
from pathlib import Path

import pytest

from tests.e2e.charts import TOLD, Chart, chart_repository
from tests.e2e.client import Client, Object
from tests.e2e.conftest import Cluster, Proved
from tests.e2e.fleet import clusters, layers, namespace
from tests.e2e.flux import LOCAL, NAMESPACE, condition
from tests.e2e.processes import until
from tests.e2e.standins import Company

WITHIN = 180  # seconds for all releases of a cluster


def of_charts(name: str) -> list[Object]:
    """What Helm needs of a cluster: repositories over HTTP, and the releases whose charts are in one."""
    found = [one for layer in layers(name) for one in layer.objects]
    plain = [body for body in found if body["kind"] == "HelmRepository" and body["spec"].get("type") != "oci"]
    return plain + [body for body in found if body["kind"] == "HelmRelease" and "chart" in body["spec"]]


def local(one: Object, url: str) -> Object:
    """An object for the controllers of the test: a repository at another URL, a release that marks its chart."""
    metadata = {**one["metadata"], "labels": {**one["metadata"].get("labels", {}), **LOCAL}}
    if one["kind"] == "HelmRepository":
        return {**one, "metadata": metadata, "spec": {**one["spec"], "url": url}}
    chart = {**one["spec"]["chart"], "metadata": {"labels": LOCAL}}
    return {**one, "metadata": metadata, "spec": {**one["spec"], "chart": chart}}


def chart_of(release: Object) -> Chart:
    """The chart that a release asks for."""
    return Chart(release["spec"]["chart"]["spec"]["chart"], release["spec"]["chart"]["spec"]["version"])


def values_of(client: Client, release: Object) -> object:
    """The values that the chart of a release was rendered with."""
    name = f"{TOLD}-{release['spec']['releaseName']}"
    metadata = {"name": name, "namespace": release["spec"]["targetNamespace"]}
    found = client.get({"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata})
    return json.loads(found["data"]["values"]) if found else None


def is_ready(client: Client, release: Object) -> bool:
    """Has helm-controller installed it?"""
    return condition(client.get(release) or {}).get("status") == "True"


@pytest.mark.parametrize("name", [one for one in clusters("flux") if of_charts(one)])
def test_releases_are_installed(name: str, cluster: Cluster, around: Company, tmp_path: Path, proved: Proved) -> None:
    """The charts are the test's own, of the pinned names and versions: their content is upstream's affair."""
    client, found = cluster.client, of_charts(name)
    releases = [body for body in found if body["kind"] == "HelmRelease"]
    for place in sorted({NAMESPACE, *(one["spec"]["targetNamespace"] for one in releases)}):
        namespace(client, place)
    with chart_repository(map(chart_of, releases), tmp_path) as url:
        wanted = [local(one, url) for one in found]
        try:
            for one in wanted:
                client.apply(one)
            for release in releases:
                until(partial(is_ready, client, release), f"{release['metadata']['name']} is installed", WITHIN)
            values = {one["metadata"]["name"]: values_of(client, one) for one in releases}
        finally:
            for one in reversed(wanted):
                client.request("DELETE", client.path(one))
            until(lambda: not client.list("helm.toolkit.fluxcd.io/v2", "HelmRelease"), "releases are uninstalled")
    assert values == {one["metadata"]["name"]: one["spec"].get("values", {}) for one in releases}
    proved(f"{name}: helm-controller installed {', '.join(sorted(values))} with the values that were sent")
