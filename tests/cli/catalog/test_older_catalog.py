"""The older catalog that `catalog diff` compares with."""

from pathlib import Path

import click
import pytest

from gitgpu.cli.catalog.diff.older_catalog import older_catalog
from gitgpu.load.catalog.folders import Folder


def test_the_older_catalog(repository: Path) -> None:
    mine = Folder("mine", "mine")
    (repository / "mine" / "gpus" / "Y.yaml").write_text("name: Y\n")
    older = older_catalog(None, (mine,))
    [folder] = older.folders
    assert (older.description, folder.path, folder.label) == ("the catalog of HEAD", "HEAD:mine", "mine")
    assert folder.texts == {"gpus/X.yaml": "name: X\n"}
    assert older_catalog("nowhere", (mine,)).faults[0].code == "INP008"
    assert older_catalog("HEAD", (Folder("fleet/none", "x"),)).folders == ()
    with pytest.raises(click.UsageError, match="lists no directory"):
        older_catalog(None, ())
    (repository / "other" / "gpus").mkdir(parents=True)
    (repository / "other" / "gpus" / "X.yaml").write_text("name: X\n")
    replaced_folder = older_catalog("other/", (mine,))
    assert replaced_folder.folders == (Folder("other", "mine"),)
    assert replaced_folder.description == "the catalog in other"
    assert older_catalog("other", ()).folders == (Folder("other", "other"),)
    several = (mine, Folder("second", "second"))
    unknown = r"other is not one of the directories of `catalog` in \.gitgpu\.yaml: use the same name"
    with pytest.raises(click.UsageError, match=unknown):
        older_catalog("other", several)
    assert older_catalog("other", (mine, Folder("second", "other"))).folders == (mine, Folder("other", "other"))
    assert older_catalog("fleet", (mine,)).faults[0].code == "CAT006"
