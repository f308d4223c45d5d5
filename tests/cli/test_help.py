"""Usage: what each command says of itself, and what it says to those who get it wrong."""

import click
import pytest
from syrupy.assertion import SnapshotAssertion

from gitgpu import __version__
from gitgpu.cli import commands
from gitgpu.cli.main import program
from gitgpu.registry import names
from tests.cli.conftest import Run

GROUPS = {name: command for name, command in program().commands.items() if isinstance(command, click.Group)}
ALL = [
    (),
    *((name,) for name in names(commands)),
    *((name, sub) for name, group in GROUPS.items() for sub in group.commands),
]


@pytest.mark.parametrize("command", ALL, ids=" ".join)
def test_help(run: Run, snapshot: SnapshotAssertion, command: tuple[str, ...]) -> None:
    long = run(*command, "--help")
    assert (long.code, long.err) == (0, "")
    assert long.out == snapshot
    assert run(*command, "-h") == long


@pytest.mark.parametrize("command", ALL, ids=" ".join)
def test_a_wrong_option_is_a_usage_error(run: Run, command: tuple[str, ...]) -> None:
    ran = run(*command, "--no-such-option")
    assert (ran.code, ran.out) == (2, "")
    assert "No such option" in ran.err
    assert "--help" in ran.err


def test_no_command_is_a_usage_error_that_helps(run: Run) -> None:
    assert run().code == 2
    assert "Commands:" in run().err
    for name in GROUPS:
        assert run(name).code == 2
        assert "Commands:" in run(name).err


@pytest.mark.parametrize(
    "words", [["frobnicate"], ["sku", "frobnicate"], ["bulid"], [""], ["../build"], ["--", "nope"]]
)
def test_an_unknown_command_is_a_usage_error(run: Run, words: list[str]) -> None:
    ran = run(*words)
    assert ran.code == 2
    assert "No such command" in ran.err


def test_the_version(run: Run) -> None:
    ran = run("--version")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.split()[-1] == __version__


def test_the_list_of_commands_needs_only_the_first_lines_of_modules(run: Run) -> None:
    """The commands of the overview are stubs, so they must say what the real ones say."""
    real, stubs = program().commands, program(()).commands
    assert {name: command.get_short_help_str(200) for name, command in stubs.items()} == {
        name: command.get_short_help_str(200) for name, command in real.items()
    }
