"""What `az k8s-extension list` and `az k8s-extension show` print is read."""

import json
from typing import Any

import pytest

from gitgpu.runs.import_ import import_fleet
from tests.adopt.test_first_build import nodes
from tests.adopt.test_running_rows import OPTIONS
from tests.inventory.reading import read

CLUSTER = (
    f"/subscriptions/{'0' * 8}-0000-0000-0000-{'0' * 12}/resourceGroups/rg/providers/Microsoft.ContainerService/"
    "managedClusters/prod"
)


def extension(kind: str = "microsoft.kueue", **more: Any) -> dict[str, Any]:
    """An extension of the cluster, with its properties next to its name, as `az` writes them."""
    return {
        "autoUpgradeMinorVersion": False,
        "currentVersion": "0.19.6-aks.0.4.4",
        "extensionType": kind,
        "id": f"{CLUSTER}/providers/Microsoft.KubernetesConfiguration/extensions/one",
        "name": "one",
        "provisioningState": "Succeeded",
        "scope": {"cluster": {"releaseNamespace": "kueue-system"}},
        "type": "Microsoft.KubernetesConfiguration/extensions",
        **more,
    }


def queues(*printed: Any) -> tuple[str | None, str | None, list[str]]:
    """`queues` of the imported cluster, its resource ID, and why extensions were skipped."""
    inventory = read(nodes(), *map(json.dumps, printed))
    made = import_fleet(inventory, OPTIONS, (), "fleet")
    [cluster] = [entry.document for entry in made.adopted.documents if entry.document.kind == "Cluster"]
    skipped = [entry.reason for entry in inventory.skipped]
    return cluster.spec.get("stack", {}).get("queues"), cluster.spec.get("resourceId"), skipped


def test_managed_kueue_is_read() -> None:
    assert queues(extension()) == ("aks", CLUSTER, [])
    assert queues([extension(), extension("microsoft.flux")])[0] == "aks"


def test_properties_of_the_rest_api_are_read() -> None:
    inner = {"extensionType": "Microsoft.Kueue", "provisioningState": "Succeeded"}
    own = {key: value for key, value in extension().items() if key in ("id", "name", "type")}
    assert queues({**own, "properties": inner})[0] == "aks"


@pytest.mark.parametrize("state", ["Failed", "Deleting", "Canceled"])
def test_an_extension_that_does_not_run_is_no_evidence(state: str) -> None:
    found, _, skipped = queues(extension(provisioningState=state))
    assert (found, skipped) == (None, [f"its state is {state}"])


def test_other_extensions_are_skipped_with_a_reason() -> None:
    found, _, skipped = queues(extension("microsoft.flux"))
    assert (found, skipped) == (None, ["not an extension of an AKS cluster that gitgpu installs"])
