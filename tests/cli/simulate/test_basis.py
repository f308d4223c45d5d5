"""The commit that the HTML page of a simulation names."""

import os
import subprocess
from pathlib import Path

from gitgpu.cli.simulate.provenance import basis
from gitgpu.model.catalog import catalog

CATALOG = catalog(())


def test_the_origin_of_a_page(repository: Path) -> None:
    commit = subprocess.run(["git", "rev-parse", "HEAD"], check=True, capture_output=True, text=True).stdout
    clean = basis("contoso", ["fleet"], CATALOG)
    assert (clean.commit, clean.changed) == (commit[:12], False)
    (repository / "fleet" / "a.yaml").write_bytes(b"a: 1\r\n")
    assert not basis("contoso", ["fleet", "-"], CATALOG).changed
    (repository / "fleet" / ".hidden.yaml").write_text("x")
    assert not basis("contoso", ["fleet"], CATALOG).changed
    (repository / "fleet" / "a.yaml").write_text("a: 2\n")
    assert basis("contoso", ["fleet"], CATALOG).changed
    (repository / "new").mkdir()
    (repository / "new" / "b.yaml").write_text("b: 1\n")
    assert basis("contoso", ["new"], CATALOG).commit == ""
    partly = basis("contoso", ["fleet", "new"], CATALOG)
    assert (partly.commit, partly.changed) == (commit[:12], True)
    assert basis("contoso", ["-"], CATALOG).commit == ""
    outside = os.path.dirname(repository)
    assert basis("contoso", ["fleet", outside], CATALOG).commit == ""
