"""A cluster with everything at once is imported, built and delivered by Argo CD: no pod template on it changes.

It is that of tests/journeys/test_running_cluster.py, whose objects an Application of its owner applies. The steps are
those of docs/how-to/import-from-argo-cd.md. Argo CD has no Helm here, so that Applications of charts are not synced.
"""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.e2e import argo
from tests.e2e.application import NAME, REFRESH, local
from tests.e2e.client import Client, Object
from tests.e2e.conftest import Cluster, Proved
from tests.e2e.fleet import OVERLAYS, kustomize, namespace, prepare, wipe
from tests.e2e.githost import Repository, repository
from tests.e2e.processes import until
from tests.e2e.standins import company
from tests.e2e.test_handover import BASIS, OLD, fleet_command, put
from tests.e2e.test_running_cluster import OPTIONS, PODS, as_stored, in_order, owned, running
from tests.journeys.test_running_cluster import AZURE, KEDA, NODES, SOFTWARE, WORK

WITHIN = 300  # seconds
KEPT = {"argocd.argoproj.io/sync-options": "Prune=false,Delete=false"}
SCALED = "ScaledObject"
HERE = "https://kubernetes.default.svc"
CHARTS = {"keda": "https://kedacore.github.io/charts", "gpu-operator": "https://helm.ngc.nvidia.com/nvidia"}


class Place(NamedTuple):
    """A cluster, the repository that Argo CD applies, and its owner's Application."""

    client: Client
    served: Repository
    application: Object


def application(name: str, at: str, destination: Object, **spec: object) -> Object:
    """An Application that syncs by itself if `syncPolicy` says so."""
    return {
        "apiVersion": argo.APPLICATION[0],
        "kind": argo.APPLICATION[1],
        "metadata": {"name": name, "namespace": argo.NAMESPACE},
        "spec": {"project": "default", "destination": {**destination, "namespace": at}, **spec},
    }


def of_chart(release: Object) -> Object:
    """The Application of a chart in the place of its HelmRelease. The owner syncs it by hand."""
    name, chart = release["metadata"]["name"], release["spec"]["chart"]["spec"]
    values = {"valuesObject": release["spec"]["values"]}
    source = {"repoURL": CHARTS[name], "chart": name, "targetRevision": chart["version"], "helm": values}
    return application(name, name, {"server": HERE}, source=source)


def everything(*kept: str) -> list[Object]:
    """What the Application of the owner applies; objects of these kinds are not pruned."""
    bodies = [as_stored(body) for body in (*NODES, *SOFTWARE, *WORK) if body["kind"] != "HelmRelease"]
    return [
        {**body, "metadata": {**body["metadata"], "annotations": KEPT}} if body["kind"] in kept else body
        for body in bodies
    ]


def synced(there: Place, app: Object, commit: str) -> None:
    """Waits until an Application is synced to a commit, or has nothing to sync."""
    there.client.merge(app, {"metadata": {"annotations": {REFRESH: "normal"}}})

    def done() -> bool:
        status = (there.client.get(app) or {}).get("status") or {}
        operation, sync = status.get("operationState") or {}, status.get("sync") or {}
        revisions = set(sync.get("revisions") or [sync.get("revision")])
        return operation.get("phase") == "Succeeded" and revisions == {commit} and sync.get("status") == "Synced"

    until(done, f"{app['metadata']['name']} at {commit[:8]}", WITHIN)


