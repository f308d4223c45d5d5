"""Runs the program in this process, in a temporary directory."""

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from gitgpu.cli.main import main
from tests.cli.edits.ringed_fleet import CLUSTER, FLEET
from tests.cli.fleets import write

# Options of `import` for what objects of a cluster do not say.
KNOWN = ("--kubernetes", "1.36", "--repository", "https://github.com/contoso/fleet")


class Ran(NamedTuple):
    """The result of a run of the program."""

    code: int
    out: str
    err: str


Run = Callable[..., Ran]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs the program. Asserts that it shows no traceback and reports no bug in itself, for any input."""
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    for name in ("NO_COLOR", "GITGPU_DEBUG", "_GITGPU_COMPLETE"):
        monkeypatch.delenv(name, raising=False)

    def go(*arguments: str) -> Ran:
        capsys.readouterr()
        code = main(arguments)
        out, err = capsys.readouterr()
        assert "Traceback" not in out + err
        assert "internal error" not in err, err
        return Ran(code, out, err)

    return go


@pytest.fixture
def fleet(run: Run) -> Run:
    """A fleet of several files whose rings have different versions."""
    write(FLEET, "fleet/fleet.yaml")
    for name in ("c1", "c2", "c3"):
        write(CLUSTER.replace("NAME", name), f"fleet/{name}.yaml")
    return run


def git(*words: str) -> None:
    """Runs Git here."""
    identity = ("-c", "user.name=n", "-c", "user.email=e@example.com", "-c", "commit.gpgsign=false")
    subprocess.run(["git", *identity, *words], check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with one commit of a fleet and a catalog."""
    monkeypatch.chdir(tmp_path)
    git("init", "-q")
    (tmp_path / "fleet").mkdir()
    (tmp_path / "fleet" / "a.yaml").write_text("a: 1\n")
    (tmp_path / "mine" / "gpus").mkdir(parents=True)
    (tmp_path / "mine" / "gpus" / "X.yaml").write_text("name: X\n")
    git("add", ".")
    git("commit", "-q", "-m", "one")
    return tmp_path
