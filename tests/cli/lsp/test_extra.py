"""`gitgpu lsp` without the extra that it needs."""

import pytest

from gitgpu.cli.lsp import command
from tests.cli.conftest import Run


def test_without_the_extra_the_command_says_how_to_install_it(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "find_spec", lambda _: None)
    ran = run("lsp")
    assert (ran.code, ran.out) == (2, "")
    assert "pip install 'gitgpu[lsp]'" in ran.err
