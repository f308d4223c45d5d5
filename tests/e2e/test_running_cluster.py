"""A cluster with everything at once is imported, built and delivered by Flux: no pod template on it changes.

It is that of tests/journeys/test_running_cluster.py: NodePools, reserved node pools, a GPU Operator on the driver of
AKS, KEDA and a scaled model. There is no kubelet, so that "restarts" means that the specification of an object changes.
"""

import json
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.e2e.charts import Chart, chart_repository
from tests.e2e.client import Client, Object
from tests.e2e.conftest import Cluster, Proved
from tests.e2e.fleet import identity, namespace
from tests.e2e.flux import LOCAL, condition, delivered
from tests.e2e.githost import Repository
from tests.e2e.processes import until
from tests.e2e.release_overlays import deliver
from tests.e2e.standins import Company
from tests.e2e.test_handover import annotated, applied, fleet_command, old_sync, put, served_by
from tests.e2e.test_release_handover import HELM, WITHIN, installed, repository_of_charts, revisions
from tests.journeys.test_running_cluster import AZURE, KEDA, NODES, SOFTWARE, WORK

POLICY = {"apiVersion": "nvidia.com/v1", "kind": "ClusterPolicy", "name": "cluster-policy", "uid": "1"}
PODS = ("DaemonSet", "Deployment")
CHARTS = (Chart("keda", "2.18.3"), Chart("gpu-operator", "v25.10.1"))
OPTIONS = ("--repository", "https://localhost/fleet.git", "--output", "json")


class Place(NamedTuple):
    """A cluster, the repository that Flux applies, and the URL of the charts."""

    client: Client
    served: Repository
    charts: str


def as_stored(body: Object) -> Object:
    """An object without its owner: the operator itself does not run here."""
    metadata = {key: value for key, value in body["metadata"].items() if key != "ownerReferences"}
    return {**body, "metadata": metadata}


def owned(stored: Object) -> Object:
    """A stored object; a DaemonSet with its owner, the operator."""
    if stored["kind"] == "DaemonSet":
        stored["metadata"]["ownerReferences"] = [{**POLICY, "controller": True}]
    return stored


def everything(charts: str, *, suspended: bool = False) -> list[Object]:
    """What runs on the cluster, from a repository of its owner."""
    bodies = [annotated(body) for body in NODES]
    bodies += [as_stored(body) for body in (*SOFTWARE, *WORK) if body["kind"] != "HelmRelease"]
    for body in SOFTWARE:
        if body["kind"] == "HelmRelease":
            name = body["metadata"]["name"]
            metadata = {**body["metadata"], "labels": LOCAL}
            chart = {**body["spec"]["chart"]["spec"], "sourceRef": {"kind": "HelmRepository", "name": name}}
            spec = {**body["spec"], "chart": {"metadata": {"labels": LOCAL}, "spec": chart}}
            bodies.append({**body, "metadata": metadata, "spec": {**spec, "suspend": suspended and name == "keda"}})
            source = repository_of_charts(charts)
            bodies.append({**source, "metadata": {**source["metadata"], "name": name, "namespace": name}})
    return bodies


def change(there: Place, *objects: Object) -> None:
    """Commits exactly these objects to the old folder, and waits until Flux has applied them."""
    put(there.served.tree, *objects)
    applied(there.client, there.served.commit("a change of the owner"))


def ready(client: Client, name: str, at: str) -> bool:
    """Whether a HelmRelease is Ready."""
    body = client.get({"apiVersion": HELM, "kind": "HelmRelease", "metadata": {"name": name, "namespace": at}})
    return condition(body or {}).get("status") == "True"


