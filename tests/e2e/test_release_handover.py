"""A HelmRelease and a DaemonSet that run: the steps of docs/how-to/import-from-flux.md hand them over, live."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest
import yaml

from tests.e2e.charts import TOLD, Chart, chart_repository
from tests.e2e.client import Client, Object
from tests.e2e.conftest import Cluster, Proved
from tests.e2e.fleet import namespace
from tests.e2e.flux import LOCAL, condition, delivered
from tests.e2e.githost import Repository
from tests.e2e.processes import until
from tests.e2e.release_overlays import deliver
from tests.e2e.standins import Company
from tests.e2e.test_handover import (
    CLASS,
    POOL,
    annotated,
    applied,
    fleet_command,
    old_sync,
    put,
    served_by,
    with_own_repository,
)

KEDA = "keda"
HELM = "helm.toolkit.fluxcd.io/v2"
LABELS = {"app": "plugin"}
PLUGIN: Object = {
    "apiVersion": "apps/v1",
    "kind": "DaemonSet",
    "metadata": {"name": "nvidia-device-plugin-daemonset", "namespace": "default"},
    "spec": {
        "selector": {"matchLabels": LABELS},
        "template": {
            "metadata": {"labels": LABELS},
            "spec": {
                "tolerations": [{"key": "sku", "operator": "Exists", "effect": "NoSchedule"}],
                "containers": [
                    {
                        "name": "plugin",
                        "image": "nvcr.io/nvidia/k8s-device-plugin:v0.20.0",
                        "volumeMounts": [{"name": "sockets", "mountPath": "/var/lib/kubelet/device-plugins"}],
                    }
                ],
                "volumes": [{"name": "sockets", "hostPath": {"path": "/var/lib/kubelet/device-plugins"}}],
            },
        },
    },
}
STEADY = 20  # seconds in which two owners would upgrade the release several times
WITHIN = 180  # seconds


class Place(NamedTuple):
    """A cluster, the repository that Flux applies, and the URL of the charts."""

    client: Client
    served: Repository
    charts: str


def release(*, suspended: bool = False) -> Object:
    """The HelmRelease of a company, in another namespace than gitgpu's."""
    source = {"kind": "HelmRepository", "name": KEDA}
    chart = {"chart": KEDA, "version": version(), "sourceRef": source}
    spec = {"interval": "1m", "chart": {"metadata": {"labels": LOCAL}, "spec": chart}, "suspend": suspended}
    metadata = {"name": KEDA, "namespace": KEDA, "labels": LOCAL}
    return {"apiVersion": HELM, "kind": "HelmRelease", "metadata": metadata, "spec": spec}


def repository_of_charts(url: str) -> Object:
    """The HelmRepository of the release."""
    metadata = {"name": KEDA, "namespace": KEDA, "labels": LOCAL}
    spec = {"interval": "10m", "url": url}
    return {"apiVersion": "source.toolkit.fluxcd.io/v1", "kind": "HelmRepository", "metadata": metadata, "spec": spec}


def version() -> str:
    """The version of KEDA's chart that gitgpu installs."""
    row = Path(__file__).parents[2] / "catalog" / "charts" / "keda.yaml"
    return str(yaml.safe_load(row.read_text(encoding="utf-8"))["version"])


def revisions(client: Client) -> list[str]:
    """The revisions of the release that Helm has stored."""
    secrets = client.list("v1", "Secret", f"owner=helm,name={KEDA}")
    return sorted(secret["metadata"]["labels"]["version"] for secret in secrets)


