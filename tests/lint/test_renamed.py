"""Two bases with the same names do not conflict if a kustomization renames or deletes objects of one of them."""

import pytest

from tests.helping.cases import for_each
from tests.lint.test_lint import codes

ACCOUNT = "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: manager, namespace: serving}\n"
RENAMED = (
    "patches:\n- target: {kind: ServiceAccount}\n  patch: |\n    - {op: replace, path: /metadata/name, value: b}\n"
)
RAISED = "patches:\n- target: {kind: Deployment}\n  patch: |\n    - {op: replace, path: /spec/replicas, value: 2}\n"


def tree(first: str, second: str, root: str = "") -> dict[str, str]:
    """Two directories that define an object with the same name, and a kustomization with both."""
    files = {"kustomization.yaml": f"resources: [one, two]\n{root}"}
    for folder, more in (("one", first), ("two", second)):
        files[f"{folder}/kustomization.yaml"] = f"resources: [account.yaml]\n{more}"
        files[f"{folder}/account.yaml"] = f"{ACCOUNT}automountServiceAccountToken: {str(folder == 'one').lower()}\n"
    return files


@for_each(
    ("first", "second"),
    [
        ("namePrefix: one-\n", "namePrefix: two-\n"),
        ("nameSuffix: -one\n", ""),
        ("", RENAMED),
        ("patches: [{path: delete-account.yaml}]\n", ""),
        ("transformers: [prefix.yaml]\n", ""),
    ],
)
def test_what_is_renamed_apart_is_not_a_duplicate(first: str, second: str) -> None:
    assert "CNF008" not in codes(tree(first, second))


@pytest.mark.parametrize("root", ["", "namePrefix: all-\n", "namespace: other\n"])
def test_what_is_renamed_alike_is_a_duplicate(root: str) -> None:
    assert codes(tree("", RAISED, root)) == ["CNF008"]
