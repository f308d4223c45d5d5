"""Values as literals of CEL, the language of admission policies. Lists and maps have values of one type only."""

import json
from collections.abc import Iterable, Mapping

_WIDTH = 100


def text(value: str) -> str:
    """A string, in single quotes, which YAML does not have to escape. Other escapes of JSON are those of CEL."""
    return "'" + json.dumps(value)[1:-1].replace('\\"', '"').replace("'", "\\'") + "'"


def texts(values: Iterable[str]) -> str:
    """A list of strings."""
    return join_literals(map(text, values), "[]")


def mapping(entries: Mapping[str, str]) -> str:
    """A map from strings to values that are literals already."""
    return join_literals((f"{text(key)}: {value}" for key, value in entries.items()), "{}")


def join_literals(parts: Iterable[str], brackets: str) -> str:
    """Literals in brackets: on one line, or on one line each if they are long."""
    all_parts = list(parts)
    flat = f"{brackets[0]}{', '.join(all_parts)}{brackets[1]}"
    if len(flat) <= _WIDTH:
        return flat
    indented = (part.replace("\n", "\n  ") for part in all_parts)
    return f"{brackets[0]}\n  " + ",\n  ".join(indented) + f"\n{brackets[1]}"
