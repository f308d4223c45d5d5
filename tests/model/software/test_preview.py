"""AKS features in preview: a fact of the catalog, which all findings and pages use."""

from pathlib import Path

import pytest

from gitgpu.load.catalog.folders import Folder
from gitgpu.load.catalog.rows import CatalogFiles
from gitgpu.model.catalog import Catalog
from gitgpu.model.software.preview import preview, title

ROW = """\
name: {name}
what: {what}
feature: SomeFeature
{preview}source: [https://example.com/feature]
verified: "2026-11-22"
"""


def catalog(folder: Path, preview_line: str) -> Catalog:
    """The catalog, with a row of the user's own for a prerequisite."""
    (folder / "prerequisites").mkdir()
    text = ROW.format(name="new-feature", what="New nodes", preview=preview_line)
    (folder / "prerequisites/new-feature.yaml").write_text(text)
    return Catalog(CatalogFiles([Folder(str(folder), "mine")]))


def test_a_preview_says_what_to_register(tmp_path: Path) -> None:
    facts = catalog(tmp_path, "preview: true\n")
    shown = preview("new-feature", facts)
    assert shown is not None
    assert shown.message == "New nodes are a preview without a service level agreement"
    assert shown.remedy("DRV070") == "register SomeFeature, as the runbook shows, and suppress DRV070 with a reason"
    assert title(facts.must("prerequisites", "new-feature")) == "New nodes (preview)"


def test_a_feature_that_may_be_a_preview_is_a_doubt(tmp_path: Path) -> None:
    facts = catalog(tmp_path, "preview: null\n")
    shown = preview("new-feature", facts)
    assert shown is not None
    assert shown.message == "whether New nodes are still a preview is not known"
    assert title(facts.must("prerequisites", "new-feature")) == "New nodes (preview)"


def test_a_feature_that_is_generally_available_is_not_a_preview(tmp_path: Path) -> None:
    facts = catalog(tmp_path, "")
    assert preview("new-feature", facts) is None
    assert title(facts.must("prerequisites", "new-feature")) == "New nodes"


@pytest.mark.parametrize("name", ["managed-gpu-nodes", "windows-gpus"])
def test_previews_of_today(name: str) -> None:
    assert preview(name, Catalog(CatalogFiles())) is not None
