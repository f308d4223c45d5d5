"""Runs the program in this process, in a temporary directory."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from gitgpu.cli.main import main

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
