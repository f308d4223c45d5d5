"""What is wrong with a value that does not match its schema. Most values match, and import no more than this."""

from typing import Any, NamedTuple

from gitgpu.diagnostic import Repair
from gitgpu.load.validate.compiler import PLAIN, Dialect, Schema
from gitgpu.source import Pointer


class Fault(NamedTuple):
    """One fault: the value (or with `at_key` the key) that it is about, what is wrong, what to do, a safe repair.

    `unknown`: the schema has this key nowhere else, it is not a misspelled one, and no key is missing in its place.
    """

    pointer: Pointer
    message: str
    help: str
    at_key: bool = False
    repair: Repair | None = None
    unknown: bool = False


def explain_faults(schema: Schema, value: Any, dialect: Dialect = PLAIN) -> list[Fault]:
    """Every fault of a value that the checker refused, one for each place, in order of place."""
    from gitgpu.load.explain.faults import every_fault  # noqa: PLC0415  most values fit, and need none of it

    return every_fault(schema, value, dialect)
