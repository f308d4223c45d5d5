"""Why a value does not match its schema, and how to repair it."""

from typing import Any

from gitgpu.load.explain.fault import Fault
from gitgpu.load.validate.compiler import PLAIN, Dialect, Schema
from gitgpu.source import Pointer


def explain_faults(schema: Schema, value: Any, dialect: Dialect = PLAIN) -> list[Fault]:
    """Every fault of a value that is not valid, one for each place, in order of place."""
    from gitgpu.load.explain.faults import every_fault  # noqa: PLC0415  most values are valid, and do not need it

    return every_fault(schema, value, dialect)


def fault_places(schema: Schema, value: Any, dialect: Dialect = PLAIN) -> list[Pointer]:
    """The place of every fault of a value that is not valid."""
    from gitgpu.load.explain.faults import every_place  # noqa: PLC0415  most values are valid, and do not need it

    return every_place(schema, value, dialect)