@pytest.fixture
def place(cluster: Cluster, around: Company, tmp_path: Path) -> Iterator[Place]:
    """A cluster on which all of it runs."""
    charts, source = tmp_path / "charts", tmp_path / "source"
    for folder in (charts, source):
        folder.mkdir()
    for name in ("keda", "gpu-operator", "serving"):
        namespace(cluster.client, name)
    with chart_repository(CHARTS, charts) as url, served_by(source) as served:
        there = Place(cluster.client, served, url)
        with delivered(cluster.client, old_sync(served)):
            change(there, *everything(url))
            for name in ("keda", "gpu-operator"):
                until(partial(ready, cluster.client, name, name), f"{name} is installed", WITHIN)
            yield there
            for body in cluster.client.list(HELM, "HelmRelease"):
                cluster.client.request("DELETE", cluster.client.path(body))
            until(lambda: not cluster.client.list(HELM, "HelmRelease"), "releases are uninstalled")


def imported(there: Place) -> Object:
    """The report of an import of what the API server has, with what Azure says about the cluster."""
    folder = there.served.tree / "running"
    folder.mkdir()
    items = [owned(stored) for body in everything(there.charts) if (stored := there.client.get(body))]
    (folder / "objects.json").write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": items}))
    (folder / "cluster.json").write_text(json.dumps(AZURE))
    report: Object = json.loads(fleet_command(there.served.tree, "import", "running", *OPTIONS))
    return report


def running(client: Client) -> Mapping[str, tuple[str, int]]:
    """The UID and the generation of each object with pods: the API server counts up when a specification changes."""
    stored = filter(None, map(client.get, (as_stored(body) for body in (*SOFTWARE, *WORK) if body["kind"] in PODS)))
    return {identity(body): (body["metadata"]["uid"], body["metadata"]["generation"]) for body in stored}


def in_order(value: Any) -> Any:
    """The value with its lists sorted: their order does not count in Karpenter's hash of a NodePool."""
    if isinstance(value, list):
        return sorted(map(in_order, value), key=json.dumps)
    return {key: in_order(inner) for key, inner in sorted(value.items())} if isinstance(value, dict) else value


def test_no_pod_template_changes(place: Place, proved: Proved) -> None:
    before, nodes, values = running(place.client), [place.client.get(body) for body in NODES], installed(place.client)
    assert len(before) == 5
    assert values
    report = imported(place)
    assert {pool["name"]: (pool["nodes"], pool["software"]) for pool in report["pools"]} == {
        "a100": ("keep", "keep"),
        "reserved": ("keep", "keep"),
    }
    assert report["software"] == []
    assert [entry["object"] for entry in report["replaced"]] == ["HelmRelease/keda/keda"]
    moved = {"NodePool", "AKSNodeClass", "ScaledObject"}
    suspended = everything(place.charts, suspended=True)
    change(place, *(annotated(body) if body["kind"] in moved else body for body in suspended))
    of_keda = [body for body in suspended if body["metadata"].get("namespace") == "keda" and body["kind"][:4] == "Helm"]
    change(place, *(body for body in suspended if body["kind"] not in moved and body not in of_keda))
    until(lambda: place.client.get(of_keda[0]) is None, "the old HelmRelease is deleted", WITHIN)
    deliver(place.client, place.served, place.charts)
    [ours] = [body["metadata"] for body in place.client.list(HELM, "HelmRelease") if body["metadata"]["name"] == "keda"]
    until(lambda: ready(place.client, "keda", ours["namespace"]), "the new HelmRelease is Ready", WITHIN)
    assert running(place.client) == before
    for old, body in zip(nodes, NODES, strict=True):
        now = place.client.get(body)
        assert old
        assert now
        assert now["metadata"]["uid"] == old["metadata"]["uid"]
        assert in_order(now["spec"]) == in_order(old["spec"])
    assert revisions(place.client) == ["1", "2"]
    rendered = installed(place.client)
    assert rendered
    assert rendered["data"] == values["data"]
    assert KEDA.items() <= json.loads(rendered["data"]["values"]).items()
    proved("Flux: a cluster with NodePools, reserved node pools, a GPU Operator on AKS's driver and KEDA is imported")
    proved("and delivered: no object with pods gets another specification, and KEDA's chart renders the same")
