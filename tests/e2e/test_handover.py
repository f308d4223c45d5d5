"""The steps of "Import from a Flux repository": NodePools move to the overlays, and no node is replaced."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import yaml

from tests.e2e.client import Client, Object
from tests.e2e.conftest import Cluster, Proved
from tests.e2e.fleet import kustomize, prepare
from tests.e2e.flux import KUSTOMIZATION, LOCAL, NAMESPACE, delivered, fetch, pointed, ready, settle
from tests.e2e.githost import Repository, repository
from tests.e2e.processes import until
from tests.e2e.standins import Company

CLASS: Object = {
    "apiVersion": "karpenter.azure.com/v1beta1",
    "kind": "AKSNodeClass",
    "metadata": {"name": "gpu"},
    "spec": {"imageFamily": "Ubuntu2204", "osDiskSizeGB": 256},
}
POOL: Object = {
    "apiVersion": "karpenter.sh/v1",
    "kind": "NodePool",
    "metadata": {"name": "a100", "labels": {"team": "research"}},
    "spec": {
        "limits": {"nvidia.com/gpu": "8"},
        "disruption": {"consolidationPolicy": "WhenEmpty", "consolidateAfter": "10m"},
        "template": {
            "metadata": {"labels": {"team": "research"}},
            "spec": {
                "nodeClassRef": {"group": "karpenter.azure.com", "kind": "AKSNodeClass", "name": "gpu"},
                "requirements": [
                    {
                        "key": "karpenter.azure.com/sku-name",
                        "operator": "In",
                        "values": ["Standard_NC24ads_A100_v4"],
                    },
                    {"key": "karpenter.sh/capacity-type", "operator": "In", "values": ["on-demand"]},
                ],
                "taints": [{"key": "sku", "value": "gpu", "effect": "NoSchedule"}],
            },
        },
    },
}
OLD = "clusters/prod/gpu"
KEPT = {"kustomize.toolkit.fluxcd.io/prune": "disabled"}
BASIS = """\
apiVersion: gitgpu.dev/v1alpha1
kind: Config
fleet: [fleet]
out: overlays
"""


def old_sync(served: Repository) -> list[Object]:
    """What applied the node pools so far: a Kustomization that prunes."""
    source = {
        "apiVersion": "source.toolkit.fluxcd.io/v1",
        "kind": "GitRepository",
        "metadata": {"name": "company", "namespace": NAMESPACE, "labels": LOCAL},
        "spec": {"interval": "1m", "url": served.url, "ref": {"branch": "main"}},
    }
    applies = {
        "apiVersion": KUSTOMIZATION[0],
        "kind": KUSTOMIZATION[1],
        "metadata": {"name": "gpu", "namespace": NAMESPACE},
        "spec": {
            "interval": "1m",
            "path": f"./{OLD}",
            "prune": True,
            "sourceRef": {"kind": "GitRepository", "name": "company"},
        },
    }
    return [source, applies]


def put(tree: Path, *objects: Object) -> None:
    """The files of the old folder: exactly these objects, and a ConfigMap that stays there."""
    folder = tree / OLD
    folder.mkdir(parents=True, exist_ok=True)
    for path in folder.glob("*.yaml"):
        path.unlink()
    stays = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "stays", "namespace": "default"}}
    for body in (stays, *objects):
        name = f"{body['kind'].lower()}-{body['metadata']['name']}.yaml"
        (folder / name).write_text(yaml.safe_dump(body), encoding="utf-8")


def annotated(body: Object) -> Object:
    """An object that Flux does not prune."""
    return {**body, "metadata": {**body["metadata"], "annotations": KEPT}}


def applied(client: Client, commit: str) -> None:
    """Wait until the old Kustomization is at a commit."""
    fetch(client)
    old = {
        "apiVersion": KUSTOMIZATION[0],
        "kind": KUSTOMIZATION[1],
        "metadata": {"name": "gpu", "namespace": NAMESPACE},
    }
    until(
        lambda: ready(client.get(old) or {"metadata": {"generation": 0}}, commit),
        f"the old folder at {commit[:8]}",
        120,
    )


@contextmanager
def served_by(folder: Path) -> Iterator[Repository]:
    """A repository with the node pools as a company keeps them."""
    with repository(folder) as served:
        put(served.tree, CLASS, POOL)
        yield served


def with_own_repository(served: Repository) -> None:
    """Fills in what the running objects do not say: the repository of the fleet."""
    path = served.tree / "fleet" / "fleet.yaml"
    fleet = yaml.safe_load(path.read_text(encoding="utf-8"))
    fleet["spec"]["delivery"] = {"engine": "flux", "repository": "https://localhost/fleet.git"}
    path.write_text(yaml.safe_dump(fleet, sort_keys=False), encoding="utf-8")


def fleet_command(folder: Path, *arguments: str) -> str:
    """The output of the command. `import` may exit with 1, which means that there is something to fill in."""
    command = [sys.executable, "-m", "gitgpu", *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0 or (done.returncode == 1 and arguments[0] == "import"), done.stderr + done.stdout
    return done.stdout


def moved_to_overlays(client: Client, served: Repository) -> None:
    """Steps 3 and 5 of the page: build, commit, apply `sync/`, and wait for the nodes."""
    with_own_repository(served)
    (served.tree / ".gitgpu.yaml").write_text(BASIS, encoding="utf-8")
    fleet_command(served.tree, "build")
    commit = served.commit("overlays")
    sync = [pointed(body, served.url) for body in kustomize(served.tree / "overlays/prod/sync")]
    prepare(client, sync)
    for body in sync:
        client.apply(body)
    settle(client, commit, ("nodes",))


def imported(client: Client, tree: Path) -> None:
    """Step 1: what runs becomes a fleet, and all nodes stay."""
    items = [stored for body in (POOL, CLASS) if (stored := client.get(body))]
    dump = {"apiVersion": "v1", "kind": "List", "metadata": {"resourceVersion": ""}, "items": items}
    (tree / "running.json").write_text(json.dumps(dump, indent=2), encoding="utf-8")
    output = fleet_command(tree, "import", "running.json", "--cluster", "prod", "--region", "swedencentral")
    assert "prod/a100: no node is replaced" in output
    (tree / "running.json").unlink()


def test_node_pools_move_from_a_flux_repository(
    cluster: Cluster, around: Company, tmp_path: Path, proved: Proved
) -> None:
    """The same objects before and after, and Karpenter's template is the same: no node is replaced."""
    client = cluster.client
    with served_by(tmp_path) as served, delivered(client, old_sync(served)):
        applied(client, served.commit("as it was"))
        before = client.get(POOL)
        assert before
        imported(client, served.tree)
        put(served.tree, annotated(CLASS), annotated(POOL))
        applied(client, served.commit("Flux does not prune the node pools"))
        moved_to_overlays(client, served)
        put(served.tree)
        removed = served.commit("the old files are gone")
        applied(client, removed)
        settle(client, removed, ("nodes",))
        after = client.get(POOL)
        assert after
        assert after["metadata"]["uid"] == before["metadata"]["uid"]
        assert after["spec"]["template"] == before["spec"]["template"]
        assert client.get(CLASS)
    proved("Flux: a NodePool moves from a repository's own Kustomization to the overlays; its template stays as it is")


def test_without_the_annotation_flux_deletes_the_node_pool(
    cluster: Cluster, around: Company, tmp_path: Path, proved: Proved
) -> None:
    """Why the page turns pruning off first."""
    client = cluster.client
    with served_by(tmp_path) as served, delivered(client, old_sync(served)):
        applied(client, served.commit("as it was"))
        assert client.get(POOL)
        put(served.tree)
        applied(client, served.commit("removed at once"))
        until(lambda: client.get(POOL) is None, "Flux deletes the node pool", 60)
    proved("without the annotation, Flux deletes a NodePool whose file is moved: the order of the page matters")
