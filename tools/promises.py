"""What users and programs may rely on, as lines: `python -m tools.promises` compares it with the frozen baseline.

The baseline is tests/compatibility/*.txt: the command line, the keys of the fleet, of .gitgpu.yaml and of JSON reports,
and the codes. `--update` writes it, and the numbers on docs/reference/compatibility.md. If a line is removed or
changed, or a key becomes required, users must change something: `--update` then also needs `--breaking`, and
docs/reference/deprecations.md must announce it.
Exit status: 1 if the baseline is not current.
"""

import argparse
import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from gitgpu.load.read import data_text
from gitgpu.load.spec.shape import fleet_schema
from gitgpu.report.reference.faults import faults
from gitgpu.report.reference.json_schemas import EVERYTHING, document_schema
from gitgpu.rules.fleet_rulebook import fleet_rules
from gitgpu.rules.object_rulebook import object_rules
from tools.reference_pages import root

ROOT = Path(__file__).parents[1]
BASELINE = ROOT / "tests" / "compatibility"
PAGE = ROOT / "docs" / "reference" / "compatibility.md"
PROSE = ("$id", "$schema", "description", "examples", "title", "x-gitgpu-words")  # may change at any time
# Keywords whose value is a list: a line for each entry, so that an addition removes none.
LISTED = ("enum", "required")
COMBINED = ("allOf", "anyOf", "oneOf")  # keywords whose value is a list of schemas
NAMED = ("definitions", "patternProperties", "properties")  # keywords whose value is a mapping of names to schemas
NESTED = ("additionalProperties", "items", "propertyNames")  # keywords whose value is a schema

WRITTEN = ("configuration", "fleet")  # what users write; the other schemas describe what gitgpu prints


def commands() -> Iterator[str]:
    """A line for each command, argument and option."""
    yield from _command(root().command, "gitgpu")


def _command(command: click.Command, name: str) -> Iterator[str]:
    """The lines of a command and its subcommands."""
    yield name
    context = click.Context(command, parent=root())  # click keeps the help option of the first context
    for parameter in command.params:
        if not getattr(parameter, "hidden", False):
            yield from (f"{name} {words}" for words in _parameter(parameter, context))
    if isinstance(command, click.Group):
        for each in command.list_commands(context):
            found = command.get_command(context, each)
            if found is not None and not found.hidden:
                yield from _command(found, f"{name} {each}")


def _parameter(parameter: click.Parameter, context: click.Context) -> Iterator[str]:
    """How an argument or an option is written, and how often; a line for each choice, so that one more removes none."""
    names = "|".join((*parameter.opts, *parameter.secondary_opts))
    words = [names] if isinstance(parameter, click.Option) else []
    choices = parameter.type.choices if isinstance(parameter.type, click.Choice) else ()
    if not getattr(parameter, "is_flag", False):
        words.append("CHOICE" if choices else parameter.make_metavar(context))
    if parameter.required:
        words.append("required")
    if parameter.multiple or parameter.nargs == -1:
        words.append("repeatable")
    yield " ".join(words)
    yield from (f"{names} = {choice}" for choice in choices)


def keys(schema: Mapping[str, Any], path: str = "") -> Iterator[str]:
    """A line for each place in a JSON Schema: its path, and what is allowed there."""
    words = {key: value for key, value in schema.items() if key not in (*PROSE, *NAMED, *NESTED, *LISTED, *COMBINED)}
    yield f"{path or '.'} {json.dumps(words, sort_keys=True)}"
    for keyword in LISTED:
        yield from (f"{path or '.'} {keyword} {json.dumps(value)}" for value in schema.get(keyword, ()))
    for keyword in COMBINED:
        for part in schema.get(keyword, ()):
            yield from _combined(part, f"{path or '.'} {keyword}")
    for keyword in NAMED:
        for name, part in schema.get(keyword, {}).items():
            yield from keys(part, f"{path}.{name}" if keyword == "properties" else f"{path}/{keyword}/{name}")
    for keyword in NESTED:
        part = schema.get(keyword)
        if isinstance(part, Mapping):
            yield from keys(part, f"{path}/{keyword}")
        elif part is not None:
            yield f"{path}/{keyword} {json.dumps(part)}"


def _combined(part: Mapping[str, Any], path: str) -> Iterator[str]:
    """One of several schemas for a place: one line, or a line for each of its keys."""
    if not part.keys().isdisjoint((*NAMED, *NESTED)):
        yield from keys(part, path)
    else:
        words = {key: value for key, value in part.items() if key not in PROSE}
        yield f"{path} {json.dumps(words, sort_keys=True)}"


def codes() -> Iterator[str]:
    """A line for each code, with its name if it is a rule."""
    yield from (f"{rule.code} {rule.name}" for rule in fleet_rules())
    yield from (f"{rule.code} {rule.name}" for rule in object_rules())
    for fault in faults():
        yield fault.code


PROMISES: Mapping[str, Callable[[], Iterator[str]]] = {
    "codes": codes,
    "commands": commands,
    "configuration": lambda: keys(json.loads(data_text("schemas/config.schema.json"))),
    "fleet": lambda: keys(fleet_schema()),
    "reports": lambda: keys(document_schema(EVERYTHING)),
}


def current(name: str) -> list[str]:
    """The lines of today, in order, each once."""
    return sorted(set(PROMISES[name]()))


def frozen(name: str) -> list[str]:
    """The lines of the baseline."""
    path = BASELINE / f"{name}.txt"
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


def changes(name: str) -> tuple[list[str], list[str]]:
    """The lines that are new, and those that are gone."""
    today, before = current(name), frozen(name)
    return [line for line in today if line not in set(before)], [line for line in before if line not in set(today)]


def breaking(name: str) -> list[str]:
    """The lines that are gone, and those that make a key required in documents that are valid without it."""
    added, gone = changes(name)
    places = {line.partition(" {")[0] for line in frozen(name)} if name in WRITTEN else set()
    required = [line for line in added if " required " in line and line.partition(" required ")[0] in places]
    return [*gone, *required]


def counted(page: str) -> str:
    """The page, with the number of lines of each file of the baseline."""
    for name in PROMISES:
        page = re.sub(rf"({name}\.txt\) \| )[\d,]+", rf"\g<1>{len(frozen(name)):,}", page)
    return page


def main(arguments: Sequence[str]) -> int:
    """Runs the command. Returns its exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--update", action="store_true", help="write the baseline")
    parser.add_argument("--breaking", action="store_true", help="also if a line is gone or a key is now required")
    given = parser.parse_args(arguments)
    found = {name: changes(name) for name in PROMISES}
    for name, (added, gone) in found.items():
        for line in (*(f"- {line}" for line in gone), *(f"+ {line}" for line in added)):
            print(f"{name}: {line}")
    if not given.update:
        return 1 if any(added or gone for added, gone in found.values()) else 0
    if any(map(breaking, PROMISES)) and not given.breaking:
        remedy = "announce it in docs/reference/deprecations.md, then use --breaking"
        print(f"lines are gone, or a key is now required: {remedy}", file=sys.stderr)
        return 1
    BASELINE.mkdir(exist_ok=True)
    for name in PROMISES:
        (BASELINE / f"{name}.txt").write_text("".join(f"{line}\n" for line in current(name)), encoding="utf-8")
    PAGE.write_text(counted(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
