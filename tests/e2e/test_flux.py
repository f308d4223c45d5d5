"""Flux: from a Git repository to all layers Ready, each after its dependencies."""

import pytest

from tests.e2e.client import Object
from tests.e2e.conftest import Cluster, Proved
from tests.e2e.fleet import clusters, layers, prepare
from tests.e2e.flux import SETTLES_WITHIN, delivered, kustomizations, messages, ready, sync
from tests.e2e.githost import Repository
from tests.e2e.processes import until
from tests.e2e.standins import Company


def out_of_order(by_layer: dict[str, Object], commit: str) -> list[str]:
    """The layers that are Ready before one that they wait for."""
    by_name = {body["metadata"]["name"]: ready(body, commit) for body in by_layer.values()}
    needs = {name: [each["name"] for each in body["spec"].get("dependsOn", ())] for name, body in by_layer.items()}
    return [name for name, body in by_layer.items() if ready(body, commit) and not all(map(by_name.get, needs[name]))]


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
