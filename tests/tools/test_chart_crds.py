"""CRDs that `helm upgrade` does not update: read from the crds folders of two versions."""

import io
import tarfile
from pathlib import Path

import pytest

from tests.journeys.repository import Repository, repository
from tools.chart_crds import definitions, left_behind
from tools.chart_values import Chart

CHART = Chart("owner/name", "chart", r"v([\d.]+)", "1.0.0")


@pytest.fixture
def clone(tmp_path: Path) -> Repository:
    """The clone of a chart's repository."""
    return repository(tmp_path / "owner+name" / "repo")


def crd(name: str, text: str, more: str = "") -> str:
    """A definition with one description."""
    spec = f"spec: {{description: {text}, versions: [{more}]}}"
    return f"kind: CustomResourceDefinition\nmetadata: {{name: {name}}}\n{spec}\n---\n"


def write(clone: Repository, tag: str, **files: str) -> None:
    """A version of the chart with these files and a packed chart."""
    for name, content in files.items():
        path = clone.root / "chart" / name.replace("__", "/")
        path = path.with_name(f"{path.name}.yaml")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    clone.commit()
    clone.git("tag", tag)


def pack(clone: Repository, content: str) -> None:
    """A chart within the chart, as Helm packs it."""
    path = clone.root / "chart" / "charts" / "inner-1.tgz"
    path.parent.mkdir(parents=True, exist_ok=True)
    with tarfile.open(path, "w:gz") as archive:
        member = tarfile.TarInfo("inner/crds/inner.yaml")
        member.size = len(content)
        archive.addfile(member, io.BytesIO(content.encode()))


def test_definitions_that_an_upgrade_does_not_change(clone: Repository, tmp_path: Path) -> None:
    pack(clone, crd("inner", "a"))
    write(clone, "v1.0.0", crds__own=crd("same", "a") + crd("changed", "a") + crd("gone", "a"))
    pack(clone, crd("inner", "a", "v1"))
    write(
        clone, "v2.0.0",
        crds__own=crd("same", "another text") + crd("changed", "a", "v2") + crd("new", "a"),
        templates__crds__applied=crd("a-template", "a"),
        charts__part__crds__part=crd("vendored", "a"),
    )  # fmt: skip
    old, new = (definitions(CHART, tag, tmp_path) for tag in ("v1.0.0", "v2.0.0"))
    assert left_behind(old, new) == ["changed", "inner", "new", "vendored"]
    assert left_behind(new, new) == []
