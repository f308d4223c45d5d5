"""A fleet that can be edited: it is read from files, and the edit can fix all its errors."""

from collections.abc import Sequence
from typing import NamedTuple

import click

from gitgpu.cli.edits.targets import fleet_document
from gitgpu.cli.fleets.findings import validate_fleet
from gitgpu.cli.settings import Settings, fleet_settings, with_out_directory_faults
from gitgpu.diagnostic import Diagnostic, errors
from gitgpu.load.read import STANDARD_INPUT
from gitgpu.load.spec.shape import Document
from gitgpu.model.inputs import Inputs
from gitgpu.runs.validate import CheckedFleet


class EditableFleet(NamedTuple):
    """A fleet that can be edited: its settings, what was read, its Fleet document, and the resulting inputs."""

    settings: Settings
    read: CheckedFleet
    fleet: Document
    inputs: Inputs


class UneditableFleet(NamedTuple):
    """A fleet that cannot be edited: what was read, and its errors."""

    read: CheckedFleet
    faults: Sequence[Diagnostic]


def editable_fleet(paths: Sequence[str], mended: Sequence[str] = ()) -> EditableFleet | UneditableFleet:
    """Reads the fleet in these paths. Raises click.UsageError for -.

    If one of the errors has a code of `mended`, all are left to the edit: that error may cause the others.
    """
    if STANDARD_INPUT in paths:
        raise click.UsageError("standard input cannot be edited: pass a file or directory")
    settings = with_out_directory_faults(fleet_settings(paths))
    read = validate_fleet(settings)
    faults = errors((*settings.faults, *read.diagnostics))
    fleet, inputs = fleet_document(read), read.inputs
    mendable = not settings.faults and any(diagnostic.code in mended for diagnostic in read.diagnostics)
    if (faults and not mendable) or fleet is None or inputs is None:
        return UneditableFleet(read, faults)
    return EditableFleet(settings, read, fleet, inputs)
