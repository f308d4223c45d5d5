"""A fleet that may be edited: it is read from files, and has no errors that no edit mends."""

from collections.abc import Sequence
from typing import NamedTuple

from gitgpu.cli import options
from gitgpu.cli.settings import Chosen, Settings, apart, settings
from gitgpu.cli.spec_changes.answer import COULD_NOT_RUN, refuse
from gitgpu.cli.spec_changes.change import read_fleet
from gitgpu.cli.spec_changes.targets import fleet_document
from gitgpu.diagnostic import Severity
from gitgpu.front import Checked
from gitgpu.load.spec.shape import Document
from gitgpu.model.inputs import Inputs


class Editable(NamedTuple):
    """A fleet that may be edited: where it is, what was read, its Fleet document, and what that means."""

    where: Settings
    read: Checked
    fleet: Document
    inputs: Inputs


def editable(paths: Sequence[str], form: str, mended: Sequence[str] = ()) -> Editable | int:
    """The fleet in these paths; its errors are reported, and the exit status given. Raises click.UsageError for -.

    Errors are left to the edit if one of them has a code of `mended`: others may be due to it.
    """
    options.no_standard_input(paths)
    where = apart(settings(paths, Chosen()))
    read = read_fleet(where)
    errors = [each for each in (*where.faults, *read.diagnostics) if each.severity is Severity.ERROR]
    fleet, inputs = fleet_document(read), read.inputs
    mendable = not where.faults and any(each.code in mended for each in read.diagnostics)
    if (errors and not mendable) or fleet is None or inputs is None:
        return refuse(read, errors, form, COULD_NOT_RUN)
    return Editable(where, read, fleet, inputs)
