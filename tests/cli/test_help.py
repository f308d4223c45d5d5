"""The help of each command, and the errors for wrong usage."""

import subprocess
import sys
from itertools import combinations
from pathlib import Path

import click
import pytest
from syrupy.assertion import SnapshotAssertion

from gitgpu import __version__, cli
from gitgpu.cli.commands import command_folders
from gitgpu.cli.overview import overview
from gitgpu.cli.program import execute, program
from tests.cli.conftest import Run
from tests.helping.cases import for_each

GROUPS = {name: command for name, command in program().commands.items() if isinstance(command, click.Group)}
ROOT = Path(__file__).parents[2]
ALL = [
    (),
    *((name,) for name in command_folders(cli)),
    *((name, sub) for name, group in GROUPS.items() for sub in group.commands),
]


@pytest.mark.parametrize("command", ALL, ids=" ".join)
def test_help(run: Run, snapshot: SnapshotAssertion, command: tuple[str, ...]) -> None:
    long = run(*command, "--help")
    assert (long.code, long.err) == (0, "")
    assert long.out == snapshot
    assert run(*command, "-h") == long
    assert [line for line in long.out.splitlines() if len(line) > 80] == []  # a terminal would break it


def test_formats_have_the_same_order_in_every_command() -> None:
    commands = [command for name, command in program().commands.items() if name not in GROUPS]
    commands += [command for group in GROUPS.values() for command in group.commands.values()]
    types = [each.type for command in commands for each in command.params if each.name == "output_format"]
    orders = [tuple(each.choices) for each in types if isinstance(each, click.Choice)]
    assert len(orders) > 10
    assert {order[0] for order in orders} == {"text"}
    pairs = {pair for order in orders for pair in combinations(order, 2)}
    assert [pair for pair in sorted(pairs) if pair[::-1] in pairs] == []


@pytest.mark.parametrize("command", ALL, ids=" ".join)
def test_a_wrong_option_is_a_usage_error(run: Run, command: tuple[str, ...]) -> None:
    ran = run(*command, "--no-such-option")
    assert (ran.code, ran.out) == (2, "")
    assert "No such option" in ran.err
    assert "--help" in ran.err


def test_no_command_is_a_usage_error_that_helps(run: Run) -> None:
    for words in ((), *((name,) for name in GROUPS)):
        ran = run(*words)
        assert (ran.code, ran.out) == (2, "")
        assert ran.err == run(*words, "--help").out


@pytest.mark.parametrize(
    "words", [["frobnicate"], ["sku", "frobnicate"], ["bulid"], [""], ["../build"], ["--", "nope"]]
)
def test_an_unknown_command_is_a_usage_error(run: Run, words: list[str]) -> None:
    ran = run(*words)
    assert ran.code == 2
    assert "No such command" in ran.err


@pytest.mark.parametrize(
    ("words", "suggested"),
    [
        (["rule", "CNF004"], "No such command 'CNF004'. Did you mean 'show CNF004'?"),
        (["rule", "XYZ999"], "No such command 'XYZ999'. Did you mean 'show XYZ999'?"),
        (["sku", "Standard_NC16as_T4_v3"], "Did you mean 'show Standard_NC16as_T4_v3'?"),
        (["rule", "shwo"], "Did you mean 'show'?"),
        (["rule", "frobnicate"], ""),
        (["catalog", "2027"], ""),  # catalog has no `show`
        (["build4"], "Did you mean 'build'?"),
    ],
)
def test_a_code_or_a_size_instead_of_a_command_suggests_show(run: Run, words: list[str], suggested: str) -> None:
    ran = run(*words)
    assert ran.code == 2
    assert suggested in ran.err
    assert ("Did you mean" in ran.err) == bool(suggested)


def test_version_prints_the_version_of_the_package(run: Run) -> None:
    ran = run("--version")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == f"gitgpu, version {__version__}\n"


def test_the_list_of_commands_needs_only_the_first_lines_of_modules(run: Run) -> None:
    """The commands in the overview are stubs, so their summaries must be those of the real commands."""
    real, stubs = program().commands, program(()).commands
    assert {name: command.get_short_help_str(200) for name, command in stubs.items()} == {
        name: command.get_short_help_str(200) for name, command in real.items()
    }


@pytest.mark.parametrize("words", [["--help"], ["-h"], ["--version"], ["-V"]], ids=" ".join)
def test_the_overview_is_what_click_prints(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    shown = overview(words)
    assert shown
    assert execute(words) == 0
    assert capsys.readouterr().out == shown


@for_each("words", [[], ["build"], ["--help", "--version"], ["build", "--help"], ["--hel"]], ids=" ".join)
def test_everything_else_is_printed_by_click(words: list[str]) -> None:
    assert overview(words) == ""


def test_click_prints_for_narrow_terminals_and_for_completion(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    assert overview(["--help"]) == ""
    monkeypatch.setenv("COLUMNS", "80")
    assert overview(["--help"])
    monkeypatch.setenv("_GITGPU_COMPLETE", "bash_source")
    assert overview(["--help"]) == ""


def test_the_overview_does_not_import_click() -> None:
    code = "import sys; from gitgpu.cli.main import main; main(['--help']); sys.exit('click' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=False).returncode == 0
