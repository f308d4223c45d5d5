"""Reports a change of the spec, and writes its files."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import click

from gitgpu.cli import options
from gitgpu.cli.edits.change import Change, SpecEdit
from gitgpu.cli.fleets.findings import refuse_fleet
from gitgpu.cli.output.refusal import JSON
from gitgpu.cli.output.streams import line, note, say, send
from gitgpu.cli.parameters import Decorator, as_field
from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.model.software.transitions import Verdict
from gitgpu.report.comparison.planned import Planned
from gitgpu.report.comparison.transitions import step_content
from gitgpu.report.envelope import envelope
from gitgpu.report.findings import Style
from gitgpu.report.plan_formats import render_plan
from gitgpu.report.plans.json import plan_content
from gitgpu.report.reference.field import shown_value
from gitgpu.runs.validate import CheckedFleet
from gitgpu.source import Span
from gitgpu.write.spec.apply import write_edited

REFUSED = 1


class AnswerOptions(NamedTuple):
    """How a command answers: whether it writes, whether `force` overrides a refusal, and format and style."""

    dry_run: bool
    force: bool
    output_format: str
    style: Style


def answer_options(force: str) -> Decorator:
    """--dry-run, --force, -o and --color. Passed as `options`. `force` is the help text of --force."""
    dry_run = click.option("--dry-run", is_flag=True, help="Show what would change; write nothing.")
    forcing = click.option("--force", is_flag=True, help=force)
    return as_field("options", AnswerOptions, (dry_run, forcing, options.answer_format, options.colour))


def refuse(read: CheckedFleet, faults: Sequence[Diagnostic], output_format: str) -> int:
    """Reports why nothing was changed: on stderr, and with `-o json` also on stdout. Returns the exit status."""
    refuse_fleet(read, faults, output_format)
    return REFUSED


def answer(change: Change, read: CheckedFleet, how: AnswerOptions, none: str) -> int:
    """Shows the change and writes it, unless it is a dry run. Returns the exit status.

    `none` is the text for a change that changes nothing.
    """
    if change.faults:
        return refuse(read, change.faults, how.output_format)
    blocked = [] if how.force else list(_blocked_upgrades(change))
    if blocked:
        _show(change, how, written=False)
        # The JSON of the change is on stdout already, and stdout has only one document.
        return refuse(read, blocked, how.output_format if how.output_format != JSON else "")
    before = {text.name: text.content for text in read.texts}
    faults = () if how.dry_run else write_edited(change.texts, before)
    if faults:
        return refuse(read, faults, how.output_format)
    if change.edits:
        _show(change, how, written=not how.dry_run)
        _note_result(change, how)
    else:
        _show_nothing(change, how, none)
    return 0


def _show_nothing(change: Change, how: AnswerOptions, none: str) -> None:
    if how.output_format == JSON:
        _show(change, how, written=False)
        note(none)
    else:
        line(none, err=False)


def _note_result(change: Change, how: AnswerOptions) -> None:
    if change.plan is None:
        note("there is no plan, because the fleet could not be built before the change")
    note(_summary(change, how))


def _summary(change: Change, how: AnswerOptions) -> str:
    files = f"{len(change.texts)} file{'' if len(change.texts) == 1 else 's'}"
    if how.dry_run:
        return f"{files} would be changed; nothing was written"
    return f"{files} changed; run `gitgpu build` and commit the result"


def _blocked_upgrades(change: Change) -> Iterator[Diagnostic]:
    for step in change.steps:
        if step.transition.verdict is Verdict.BLOCKED:
            name, old, new = step.transition.software, step.transition.old, step.transition.new
            edit = next((edit for edit in change.edits if edit.key == f"versions.{name}"), None)
            message = f"{name} cannot go from {old} to {new} in one step: {step.transition.why.rstrip('.')}"
            remedy = "; ".join(step.transition.actions).rstrip(".") or "upgrade in several steps"
            span = edit.span if edit else Span("")
            yield Diagnostic("EDT003", Severity.ERROR, message, f"{remedy}, or use --force", span)


def _show(change: Change, how: AnswerOptions, *, written: bool) -> None:
    if how.output_format == JSON:
        send(envelope("SpecChange", _content(change, written=written)))
        return
    for edit in change.edits:
        line(_edit_line(edit), err=False)
    if change.plan is not None:
        line("", err=False)
        say(render_plan(change.plan, "text", how.style), colour=how.style.colour, width=how.style.width)


def _edit_line(edit: SpecEdit) -> str:
    before = "(absent)" if edit.before is None else shown_value(edit.before)
    after = "(absent)" if edit.after is None else shown_value(edit.after)
    return f"{edit.span.file}:{edit.span.line}: {edit.part}: {edit.key}: {before} -> {after}"


def _edit_content(edit: SpecEdit) -> Mapping[str, Any]:
    return {
        "file": edit.span.file,
        "line": edit.span.line,
        "part": edit.part,
        "key": edit.key,
        "before": edit.before,
        "after": edit.after,
    }


def _content(change: Change, *, written: bool) -> Mapping[str, Any]:
    edits = list(map(_edit_content, change.edits))
    steps = [step_content(step) for step in change.steps]
    plan = plan_content(change.plan or Planned((), ""))
    return {"written": written and bool(change.texts), "edits": edits, "transitions": steps, "plan": plan}
