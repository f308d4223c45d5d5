"""What AKS keeps on when a page no longer turns it on."""

from gitgpu.model.catalog import catalog
from tests.compare.sides import between
from tests.helping.cases import for_each

CONFIG_MAP = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: b}\n"
BASE = {"c/nodes/configmap-a.yaml": CONFIG_MAP}
KEDA = "\n# The AKS add-on for KEDA\naz aks update --enable-keda\n"
KUEUE = "\n# The managed Kueue extension of AKS (preview)\naz k8s-extension create\n"


def page(*parts: str, name: str = "cluster.sh") -> dict[str, str]:
    return {**BASE, f"c/runbook/{name}": "#!/bin/sh\n" + "".join(parts)}


def texts(before: dict[str, str], after: dict[str, str]) -> list[str]:
    return [effect.text for change in between(before, after) for effect in change.effects if effect.object == "c"]


def test_a_part_that_leaves_the_page_stays_on() -> None:
    keda = "The AKS add-on for KEDA stays on: run `az aks update --disable-keda` once nothing in the cluster uses it"
    assert texts(page(KEDA, KUEUE), page(KUEUE)) == [keda]
    assert texts(page(KEDA), BASE) == [keda]
    (kueue,) = texts(page(KEDA, KUEUE), page(KEDA))
    assert "run `az k8s-extension delete --name kueue`" in kueue


@for_each(
    ("before", "after"),
    [
        (page(KEDA), page(KEDA, KUEUE)),
        (page(KEDA), {**BASE, "c/runbook/cluster.tf.json": "{}\n"}),
        (page(KEDA), {}),
        ({}, page(KEDA)),
    ],
    ids=["it stays on the page", "Terraform may have it", "the cluster leaves", "a new cluster"],
)
def test_nothing_is_said_otherwise(before: dict[str, str], after: dict[str, str]) -> None:
    assert [text for text in texts(before, after) if "stays on" in text] == []


def test_each_part_that_is_turned_on_for_the_fleet_says_how_to_turn_it_off() -> None:
    """Not what others may use: identities, registries, features of the subscription, and what makes nodes."""
    rows = catalog(()).rows("prerequisites")
    on = {name for name, row in rows.items() if "update" in row or "extension" in row}
    assert on - {name for name, row in rows.items() if "disable" in row} == {
        "node-auto-provisioning", "registry", "workload-identity",
    }  # fmt: skip
