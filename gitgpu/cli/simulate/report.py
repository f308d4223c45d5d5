"""What a simulation prints."""

from gitgpu import __version__
from gitgpu.cli.output.outcome import write_findings
from gitgpu.cli.output.refusal import JSON
from gitgpu.cli.output.streams import note, say, send
from gitgpu.cli.output.terminal import error_style
from gitgpu.cli.simulate.arguments import Arguments
from gitgpu.cli.simulate.forecasts import Answer
from gitgpu.cli.simulate.provenance import basis
from gitgpu.load.catalog.evidence import Evidence, evidence
from gitgpu.report import render
from gitgpu.report.findings import Findings, summary_line
from gitgpu.report.simulation.csv import as_csv
from gitgpu.report.simulation.html import Basis, page
from gitgpu.report.simulation.json import as_json
from gitgpu.report.simulation.long_values import short_forecast
from gitgpu.report.simulation.markdown import as_markdown
from gitgpu.report.simulation.text import skipped_note, text
from gitgpu.report.simulation.view import View

FORMS = ("text", "json", "html", "markdown", "csv")


def write_forecasts(answer: Answer, arguments: Arguments, over_budget: str) -> None:
    """Writes the forecasts to stdout, and what could not be read to stderr."""
    forecasts = list(map(short_forecast, answer.forecasts))
    unread, style = answer.unread.diagnostics, arguments.style
    dates = evidence(answer.catalog.files) if answer.catalog else Evidence()
    view = View(arguments.group_by, over_budget, arguments.today or dates.checked)
    if arguments.output_format == "text":
        say(text(forecasts, style, view), colour=style.colour, width=style.width)
    elif arguments.output_format == JSON:
        send(as_json(forecasts, unread, view.group_by))
    elif arguments.output_format == "csv":
        send(as_csv(forecasts, view.group_by))
    elif arguments.output_format == "markdown":
        send(as_markdown(forecasts, view, unread))
    else:
        send(page(forecasts, basis(answer.fleet, answer.paths, dates), unread, view))
    if unread:
        say(f"{render(answer.unread, 'text', error_style())}{skipped_note(len(unread))}\n", err=True)


def refuse(reported: Findings, arguments: Arguments) -> None:
    """Reports why there is no result, in the format of -o."""
    if arguments.output_format == "html":
        send(page((), Basis(version=__version__), reported.diagnostics))
        note(summary_line(reported))
    else:
        write_findings(reported, arguments.output_format, arguments.style)
