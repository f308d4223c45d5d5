"""Where a user types, in documents that are only half written. `^` is the cursor."""

import pytest

from gitgpu.editor.cursor import Cursor, cursor_at
from gitgpu.source import Pointer
from tests.helping.cases import for_each

POOL = "apiVersion: gitgpu.dev/v1alpha1\nkind: GpuPool\nmetadata:\n  name: x\nspec:\n"


def cursor(text: str) -> Cursor | None:
    return cursor_at(text.replace("^", ""), text.index("^"))


@for_each(
    ("text", "path", "at_key", "siblings"),
    [
        ("  ^", ("spec",), True, set()),
        ("  cl^", ("spec",), True, set()),
        ("  sku: a\n  ^\n  limits: {gpus: 2}\n", ("spec",), True, {"sku", "limits"}),
        ("  sku: St^\n  limits: {gpus: 2}\n", ("spec", "sku"), False, set()),
        ("  sku: ^\n  limits: {gpus: 2}\n", ("spec", "sku"), False, set()),
        ("  sku: St^ # why\n", ("spec", "sku"), False, set()),
        ("  limits: {gp^\n  sku: x\n", ("spec", "limits"), True, set()),
        ("  limits: {gpus: 2, ^}\n", ("spec", "limits"), True, {"gpus"}),
        ("  clusters: [a, ^\n", ("spec", "clusters", 1), False, {"a"}),
        ("  clusters: [a, ^]\n", ("spec", "clusters", 1), False, {"a"}),
        ("  clusters:\n  - a\n  - ^\n  sku: a\n", ("spec", "clusters", 1), False, {"a"}),
        ("  taints:\n  - key: a\n    ^\n", ("spec", "taints", 0), True, {"key"}),
        ("  taints:\n  - ^\n", ("spec", "taints", 0), False, set()),
        ('  driverBranch: "58^\n', ("spec", "driverBranch"), False, set()),
        ('  driverBranch: "58^"\n', ("spec", "driverBranch"), False, set()),
        ("  partition:\n    mig:\n      profiles: {1g^: 7}\n", ("spec", "partition", "mig", "profiles"), True, set()),
        ("  a: 'open\n  disruption:\n    bud^", ("spec", "disruption"), True, set()),
        ("---\nkind: Cluster\nspec: {reg^: x}\n", ("spec",), True, set()),
    ],
)
def test_the_cursor_has_a_path(text: str, path: Pointer, at_key: bool, siblings: set[str]) -> None:
    found = cursor(POOL + text)
    assert found
    assert (found.path, found.at_key, found.siblings) == (path, at_key, frozenset(siblings))


@pytest.mark.parametrize("text", ["^", "ki^", "\n\n^"])
def test_an_empty_document_has_a_cursor(text: str) -> None:
    found = cursor(text)
    assert found
    assert (found.path, found.at_key) == ((), True)


def test_the_kind_is_that_of_the_document() -> None:
    found = cursor(f"kind: Cluster\n---\n{POOL}  ^\n---\nkind: Fleet\n")
    assert found
    assert found.kind == "GpuPool"


def test_the_word_is_replaced_whole() -> None:
    text = f"{POOL}  sku: Standard_^NC4as_T4_v3\n"
    found = cursor(text)
    assert found
    assert text.replace("^", "")[found.start : found.end] == "Standard_NC4as_T4_v3"


@pytest.mark.parametrize("text", [f"{POOL}\t^", "a: 'it^", "[" * 2000 + "^"])
def test_what_cannot_be_understood_has_no_cursor(text: str) -> None:
    assert cursor(text) is None
