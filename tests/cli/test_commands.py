"""The folders of commands: each has one typed value for its arguments, and nothing that another command uses."""

import ast
import inspect
from collections.abc import Iterator
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, get_args, get_origin, get_type_hints

import click
import pytest

from gitgpu import cli
from gitgpu.cli import options
from gitgpu.cli.commands import command_folders
from gitgpu.cli.program import program

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "gitgpu/cli"
# Values that the callbacks of options accept, where "x" is not one.
VALUES = {
    "budget": "1.5",
    "charts": "oci://harbor.contoso.com/charts",
    "gpu_memory": "80",
    "group_by": "team",
    "kubernetes": "1.35",
    "max_price": "2.5",
    "mirror": "harbor.contoso.com/mirror",
    "shard": "1/2",
    "select": "SKU",
    "ignore": "SKU",
    "today": "2027-06-30",
    "versions": "karpenter=1.15",
}


class ReceivedError(Exception):
    """Carries the arguments that a command gets, in place of running it."""


def leaves(group: click.Group, words: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Every command that runs, by its words on the command line."""
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            yield from leaves(command, (*words, name))
        else:
            yield (*words, name), command


COMMANDS = dict(leaves(program()))


def arguments_of(command: click.Command) -> Any:
    """The type of the value that the command gets: the only parameter of its function."""
    assert command.callback
    hints = get_type_hints(inspect.unwrap(command.callback))
    del hints["return"]
    [hint] = hints.values()
    return hint


def wrong(value: object, hint: Any, place: str) -> Iterator[str]:
    """The places in a value where it is not of the annotated type, and the fields that can be anything."""
    if hint is Any or hint is object:
        yield f"{place} can be anything"
    elif isinstance(hint, UnionType):
        hints = [part for part in get_args(hint) if part is not NoneType]
        if value is not None or NoneType not in get_args(hint):
            [part] = hints
            yield from wrong(value, part, place)
    elif get_origin(hint) is tuple:
        assert isinstance(value, tuple)
        for part in value:
            yield from wrong(part, get_args(hint)[0], place)
    elif type(value) is not hint:
        yield f"{place} is a {type(value).__name__}, not a {hint.__name__}"
    elif hasattr(hint, "_fields"):
        for name, part in get_type_hints(hint).items():
            yield from wrong(getattr(value, name), part, f"{place}.{name}")


def every_option(command: click.Command) -> list[str]:
    """A command line with every option and argument of a command."""
    words: list[str] = []
    arguments: list[str] = []
    for parameter in command.params:
        if not parameter.expose_value:  # those of every command
            continue
        sample = VALUES.get(parameter.name or "", "x")
        if isinstance(parameter.type, click.Choice):
            sample = str(parameter.type.choices[0])
        elif isinstance(parameter.type, click.IntRange):
            sample = str(parameter.type.min or 1)
        if isinstance(parameter, click.Argument):
            arguments += [sample] * (2 if parameter.nargs != 1 else 1)
        elif isinstance(parameter, click.Option) and parameter.is_flag:
            words.append(parameter.opts[0])
        else:
            words += [parameter.opts[-1], sample]
    return [*words, *arguments]


def required(command: click.Command) -> list[str]:
    """A command line with nothing that can be omitted."""
    return [
        "x" if not isinstance(each.type, click.Choice) else each.type.choices[0]
        for each in command.params
        if each.required
    ]


@pytest.mark.parametrize("line", [required, every_option])
@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_a_command_gets_one_value_whose_fields_have_the_types_that_mypy_sees(
    monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], line: Any
) -> None:
    command = COMMANDS[words]
    kind = arguments_of(command)
    assert (kind.__name__, issubclass(kind, tuple)) == ("Arguments", True)
    make = kind.__new__

    def receive(*positional: Any, **parameters: Any) -> Any:
        raise ReceivedError(make(*positional, **parameters))

    monkeypatch.setattr(kind, "__new__", receive)
    with pytest.raises(ReceivedError) as received:
        command.main(line(command), standalone_mode=False)
    [value] = received.value.args
    assert list(wrong(value, kind, "arguments")) == []


def name_of(path: Path) -> str:
    """The dotted name of a module."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


MODULES = {name_of(path): path for path in sorted(FOLDER.rglob("*.py"))}


def imports(path: Path) -> set[str]:
    """The modules of the command line that a module imports, also inside functions."""
    nodes = [node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.ImportFrom)]
    names = {f"{node.module}.{alias.name}" for node in nodes for alias in node.names}
    return MODULES.keys() & (names | {node.module or "" for node in nodes})


IMPORTS = {name: imports(path) for name, path in MODULES.items()}
USERS = {name: {user for user, used in IMPORTS.items() if name in used} for name in MODULES}


def owner(name: str) -> str:
    """The folder of the command that a module belongs to; for what several commands share, ""."""
    part = [*name.split("."), ""][2] if name.startswith("gitgpu.cli.") else ""
    return part if part in command_folders(cli).values() else ""


def test_only_the_program_uses_the_folder_of_a_command() -> None:
    outside = {user for name, users in USERS.items() for user in users if owner(name) not in ("", owner(user))}
    assert outside == {"gitgpu.cli.program"}


def commands_of(name: str) -> set[str]:
    """The commands that use a shared module, directly or through others. The program counts as one."""
    found: set[str] = set()
    for user in USERS[name]:
        of_program = {"program"} if user in ("gitgpu.cli.main", "gitgpu.cli.program") else commands_of(user)
        found |= {owner(user)} if owner(user) else of_program
    return found


def test_what_one_command_alone_uses_is_in_its_folder() -> None:
    shared = {name: commands_of(name) for name, path in MODULES.items() if not owner(name) and path.stem != "__init__"}
    del shared["gitgpu.cli.main"]
    assert {name: users for name, users in shared.items() if len(users) < 2 and users != {"program"}} == {}


def test_a_folder_of_a_command_contains_only_subcommands() -> None:
    folders = {path.parent for name, path in MODULES.items() if owner(name)}
    assert [folder for folder in folders if not (folder / "command.py").exists()] == []


def test_arguments_that_only_the_command_reads_are_in_its_module() -> None:
    assert {name: users for name, users in USERS.items() if name.endswith(".arguments") and len(users) < 2} == {}


def test_options_that_one_command_alone_has_are_in_its_folder() -> None:
    public = [name for name in vars(options) if getattr(vars(options)[name], "__module__", "") == options.__name__]
    texts = [path.read_text("utf-8") for path in MODULES.values()]
    users = {name: sum(f"options.{name}" in text for text in texts) for name in public if not name.startswith("_")}
    assert {name for name, number in users.items() if number < 2} == {"whole_number"}  # also the type of --jobs


def test_the_tests_of_a_command_are_in_a_folder_of_its_name() -> None:
    tested = {path.parent.name for path in Path(__file__).parent.glob("*/test_*.py")}
    assert set(command_folders(cli).values()) <= tested


def test_the_page_about_security_says_what_each_command_reads_and_writes() -> None:
    page = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    table = page.split("## What each command reads and writes")[1].split("\n##")[0]
    assert [name for name in command_folders(cli) if f"`{name}" not in table] == []
