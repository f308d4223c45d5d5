"""HelmReleases in helm-controller: each finds its chart, waits for its dependencies, and passes its values."""

import json
from functools import partial
from pathlib import Path

import pytest

from gitgpu.model.software.names import NODE_FEATURE_DISCOVERY
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
    objects = [body for layer in layers(name) for body in layer.objects]
    plain = [body for body in objects if body["kind"] == "HelmRepository" and body["spec"].get("type") != "oci"]
    return plain + [body for body in objects if body["kind"] == "HelmRelease" and "chart" in body["spec"]]


def local(body: Object, url: str) -> Object:
    """An object for the controllers of the test: a repository at another URL, a release that marks its chart."""
    metadata = {**body["metadata"], "labels": {**body["metadata"].get("labels", {}), **LOCAL}}
    if body["kind"] == "HelmRepository":
        return {**body, "metadata": metadata, "spec": {**body["spec"], "url": url}}
    chart = {**body["spec"]["chart"], "metadata": {"labels": LOCAL}}
    # Node Feature Discovery is in a registry, which is not here.
    needs = [release for release in body["spec"].get("dependsOn", ()) if release["name"] != NODE_FEATURE_DISCOVERY]
    return {**body, "metadata": metadata, "spec": {**body["spec"], "chart": chart, "dependsOn": needs}}


def chart_of(release: Object) -> Chart:
    """The chart that a release asks for."""
    return Chart(release["spec"]["chart"]["spec"]["chart"], release["spec"]["chart"]["spec"]["version"])


def values_of(client: Client, release: Object) -> object:
    """The values that the chart of a release was rendered with."""
    name = f"{TOLD}-{release['spec']['releaseName']}"
    metadata = {"name": name, "namespace": release["spec"]["targetNamespace"]}
    config_map = client.get({"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata})
    return json.loads(config_map["data"]["values"]) if config_map else None


def is_ready(client: Client, release: Object) -> bool:
    """Has helm-controller installed it?"""
    return condition(client.get(release) or {}).get("status") == "True"


# They select nodes by labels of Node Feature Discovery, and AMD's has rules of its kinds.
OPERATORS = ("amd-gpu-operator", "gpu-operator", "network-operator")
NEEDS = {operator: {NODE_FEATURE_DISCOVERY} for operator in OPERATORS}


@pytest.mark.parametrize("name", [cluster for cluster in clusters("flux") if of_charts(cluster)])
def test_releases_state_what_they_need(name: str) -> None:
    releases = [body for body in of_charts(name) if body["kind"] == "HelmRelease"]
    stated = {
        body["metadata"]["name"]: {other["name"] for other in body["spec"].get("dependsOn", ())} for body in releases
    }
    assert stated == {release: NEEDS.get(release, set()) for release in stated}


@pytest.mark.parametrize("name", [cluster for cluster in clusters("flux") if of_charts(cluster)])
def test_releases_are_installed(name: str, cluster: Cluster, around: Company, tmp_path: Path, proved: Proved) -> None:
    """The charts are the test's own, of the pinned names and versions: their content is not tested here."""
    client, objects = cluster.client, of_charts(name)
    releases = [body for body in objects if body["kind"] == "HelmRelease"]
    for place in sorted({NAMESPACE, *(body["spec"]["targetNamespace"] for body in releases)}):
        namespace(client, place)
    with chart_repository(map(chart_of, releases), tmp_path) as url:
        wanted = [local(body, url) for body in objects]
        try:
            for body in wanted:
                client.apply(body)
            for release in releases:
                until(partial(is_ready, client, release), f"{release['metadata']['name']} is installed", WITHIN)
            values = {body["metadata"]["name"]: values_of(client, body) for body in releases}
        finally:
            for body in reversed(wanted):
                client.request("DELETE", client.path(body))
            until(lambda: not client.list("helm.toolkit.fluxcd.io/v2", "HelmRelease"), "releases are uninstalled")
    assert values == {body["metadata"]["name"]: body["spec"].get("values", {}) for body in releases}
    proved(f"{name}: helm-controller installed {', '.join(sorted(values))} with the values that were sent")