def installed(client: Client) -> Object | None:
    """The object of the chart."""
    metadata = {"name": f"{TOLD}-{KEDA}", "namespace": KEDA}
    return client.get({"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata})


@pytest.fixture
def place(cluster: Cluster, around: Company, tmp_path: Path) -> Iterator[Place]:
    """A cluster on which Flux applies node pools, a device plugin and KEDA, from a repository of the company."""
    charts, source = tmp_path / "charts", tmp_path / "source"
    for folder in (charts, source):
        folder.mkdir()
    namespace(cluster.client, KEDA)
    with chart_repository([Chart(KEDA, version())], charts) as url, served_by(source) as served:
        there = Place(cluster.client, served, url)
        with delivered(cluster.client, old_sync(served)):
            change(there, CLASS, POOL, PLUGIN, repository_of_charts(url), release())
            until(lambda: ready(cluster.client, release()), "KEDA is installed", WITHIN)
            yield there
            for body in cluster.client.list(HELM, "HelmRelease"):
                cluster.client.request("DELETE", cluster.client.path(body))
            until(lambda: not cluster.client.list(HELM, "HelmRelease"), "releases are uninstalled")


def change(there: Place, *objects: Object) -> None:
    """Commits exactly these objects to the old folder, and waits until Flux has applied them."""
    put(there.served.tree, *objects)
    applied(there.client, there.served.commit(", ".join(body["kind"] for body in objects)))


def ready(client: Client, body: Object) -> bool:
    """Whether an object is Ready."""
    return condition(client.get(body) or {}).get("status") == "True"


def imported(there: Place) -> dict[str, Sequence[str]]:
    """The steps for each object that the overlays replace."""
    wanted = (POOL, CLASS, PLUGIN, release(), repository_of_charts(""))
    items = [stored for body in wanted if (stored := there.client.get(body))]
    file = there.served.tree / "running.json"
    file.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": items}), encoding="utf-8")
    options = ("--cluster", "prod", "--region", "swedencentral", "--output", "json")
    report = json.loads(fleet_command(there.served.tree, "import", "running.json", *options))
    file.unlink()
    assert [pool["nodes"] for pool in report["pools"]] == ["keep"]
    return {entry["object"]: entry["steps"] for entry in report["replaced"]}


@contextmanager
def overlays(there: Place) -> Iterator[Object]:
    """The overlays, built and delivered; gitgpu's HelmRelease."""
    with_own_repository(there.served)
    deliver(there.client, there.served, there.charts, ("controllers", "nodes"))
    [ours] = [body for body in there.client.list(HELM, "HelmRelease") if body["metadata"]["namespace"] != KEDA]
    yield ours


def test_a_release_and_a_daemon_set_are_handed_over(place: Place, proved: Proved) -> None:
    """Suspended, deleted, applied: the release is upgraded once, by one owner, and one device plugin is left."""
    steps = imported(place)
    assert set(steps) == {f"HelmRelease/{KEDA}/{KEDA}", "DaemonSet/default/nvidia-device-plugin-daemonset"}
    before = installed(place.client)
    assert before
    change(
        place, annotated(CLASS), annotated(POOL), PLUGIN, repository_of_charts(place.charts), release(suspended=True)
    )
    change(place, annotated(CLASS), annotated(POOL))
    until(lambda: place.client.get(release()) is None, "the old HelmRelease is deleted", WITHIN)
    assert place.client.get(PLUGIN) is None
    kept = installed(place.client)
    assert kept
    assert kept["metadata"]["uid"] == before["metadata"]["uid"]
    with overlays(place) as ours:
        until(lambda: ready(place.client, ours), "the new HelmRelease is Ready", WITHIN)
        after = revisions(place.client)
        with pytest.raises(TimeoutError):
            until(lambda: revisions(place.client) != after, "another upgrade", STEADY)
        now = installed(place.client)
        assert now
        assert now["metadata"]["uid"] == before["metadata"]["uid"]
        assert after == ["1", "2"]
        plugins = [body for body in place.client.list("apps/v1", "DaemonSet") if "device-plugin" in str(body["spec"])]
        assert [body["metadata"]["name"] for body in plugins] == [
            "nvidia-device-plugin-pool-a100"
        ]  # its nodes lack the label
    proved("Flux: a HelmRelease is suspended, deleted and followed by gitgpu's: Helm upgraded the release once")
    proved("Flux: a device plugin of another name is removed, and gitgpu's is the only one")


def test_without_the_suspension_helm_uninstalls_the_release(place: Place, proved: Proved) -> None:
    """Why the page suspends it first."""
    change(place, CLASS, POOL, PLUGIN, repository_of_charts(place.charts))
    until(lambda: installed(place.client) is None, "the release is uninstalled", WITHIN)
    proved(
        "without the suspension, Flux uninstalls a release whose HelmRelease is moved: the order of the page matters"
    )
