"""Options of running GPU software that gitgpu's own DaemonSets leave at their defaults."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from gitgpu.access import list_at, mapping_at, reach
from gitgpu.model.catalog import Facts


def options_of_container(container: Mapping[str, Any], options: Iterable[Facts]) -> Iterator[str]:
    """Each option of the program that a container sets to another value than gitgpu's: "flag: value"."""
    words = [str(word) for word in (*list_at(container, "command"), *list_at(container, "args"))]
    variables = {entry.get("name"): entry for entry in map(mapping_at, list_at(container, "env"))}
    for option in options:
        given = _flag(words, option["flags"])
        variable = variables.get(option["env"])
        if given is None and variable is not None:
            given = str(variable["value"]) if "value" in variable else "" if len(variable) == 1 else "from a reference"
        yield from _unless_default(given, option)


def options_of_values(values: Any, options: Iterable[Facts]) -> Iterator[str]:
    """The same for the values of the chart of the program."""
    for option in options:
        value = reach(values, *option["value"].split(".")) if option["value"] else None
        text = str(value).lower() if isinstance(value, bool) else str(value)
        yield from _unless_default(None if value is None else text, option)


def _unless_default(given: str | None, option: Mapping[str, Any]) -> Iterator[str]:
    if given is not None and given.lower() != option["default"].lower():
        yield f"{option['flags'][0]}: {given}"


def _flag(words: Sequence[str], names: Sequence[str]) -> str | None:
    """The value of a flag: "--name=value", "--name value", or "true" for "--name" alone; None without the flag."""
    for number, word in enumerate(words):
        name, equals, value = word.partition("=")
        if name.startswith("-") and name.lstrip("-") in names:
            following = words[number + 1] if number + 1 < len(words) else "-"
            return value if equals else "true" if following.startswith("-") else following
    return None
