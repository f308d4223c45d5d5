"""A change of the SKU of a cluster, which the page that creates AKS Automatic clusters shows."""

from tests.compare.sides import between

CONFIG_MAP = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: b}\n"
BASE = {"c/nodes/configmap-a.yaml": CONFIG_MAP}
AUTOMATIC = {**BASE, "c/runbook/create-cluster.sh": "az aks create --sku automatic\n"}


def texts(before: dict[str, str], after: dict[str, str]) -> list[str]:
    return [effect.text for change in between(before, after) for effect in change.effects if effect.object == "c"]


def test_an_existing_cluster_does_not_become_automatic() -> None:
    (text,) = texts(BASE, AUTOMATIC)
    assert text.startswith("AKS cannot change the SKU of an existing cluster to Automatic: create a new cluster")


def test_an_automatic_cluster_can_become_another_one() -> None:
    (text,) = texts(AUTOMATIC, BASE)
    assert "`az aks update --sku base`" in text


def test_a_new_cluster_and_a_changed_page_are_no_change_of_the_sku() -> None:
    changed = {**AUTOMATIC, "c/runbook/create-cluster.sh": "az aks create --sku automatic --location westeurope\n"}
    assert texts({}, AUTOMATIC) == texts(AUTOMATIC, changed) == texts(AUTOMATIC, {}) == []
