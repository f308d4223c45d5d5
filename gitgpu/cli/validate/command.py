"""Check the fleet spec. Writes nothing without --fix."""

from collections.abc import Sequence
from functools import partial

import click

from gitgpu.cli import options
from gitgpu.cli.input.texts import read_named
from gitgpu.cli.output.outcome import exit_code, write_findings
from gitgpu.cli.parameters import as_value
from gitgpu.cli.settings import Settings, fleet_settings
from gitgpu.cli.validate.arguments import Arguments
from gitgpu.load.spec.texts import read_spec
from gitgpu.load.text import Text
from gitgpu.report.findings import Findings
from gitgpu.write.cache_path import has_cache


@click.command("validate", short_help=__doc__)
@options.paths
@options.fixes
@options.findings_format
@options.chosen
@options.colour
@as_value(Arguments)
def COMMAND(arguments: Arguments) -> int:
    """Check the fleet spec. Writes nothing without --fix.

    PATH is a file, a directory, or - for standard input (default: `fleet` in .gitgpu.yaml, or fleet.yaml, or the
    directory fleet).

    \b
    gitgpu validate
    gitgpu validate fleet/ -o github
    gitgpu validate --fix
    gitgpu validate - < fleet.yaml
    """
    settings = fleet_settings(arguments.paths, arguments.chosen)
    texts, unread = read_named(settings.paths, fix=arguments.fixes.write, read=partial(read_spec, out=settings.target))
    faults = (*settings.faults, *unread)
    is_usual = not (any(arguments.fixes) or faults or arguments.chosen.narrows)
    result = _unchanged(texts, settings) if is_usual and has_cache(settings.out) else None
    if result is None:
        from gitgpu.cli.validate.findings import check_texts  # noqa: PLC0415  all rules

        result = check_texts(texts, settings, faults, arguments)
    write_findings(result, arguments.output_format, arguments.style, arguments.chosen.maximum, has_fix=True)
    return exit_code(result, settings.fail_on)


def _unchanged(texts: Sequence[Text], settings: Settings) -> Findings | None:
    """The findings of the last build, which had none, if nothing has changed since."""
    from gitgpu.cli.fleets.stamp import no_findings, unchanged_stamp  # noqa: PLC0415  a new checkout has no cache

    last = unchanged_stamp(texts, settings)
    return no_findings(texts, last) if last else None
