"""`completion`: the script for a shell, and the commands and options that it completes."""

import os
import shutil
import subprocess

import pytest
from click import shell_completion

from gitgpu import cli
from gitgpu.cli.commands import command_folders
from tests.cli.conftest import Run


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish", "powershell"])
def test_a_shell_gets_a_script_that_it_can_read(run: Run, shell: str) -> None:
    ran = run("completion", shell)
    assert (ran.code, ran.err) == (0, "")
    assert "_GITGPU_COMPLETE" in ran.out
    assert " gitgpu" in ran.out, "the command that it completes"
    program = shutil.which(shell)
    if program and shell != "powershell":
        subprocess.run([program, "-n"], input=ran.out, text=True, check=True, timeout=10)


def test_fish_shows_descriptions_with_commas(run: Run) -> None:
    script = run("completion", "fish").out
    assert 'string split --max 1 "," $completion' in script
    assert 'string split ","' not in script


def test_an_older_click_has_no_completion_for_powershell(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(shell_completion._available_shells, "powershell")
    ran = run("completion", "powershell")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.endswith(
        "Error: this version of click has no completion for powershell; install click 8.5 or newer\n"
    )


def test_another_shell_is_a_usage_error(run: Run) -> None:
    assert run("completion", "tcsh").code == 2
    assert run("completion").code == 2


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ("gitgpu ", set(command_folders(cli))),
        ("gitgpu bu", {"build"}),
        ("gitgpu sku s", {"show"}),
        ("gitgpu build --ch", {"--check"}),
        ("gitgpu completion z", {"zsh"}),
    ],
)
def test_commands_and_options_are_completed(
    run: Run, monkeypatch: pytest.MonkeyPatch, words: str, wanted: set[str]
) -> None:
    monkeypatch.setenv("_GITGPU_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", words)
    monkeypatch.setenv("COMP_CWORD", str(len(words.split(" ")) - 1))
    ran = run()
    assert (ran.code, ran.err) == (0, "")
    assert {line.partition(",")[2] for line in ran.out.splitlines()} == wanted
    assert os.environ["_GITGPU_COMPLETE"]


def test_an_unknown_completion_is_refused(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("_GITGPU_COMPLETE", "bash_frobnicate")
    assert run().code == 1
