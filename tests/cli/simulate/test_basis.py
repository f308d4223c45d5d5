"""The commit that the HTML page of a simulation names."""

import os
import subprocess
from pathlib import Path

from gitgpu.cli.simulate.provenance import basis
from gitgpu.load.catalog.evidence import evidence
from gitgpu.model.catalog import catalog

DATES = evidence(catalog(()).files)


def test_the_origin_of_a_page(repository: Path) -> None:
    commit = subprocess.run(["git", "rev-parse", "HEAD"], check=True, capture_output=True, text=True).stdout
    clean = basis("contoso", ["fleet"], DATES)
    assert (clean.commit, clean.changed) == (commit[:12], False)
    (repository / "fleet" / "a.yaml").write_bytes(b"a: 1\r\n")
    assert not basis("contoso", ["fleet", "-"], DATES).changed
    (repository / "fleet" / ".hidden.yaml").write_text("x")
    assert not basis("contoso", ["fleet"], DATES).changed
    (repository / "fleet" / "a.yaml").write_text("a: 2\n")
    assert basis("contoso", ["fleet"], DATES).changed
    (repository / "new").mkdir()
    (repository / "new" / "b.yaml").write_text("b: 1\n")
    assert basis("contoso", ["new"], DATES).commit == ""
    partly = basis("contoso", ["fleet", "new"], DATES)
    assert (partly.commit, partly.changed) == (commit[:12], True)
    assert basis("contoso", ["-"], DATES).commit == ""
    outside = os.path.dirname(repository)
    assert basis("contoso", ["fleet", outside], DATES).commit == ""
