"""Expected results in tests of operators: their objects are not read, unless the file is named explicitly."""

import pytest

from gitgpu.load.text import Text
from gitgpu.objects.manifest.manifests import read_manifests
from tests.helping.cases import for_each

POD = "apiVersion: v1\nkind: Pod\nmetadata: {{name: {name}}}\n"
FIXED, COMPUTED = POD.format(name="a"), POD.format(name="($name)")
CHAINSAW = """\
apiVersion: chainsaw.kyverno.io/v1alpha1
kind: Test
metadata: {name: gpu}
spec:
  steps:
    - try:
        - apply: {file: given.yaml}
        - assert: {file: ./sub/wanted.yaml}
        - error: {file: "gone-*.yaml"}
        - patch: {file: part.yaml}
        - assert: {resource: {file: inline.yaml}}
        - error: text
"""
KUTTL = "apiVersion: kuttl.dev/v1beta1\nkind: {kind}\ntimeout: 5\n"


def kinds(contents: dict[str, str], named: frozenset[str] | None = frozenset()) -> dict[str, list[str]]:
    """The kinds of the objects that are read from each file."""
    manifests = read_manifests([Text(name, text, name) for name, text in contents.items()], named)
    return {name: [loaded.body["kind"] for loaded in file.objects] for name, file in manifests.files.items()}


@for_each(
    ("file", "is_assert"),
    [
        ("assert.yaml", True),
        ("asserts.yml", True),
        ("01-assert.yaml", True),
        ("01-assert-gpu.yaml", True),
        ("chainsaw-assert.yaml", True),
        ("01-errors.yaml", True),
        ("01-error-gone.yaml", True),
        ("errors.yaml", False),
        ("assertion.yaml", False),
        ("01-install.yaml", False),
    ],
)
def test_files_are_recognised_by_name(file: str, is_assert: bool) -> None:
    assert kinds({f"tests/{file}": FIXED}) == {f"tests/{file}": [] if is_assert else ["Pod"]}
    assert kinds({f"tests/{file}": FIXED}, frozenset({f"tests/{file}"})) == {f"tests/{file}": ["Pod"]}


@for_each(
    ("file", "read"),
    [
        ("t/given.yaml", ["Pod"]),
        ("t/sub/wanted.yaml", []),
        ("t/gone-1.yaml", []),
        ("t/part.yaml", []),
        ("t/inline.yaml", ["Pod"]),
        ("wanted.yaml", ["Pod"]),
    ],
)
def test_files_are_recognised_by_the_test_that_compares_with_them(file: str, read: list[str]) -> None:
    assert kinds({"t/chainsaw-test.yaml": CHAINSAW, file: FIXED})[file] == read


@for_each(
    ("file", "text", "read"),
    [
        ("t/a.yaml", COMPUTED, []),
        ("t/deep/a.yaml", COMPUTED, []),
        ("t/a.yaml", f"{FIXED}---\n{COMPUTED}", []),
        ("t/a.yaml", FIXED, ["Pod"]),
        ("other/a.yaml", COMPUTED, ["Pod"]),
        ("t/a.yaml", FIXED.replace("{name: a}", "{name: a, namespace: ($namespace)}"), []),
    ],
)
def test_files_are_recognised_by_names_that_the_test_computes(file: str, text: str, read: list[str]) -> None:
    assert kinds({"t/chainsaw-test.yaml": CHAINSAW, file: text})[file] == read


@pytest.mark.parametrize(("kind", "read"), [("TestAssert", []), ("TestStep", ["TestStep", "Pod"])])
def test_files_are_recognised_by_the_kind_of_kuttl(kind: str, read: list[str]) -> None:
    text = f"{KUTTL.format(kind=kind)}---\n{FIXED}"
    assert kinds({"steps/00.yaml": text}) == {"steps/00.yaml": read}
    other = text.replace("kuttl.dev/v1beta1", "example.com/v1")
    assert kinds({"steps/00.yaml": other}) == {"steps/00.yaml": [kind, "Pod"]}
