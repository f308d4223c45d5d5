"""Files with tokens such as `<CLUSTER_NAME>`: many of them are templates, a few are mistakes."""

import pytest

from gitgpu.load.text import Text
from gitgpu.objects.manifest.manifests import read_manifests
from tests.helping.cases import for_each

TOKEN = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata: <CLUSTER_DATA>\n<CLUSTER_KEYS>\n"


def codes(number: int, named: frozenset[str] | None = frozenset()) -> set[str]:
    """The codes of the faults in this many files with a token."""
    texts = [Text(f"{at}.yaml", TOKEN, f"{at}.yaml") for at in range(number)]
    manifests = read_manifests(texts, named)
    return {fault.code for file in manifests.files.values() for fault in file.faults}


@pytest.mark.parametrize(("number", "reported"), [(9, {"YML001"}), (10, set())])
def test_ten_files_with_tokens_are_templates(number: int, reported: set[str]) -> None:
    assert codes(number) == reported


def test_files_that_are_named_explicitly_are_never_templates() -> None:
    assert codes(10, None) == {"YML001"}
    assert codes(10, frozenset({"3.yaml"})) == {"YML001"}  # the other nine are too few
    assert codes(11, frozenset({"3.yaml"})) == {"YML001"}


HEAD = "apiVersion: v1\nkind: ConfigMap\n"


@for_each(
    ("content", "reported"),
    [
        (f"{HEAD}metadata: {{name: <CLUSTER_NAME>}}\n", set()),
        ('{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "<CLUSTER_NAME>"}}\n', set()),
        (f"{HEAD}metadata: {{name: a}}\ndata: [<CLUSTER_DATA>: {{]\n", set()),
        (f"{HEAD}metadata: {{name: <cluster-name>}}\n", set()),
        (f"{HEAD}metadata: {{name: <NAME>}}\n", set()),
        (f"{HEAD}# <CLUSTER_NAME>\nmetadata:\n  name: a\ndata: {{]\n", {"YML001"}),  # not at the fault
        (f"{HEAD}metadata: {{name: a}}\ndata: {{]\n# <CLUSTER_NAME>\n", {"YML001"}),
        (f"{HEAD}metadata: {{name: a}}\ndata: {{a: <CLUSTER_NAME>}}\ndata: {{}}\n", {"YML002"}),
    ],
)
def test_a_token_makes_a_file_a_template_if_it_is_the_fault(content: str, reported: set[str]) -> None:
    manifests = read_manifests([Text(f"{at}.yaml", content, f"{at}.yaml") for at in range(10)], frozenset())
    assert {fault.code for file in manifests.files.values() for fault in file.faults} == reported
