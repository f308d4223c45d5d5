"""Flux: from a Git repository to all layers Ready, each after its dependencies."""

from pathlib import Path

import pytest

from tests.e2e.client import Object
from tests.e2e.conftest import Cluster, Proved
from tests.e2e.fleet import NEEDS, OVERLAYS, clusters, kustomize, layers, prepare
from tests.e2e.flux import SETTLES_WITHIN, delivered, kustomizations, messages, ready, sync
from tests.e2e.githost import Repository
from tests.e2e.processes import until
from tests.e2e.standins import Company


def out_of_order(by_layer: dict[str, Object], commit: str) -> list[str]:
    """The layers that are Ready before one that they need."""
    done = {name for name, body in by_layer.items() if ready(body, commit)}
    return [name for name in done if NEEDS[name] & by_layer.keys() - done]


@pytest.mark.parametrize("name", clusters("flux"))
def test_every_layer_states_what_it_needs(name: str) -> None:
    """Without it, the order of a test run is a coincidence."""
    sync = [body for body in kustomize(OVERLAYS / name / "sync") if body["kind"] == "Kustomization"]
    layer_of = {body["metadata"]["name"]: Path(body["spec"]["path"]).name for body in sync}
    stated = {
        layer_of[body["metadata"]["name"]]: {layer_of[other["name"]] for other in body["spec"].get("dependsOn", ())}
        for body in sync
    }
    assert stated == {layer: NEEDS[layer] & stated.keys() for layer in stated}


@pytest.mark.parametrize("name", clusters("flux"))
def test_every_layer_becomes_ready_in_order(
    name: str, cluster: Cluster, committed: tuple[Repository, str], around: Company, proved: Proved
) -> None:
    served, commit = committed
    missing = prepare(cluster.client, [body for layer in layers(name) for body in layer.objects])
    order: list[str] = []

    def arrived() -> bool:
        by_layer = kustomizations(cluster.client)
        assert out_of_order(by_layer, commit) == []
        order.extend(sorted(layer for layer, body in by_layer.items() if ready(body, commit) and layer not in order))
        return len(order) == len(by_layer)

    with delivered(cluster.client, sync(name, served)):
        try:
            until(arrived, f"the layers of {name} are Ready", SETTLES_WITHIN)
        except TimeoutError as error:
            raise AssertionError(f"{error}; Ready: {order}; {messages(cluster.client)}") from error
        inventory = sum(
            len(kustomization["status"].get("inventory", {}).get("entries", ()))
            for kustomization in kustomizations(cluster.client).values()
        )
    proved(f"{name}: Flux brought {inventory} objects to Ready: {' -> '.join(order)}")
    if missing:
        proved(f"  namespaces made by the test: {', '.join(missing)}")
