"""Documents in the formats of tools: what is read from each, and that no secret is read."""

import pytest
from syrupy.assertion import SnapshotAssertion

from gitgpu.inventory.documents import documents
from gitgpu.inventory.read import all_sources
from tests.helping.cases import for_each
from tests.inventory.reading import DOCUMENTS, read, recorded, shown

SECRETS = ("not-a-real", "bm90", "marked-as-sensitive")
WITH_SECRETS = {
    "az-aks-show.json", "arm-template.json", "helm-status.json", "kubectl-list.yaml", "terraform-show-state.json",
    "terraform.tfstate",
}  # fmt: skip


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_recorded_document(name: str, snapshot: SnapshotAssertion) -> None:
    assert "\n".join(shown(read(recorded(name)))) == snapshot


@for_each("name", DOCUMENTS)
def test_exactly_one_format_recognises_a_document(name: str) -> None:
    docs, faults = documents(recorded(name))
    assert faults == []
    sources = [[source.name for source in all_sources() if source.recognises(document.data)] for document in docs]
    assert [len(names) for names in sources] == [1]


@for_each("name", DOCUMENTS)
def test_no_secret_is_read(name: str) -> None:
    text = recorded(name)
    assert (name in WITH_SECRETS) == any(secret in text.content for secret in SECRETS)
    inventory = read(text)
    objects = [observed.body for cluster in inventory.clusters for observed in cluster.objects]
    facts = [cluster.azure for cluster in inventory.clusters]
    assert [secret for secret in SECRETS if secret in repr((objects, facts, inventory.skipped, inventory.faults))] == []


def test_places_are_those_of_the_document() -> None:
    """A value with a different name in the document has the place of that name."""
    inventory = read(recorded("az-aks-nodepool-list.json"))
    lines = recorded("az-aks-nodepool-list.json").content.splitlines()
    places = inventory.clusters[0].objects[0].places
    for pointer, word in (
        (("spec", "osSKU"), "osSku"),
        (("spec", "vnetSubnetReference", "armId"), "vnetSubnetId"),
        (("spec", "kubeletConfig", "containerLogMaxSizeMB"), "containerLogMaxSizeMb"),
        (("spec", "nodeLabels", "team"), '"team"'),
        (("spec", "nodeTaints", 0), "nodeTaints"),
    ):
        assert word in lines[places.span(pointer).line - 1]
