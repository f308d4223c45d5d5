"""What commands do not import: for one fleet, importing modules takes most of the time."""

import json
from pathlib import Path

import pytest

from bench.figures.lint import pool_text
from tests.jobs.test_jobs import answer

SPEC = Path(__file__).parents[2] / "fleet.yaml"
IMPORT = ("import", ".", "--cluster", "prod", "--region", "swedencentral", "--kubernetes", "1.36", "--dry-run")


@pytest.mark.parametrize(
    ("words", "absent"),
    [
        (("validate", "fleet.yaml"), ("gitgpu.write.cache", "gitgpu.cli.fixes", "gitgpu.emit", "gitgpu.rules.objects")),
        (("build", "fleet.yaml", "--jobs", "1"), ("gitgpu.patch.applied", "gitgpu.simulate", "gitgpu.cli.fixes")),
        (IMPORT, ("gitgpu.simulate", "gitgpu.patch.applied")),
    ],
    ids=["validate in a new checkout", "build without patches", "import of node pools"],
)
def test_a_command_imports_only_what_it_needs(tmp_path: Path, words: tuple[str, ...], absent: tuple[str, ...]) -> None:
    (tmp_path / "fleet.yaml").write_text(SPEC.read_text("utf-8"), "utf-8")
    if words == IMPORT:
        (tmp_path / "fleet.yaml").write_text(pool_text(0), "utf-8")
    program = f"""
import json, os, sys
from contextlib import redirect_stderr, redirect_stdout
from gitgpu.cli.program import execute

os.chdir({str(tmp_path)!r})
with open(os.devnull, "w") as nowhere, redirect_stdout(nowhere), redirect_stderr(nowhere):
    code = execute({list(words)!r})
print(json.dumps([code < 2, sorted(set(sys.modules).intersection({list(absent)!r}))]))
"""
    assert json.loads(answer(program)) == [True, []]