@pytest.fixture
def place(cluster: Cluster, tmp_path: Path) -> Iterator[Place]:
    """A cluster on which all of it runs."""
    if not shutil.which("go"):
        pytest.skip("Argo CD is built by Go, which is not installed")
    client, source, folder = cluster.client, tmp_path / "source", tmp_path / "argo"
    for path in (source, folder):
        path.mkdir()
    for name in ("keda", "gpu-operator", "serving"):
        namespace(client, name)
    for body in everything():  # an earlier test may have left them, with Flux as the owner
        client.delete(body)
    until(lambda: not any(map(client.get, everything())), "what an earlier test left is deleted", WITHIN)
    with repository(source) as served, company(client):
        own = {"repoURL": served.url, "targetRevision": "main", "path": OLD}
        policy = {"automated": {"prune": True, "selfHeal": True}, "syncOptions": ["ServerSideApply=true"]}
        app = application("gpu", "default", {"server": client.url}, source=own, syncPolicy=policy)
        there = Place(client, served, app)
        component = OVERLAYS / NAME / "sync" / "argocd-cm"  # the settings for Argo CD are the same for each cluster
        settings = [*argo.settings(argo.built(), component, folder), *argo.registered("prod", client.url)]
        with argo.argo_cd(argo.built(), cluster.kubeconfig, client, folder, settings):
            put(served.tree, *everything())
            commit = served.commit("what runs")
            client.apply(app)
            for body in SOFTWARE:
                if body["kind"] == "HelmRelease":
                    client.apply(of_chart(body))
            synced(there, app, commit)
            yield there
            for body in client.list(*argo.APPLICATION):
                client.delete(body)
            wipe(client)
            for body in everything():
                client.delete(body)


def imported(there: Place) -> Object:
    """The report of an import of what the API server has, with what Azure says about the cluster."""
    folder = there.served.tree / "running"
    folder.mkdir()
    wanted = [*everything(), *(of_chart(body) for body in SOFTWARE if body["kind"] == "HelmRelease")]
    items = [owned(stored) for body in wanted if (stored := there.client.get(body))]
    (folder / "objects.json").write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": items}))
    (folder / "cluster.json").write_text(json.dumps(AZURE))
    report: Object = json.loads(fleet_command(there.served.tree, "import", "running", *OPTIONS))
    return report


def test_no_pod_template_changes(place: Place, proved: Proved) -> None:
    before, nodes = running(place.client), [place.client.get(body) for body in NODES]
    assert len(before) == len([body for body in (*SOFTWARE, *WORK) if body["kind"] in PODS])
    report = imported(place)
    assert {pool["name"]: (pool["nodes"], pool["software"]) for pool in report["pools"]} == {
        "a100": ("keep", "keep"),
        "reserved": ("keep", "keep"),
    }
    assert report["software"] == []
    assert [entry["object"] for entry in report["replaced"]] == ["Application/argocd/keda"]
    moved = ("NodePool", "AKSNodeClass", SCALED)
    put(place.served.tree, *everything(*moved))
    synced(place, place.application, place.served.commit("what moves is not pruned"))
    [_, keda] = [of_chart(body) for body in SOFTWARE if body["kind"] == "HelmRelease"]
    place.client.delete(keda)  # without a finalizer, it is not cascaded
    (place.served.tree / ".gitgpu.yaml").write_text(BASIS, encoding="utf-8")
    fleet_command(place.served.tree, "build")
    commit = place.served.commit("overlays")
    sync = kustomize(place.served.tree / "overlays/prod/sync")
    [ours] = [local(body, place.served.url) for body in sync if "sources" in body["spec"]]
    charts = [body["spec"]["source"] for body in sync if "source" in body["spec"]]
    prepare(place.client, [ours])
    place.client.apply(ours)
    synced(place, ours, commit)
    put(place.served.tree, *(body for body in everything() if body["kind"] not in moved))
    synced(place, place.application, place.served.commit("what moved is in the overlays"))
    assert running(place.client) == before
    for old, body in zip(nodes, NODES, strict=True):
        now = place.client.get(body)
        assert old
        assert now
        assert now["metadata"]["uid"] == old["metadata"]["uid"]
        assert in_order(now["spec"]) == in_order(old["spec"])
    assert [(chart["targetRevision"], chart["helm"]["valuesObject"]) for chart in charts] == [("2.18.3", KEDA)]
    proved("Argo CD: a cluster with NodePools, reserved node pools, an operator on AKS's driver and KEDA is imported")
    proved("and delivered: no object with pods gets another specification, and nodes keep their templates")
