"""Options that several commands share."""

import re
from collections.abc import Sequence
from datetime import date

import click

from gitgpu.cli.input.cluster_selection import ClusterSelection
from gitgpu.cli.output.terminal import style_of
from gitgpu.cli.parameters import Callback, Decorator, as_field
from gitgpu.cli.settings import MAX_SHOWN, FindingOptions, FixOptions
from gitgpu.report import format_names
from gitgpu.report.findings import Style

MAX_JOBS = 256  # with four parts for each, as in `jobs`, work has the 1,024 parts that processes can share
_WIDE, _WIDE_KEY = "wide", "gitgpu.wide"
_USUAL = ("text", _WIDE, "json", "markdown", "html")  # formats that many commands have, in this order
COLOURS = ("auto", "always", "never")
FILE = click.Path()  # the type is for completion; faults of a file are findings
CLUSTER = click.option("--cluster", "globs", multiple=True, metavar="GLOB", help="Only these clusters; repeatable.")


def whole_number(minimum: int, maximum: int | None = None) -> click.IntRange:
    """A whole number within bounds. click's own name for the type is "integer range"."""
    number_type = click.IntRange(minimum, maximum)
    number_type.name = "whole number"
    return number_type


def number(minimum: float) -> click.FloatRange:
    """A number with a lower bound."""
    number_type = click.FloatRange(min=minimum)
    number_type.name = "number"
    return number_type


def paths(function: Callback) -> Callback:
    """PATH...: files and directories of the fleet."""
    return click.argument("paths", nargs=-1, metavar="[PATH]...")(function)


def output(forms: Sequence[str], description: str) -> Decorator:
    """-o with these formats."""
    return click.option(
        "-o", "--output", "output_format", type=_choices(forms), default="text", show_default=True, help=description
    )


def table_output(forms: Sequence[str], description: str) -> Decorator:
    """-o with these formats and wide, which a command gets as text, with a style of unlimited width."""
    return click.option(
        "-o",
        "--output",
        "output_format",
        type=_choices((*forms, _WIDE)),
        default="text",
        show_default=True,
        is_eager=True,  # before --color, which makes the style
        callback=_text_if_wide,
        help=f"{description} With {_WIDE}, tables are not fitted to the terminal.",
    )


def _choices(forms: Sequence[str]) -> click.Choice[str]:
    """These formats, in the same order for every command: those that most commands have, then the others by name."""
    return click.Choice([form for form in _USUAL if form in forms] + sorted(set(forms) - set(_USUAL)))


def _text_if_wide(context: click.Context, _: click.Parameter, output_format: str) -> str:
    context.meta[_WIDE_KEY] = output_format == _WIDE
    return "text" if output_format == _WIDE else output_format


def findings_format(function: Callback) -> Callback:
    """-o for commands that report findings."""
    return output(format_names(), "Format of the findings on stdout.")(function)


def answer_format(function: Callback) -> Callback:
    """-o for commands that answer a question."""
    return output(("text", "json"), "Output format.")(function)


def table_format(function: Callback) -> Callback:
    """-o for commands that answer with a table."""
    return table_output(("text", "json"), "Output format.")(function)


def out(function: Callback) -> Callback:
    """--out: the output directory."""
    description = "The output directory.  [default: `out` in .gitgpu.yaml, or overlays]"
    return click.option("--out", metavar="DIR", help=description)(function)


def clusters(function: Callback) -> Callback:
    """--cluster: only clusters whose names match. Passed as `choice`."""
    return as_field("choice", _clusters, (CLUSTER,))(function)


def _clusters(globs: tuple[str, ...]) -> ClusterSelection:
    return ClusterSelection(globs)


def jobs(function: Callback) -> Callback:
    """--jobs: how many processes share the work."""
    description = "The number of parallel processes.  [default: one for each core if there is enough to do, else 1]"
    return click.option("--jobs", type=whole_number(1, MAX_JOBS), metavar="N", help=description)(function)


def chosen(function: Callback) -> Callback:
    """--select, --ignore, --fail-on, --today, --max-findings: what to report, and what fails. Passed as `chosen`."""
    return as_field("chosen", _finding_options, _CHOSEN)(function)


def _finding_options(select: str, ignore: str, fail_on: str | None, today: str, maximum: int) -> FindingOptions:
    return FindingOptions(_codes(select), _codes(ignore), fail_on or "", today, maximum)


def fixes(function: Callback) -> Callback:
    """--fix, --diff: safe fixes. Passed as `fixes`."""
    show = click.option("--diff", "shown", is_flag=True, help="Show what --fix would change; write nothing.")
    fix = click.option("--fix", is_flag=True, help="Apply safe fixes in place.")
    return as_field("fixes", _fix_options, (fix, show))(function)


def _fix_options(*, fix: bool, shown: bool) -> FixOptions:
    return FixOptions(fix and not shown, shown)


def _codes(text: str) -> tuple[str, ...]:
    codes = tuple(code.strip().upper() for code in text.split(",") if code.strip())
    for code in codes:
        # A code has three letters and three digits.
        if not re.fullmatch("[A-Z]{1,3}[0-9]{0,3}", code):
            raise click.BadParameter(f"'{code}' is not a code or code prefix, such as SKU001 or SKU")
    return codes


def _day(_: click.Context, __: click.Parameter, text: str | None) -> str:
    try:
        return "" if text is None else date.fromisoformat(text).isoformat()
    except ValueError:
        raise click.BadParameter(f"'{text}' is not a date such as 2027-06-30") from None


ON_ADVISORIES = "Date used to judge effects that begin or end on a day, e.g. 2027-06-30. Default: they have begun."


def today(description: str) -> Decorator:
    """--today: a date, because output does not depend on the clock."""
    return click.option("--today", metavar="DATE", callback=_day, help=description)


def _style(context: click.Context, _: click.Parameter, when: str) -> Style:
    style = style_of(when)
    return style._replace(width=0) if context.meta.get(_WIDE_KEY) else style


_CHOSEN = (
    click.option(
        "--select",
        metavar="CODES",
        default="",
        help="Report only findings whose code starts with one of these prefixes, e.g. SKU,NPL010.",
    ),
    click.option(
        "--ignore", metavar="CODES", default="", help="Ignore findings whose code starts with one of these prefixes."
    ),
    click.option(
        "--fail-on",
        type=click.Choice(("error", "warning", "info", "never")),
        help="Exit 1 on findings of this severity or worse.  [default: `failOn` in .gitgpu.yaml, or error]",
    ),
    today("Date used to judge retirements and end of support, e.g. 2027-06-30. Default: the catalog's own date."),
    click.option(
        "--max-findings",
        "maximum",
        type=whole_number(0),
        default=MAX_SHOWN,
        show_default=True,
        metavar="N",
        help="Show the N most severe findings and count the rest; 0 shows all.",
    ),
)


def colour(function: Callback) -> Callback:
    """--color: as in ls, git and ruff; NO_COLOR is respected. Passed as `style`."""
    return click.option(
        "--color",
        "style",
        type=click.Choice(COLOURS),
        default="auto",
        show_default=True,
        callback=_style,
        help="Colour text output; auto: only on a terminal, without NO_COLOR and TERM=dumb.",
    )(function)
