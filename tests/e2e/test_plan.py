"""`gitgpu plan` is correct: the objects that it lists are the ones that change in the API server through Flux."""

import json
import shutil
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from tests.e2e.client import Client, Object
from tests.e2e.conftest import Cluster, Proved
from tests.e2e.edits import EDITS, Edit
from tests.e2e.fleet import OURS, ROOT, gitgpu, layers, prepare
from tests.e2e.flux import REQUESTED, delivered, settle, sync
from tests.e2e.githost import Repository, repository
from tests.e2e.standins import Company

NAME = "prod-eus"
SERVERS_OWN = ("resourceVersion", "managedFields", "generation", "creationTimestamp", "uid")
BY_PEOPLE = ("runbook", "verify")  # layers that no engine applies

Identity = tuple[str, str, str]


class Changes(NamedTuple):
    """Objects by kind, namespace and name that were added, changed in place, recreated, and removed."""

    added: frozenset[Identity] = frozenset()
    changed: frozenset[Identity] = frozenset()
    remade: frozenset[Identity] = frozenset()
    removed: frozenset[Identity] = frozenset()


class Delivered(NamedTuple):
    """A repository that Flux follows, and a cluster that it has brought to what is in it."""

    served: Repository
    client: Client


@pytest.fixture(scope="module")
def fleet(cluster: Cluster, around: Company, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Delivered]:
    """The example fleet in a repository, one of its clusters delivered."""
    client = cluster.client
    with repository(tmp_path_factory.mktemp("plan")) as served:
        shutil.copy(ROOT / "fleet.yaml", served.tree)
        gitgpu(served.tree, "build")
        prepare(client, [body for layer in layers(NAME) for body in layer.objects])
        commit = served.commit("the example fleet")
        with delivered(client, sync(NAME, served, served.tree / "overlays")):
            settle(client, commit)
            yield Delivered(served, client)


def snapshot(client: Client) -> dict[Identity, tuple[str, Object]]:
    """All objects of gitgpu by name, each with its UID and its content."""
    by_key = {}
    for api_version, kind in client.kinds(lambda group: group != "apiextensions.k8s.io"):
        for body in client.list(api_version, kind, OURS):
            metadata = {key: value for key, value in body["metadata"].items() if key not in SERVERS_OWN}
            noted = {**metadata.get("annotations", {})}
            noted.pop(REQUESTED, None)  # the test uses it to make Flux look
            metadata["annotations"] = noted
            content = {key: value for key, value in body.items() if key != "status"} | {"metadata": metadata}
            by_key[kind, metadata.get("namespace", ""), metadata["name"]] = (body["metadata"]["uid"], content)
    return by_key


def became(before: dict[Identity, tuple[str, Object]], after: dict[Identity, tuple[str, Object]]) -> Changes:
    """The differences between two snapshots."""
    both = before.keys() & after.keys()
    return Changes(
        frozenset(after.keys() - before.keys()),
        frozenset(key for key in both if before[key][0] == after[key][0] and before[key] != after[key]),
        frozenset(key for key in both if before[key][0] != after[key][0]),
        frozenset(before.keys() - after.keys()),
    )


def planned_changes(plan: dict[str, Any]) -> Changes:
    """What a plan says about the objects that an engine or a person applies. Patches and pages are not such objects."""
    if not plan["clusters"]:
        return Changes()
    (cluster,) = plan["clusters"]
    applied = [each for each in cluster["changes"] if is_applied(each["file"])]
    stays = {key(each["object"]) for each in cluster["leaving"] if each["stays"]}
    by = {word: {key(each["object"]) for each in applied if each["change"] == word} for word in ("added", "changed")}
    gone = {key(each["object"]) for each in applied if each["change"] == "removed"} - stays
    return Changes(frozenset(by["added"]), frozenset(by["changed"]), frozenset(), frozenset(gone))


def is_applied(path: str) -> bool:
    """Is a file one that a cluster gets, and not a runbook page or a patch for a workload?"""
    layer, *rest = path.split("/")[1:]
    return layer not in BY_PEOPLE and not (layer == "workloads" and len(rest) > 1)


def key(named: dict[str, str]) -> Identity:
    """The object that a plan names."""
    return named["kind"], named["namespace"], named["name"]


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: edit.name)
def test_the_planned_changes_are_the_actual_changes(edit: Edit, fleet: Delivered, proved: Proved) -> None:
    """Each edit builds on the ones before: exactly the objects that `plan` names change."""
    tree, client = fleet.served.tree, fleet.client
    before = snapshot(client)
    spec = tree / "fleet.yaml"
    spec.write_text(edit.apply(spec.read_text(encoding="utf-8")), encoding="utf-8")
    plan = json.loads(gitgpu(tree, "plan", "--cluster", NAME, "-o", "json"))
    gitgpu(tree, "build")
    commit = fleet.served.commit(edit.name)
    for body in sync(NAME, fleet.served, tree / "overlays"):
        client.apply(body)
    settle(client, commit)
    real = became(before, snapshot(client))
    assert planned_changes(plan) == real
    assert edit.changes == any(real)
    proved(
        f"plan, {edit.name}: "
        + ", ".join(
            f"{len(objects)} {word}" for word, objects in real._asdict().items() if objects or word == "changed"
        )
    )
