"""The values that options of `lint` accept."""

from pathlib import Path

import pytest

from tests.cli.conftest import Run


@pytest.mark.parametrize(
    ("text", "is_version"),
    [("1.35", True), ("v1.35.2", True), ("1.9", True), ("1", False), ("2.1", False), ("1.35.", False),
     ("1.35-x", False), ("1.1234", False)],
)  # fmt: skip
def test_versions_of_kubernetes(run: Run, text: str, is_version: bool) -> None:
    Path("a.yaml").write_text("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: b}\n")
    ran = run("lint", "--kubernetes-version", text, "a.yaml")
    assert ran.code == (0 if is_version else 2)
    assert ("is not a version such as 1.35" in ran.err) is not is_version
