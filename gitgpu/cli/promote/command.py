"""Copy the versions of one ring of the fleet to the next ring."""

from collections.abc import Sequence
from typing import NamedTuple

import click

from gitgpu.cli import options
from gitgpu.cli.edits.answer import AnswerOptions, answer, answer_options, refuse
from gitgpu.cli.edits.change import change
from gitgpu.cli.edits.editable_fleet import EditableFleet, UneditableFleet, editable_fleet
from gitgpu.cli.edits.targets import unknown_ring
from gitgpu.cli.fleets.findings import refuse_fleet
from gitgpu.cli.output.refusal import nameless, refuse_name
from gitgpu.cli.output.streams import note
from gitgpu.cli.parameters import as_value
from gitgpu.cli.promote.stack_keys import unknown_stack_key
from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.load.spec.shape import Document
from gitgpu.model.inputs import Inputs
from gitgpu.model.linking.rings import rings_of
from gitgpu.model.value_origins import is_written
from gitgpu.runs.amend import Assignment
from gitgpu.runs.amend.promotion import VERSIONS, promotion
from gitgpu.source import Pointer, dotted_text
from gitgpu.spelling import join_names


class Arguments(NamedTuple):
    """The arguments and options of `gitgpu promote`."""

    source: str
    target: str
    paths: tuple[str, ...]
    keys: tuple[str, ...]
    options: AnswerOptions


@click.command("promote", short_help=__doc__)
@click.argument("source", metavar="FROM")
@click.argument("target", metavar="TO")
@options.paths
@click.option("--also", "keys", multiple=True, metavar="KEY", help="Copy this key of the stack too; repeatable.")
@answer_options("Promote to a ring that is not the next one, or despite a blocked upgrade.")
@as_value(Arguments)
def COMMAND(arguments: Arguments) -> int:
    """Copy settings from ring FROM to ring TO: stack.versions, and other keys of the stack with --also.

    The command shows the plan for the clusters of TO and edits the spec, with comments and key order preserved. TO must
    be the ring after FROM. PATH is a file or directory of the fleet (default: `fleet` in .gitgpu.yaml, or fleet.yaml,
    or the directory fleet). Exit status: 0 promoted, or nothing to promote; 1 refused; 2 could not run.

    \b
    gitgpu promote canary prod --dry-run
    gitgpu promote canary prod
    gitgpu promote canary prod --also values.gpu-operator --also health
    """
    spec = editable_fleet(arguments.paths)
    if isinstance(spec, UneditableFleet):
        return refuse_fleet(spec.read, spec.faults, arguments.options.output_format)
    rings = (unknown_ring(spec.fleet, name) for name in (arguments.source, arguments.target))
    keys = (unknown_stack_key(key, spec.fleet, spec.inputs.catalog) for key in arguments.keys)
    for problem in (*rings, *keys):
        if problem:
            return refuse_name(nameless("CLI002", *problem), arguments.options.output_format)
    if arguments.source == arguments.target:
        raise click.UsageError("FROM and TO are the same ring")
    return _promote(spec, arguments)


def _promote(spec: EditableFleet, arguments: Arguments) -> int:
    names = [ring["name"] for ring in rings_of(spec.fleet)]
    here, there = names.index(arguments.source), names.index(arguments.target)
    if there != here + 1 and not arguments.options.force:
        return refuse(spec.read, [_order_fault(spec.fleet, names, here, there)], arguments.options.output_format)
    keys: list[Pointer] = [VERSIONS, *(tuple(key.split(".")) for key in arguments.keys)]
    assignments = promotion(spec.fleet, here, there, keys)
    result = change(spec.settings, spec.read, assignments)
    none = f"nothing to promote: {arguments.target} already has the same as {arguments.source}"
    status = answer(result, spec.read, arguments.options, none)
    if not result.faults:
        _note_keepers(spec.inputs, arguments.target, assignments)
    return status


def _note_keepers(inputs: Inputs, ring: str, wanted: Sequence[Assignment]) -> None:
    """Notes the clusters of a ring that set a promoted key themselves."""
    for assignment in wanted:
        path = assignment.pointer[assignment.pointer.index("stack") :]
        clusters = (cluster for cluster in inputs.clusters if cluster.ring == ring)
        if kept := [cluster.name for cluster in clusters if is_written(cluster.origin, ("spec", *path))]:
            key = dotted_text(path[1:])
            note(f"{key} is also set on these clusters themselves, so they keep their own value: {join_names(kept)}")


def _order_fault(fleet: Document, names: Sequence[str], here: int, there: int) -> Diagnostic:
    """The fault that the target is not the ring directly after the source."""
    between = names[here + 1 : there]
    message = f"ring '{names[there]}' comes before '{names[here]}'"
    remedy = "promote in the order of the rings, or use --force"
    if between:
        message = f"ring '{names[there]}' is not the next ring after '{names[here]}': '{between[0]}' is next"
        remedy = f"promote {names[here]} to {between[0]} first, or use --force"
    span = fleet.places.span(("spec", "rings", there, "name"))
    return Diagnostic("EDT002", Severity.ERROR, message, remedy, span, f"/spec/rings/{there}/name", fleet.ref)
