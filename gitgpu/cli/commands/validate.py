"""Check the fleet spec. Writes nothing."""

from collections.abc import Mapping
from functools import partial

import click

from gitgpu.cli import options
from gitgpu.cli.fixes import apply_fixes, keep
from gitgpu.cli.input_texts import read_named
from gitgpu.cli.outcome import exit_code, findings, settled, tell
from gitgpu.cli.settings import Chosen, Settings, settings
from gitgpu.front import Checked, validated
from gitgpu.load.spec_texts import read_spec
from gitgpu.load.text import Text


@click.command("validate", short_help=__doc__)
@options.paths
@options.fixes
@options.findings_format
@options.chosen
@options.colour
def COMMAND(paths: tuple[str, ...], form: str, when: str, chosen: Chosen, **repairs: bool) -> int:
    """Check the fleet spec. Writes nothing except the fixes of --fix.

    PATH is a file, a directory, or - for standard input (default: fleet.yaml or the directory fleet).

    \b
    gitgpu validate
    gitgpu validate fleet/ -o github
    gitgpu validate --fix
    gitgpu validate - < fleet.yaml
    """
    where = settings(paths, chosen)
    fix = repairs["fix"] and not repairs["shown"]
    texts, unread = read_named(where.paths, fix=fix, read=partial(read_spec, out=where.target))
    before = {text.name: text for text in texts}
    faults = [*where.faults, *unread]
    if fix or repairs["shown"]:
        result = apply_fixes(before, lambda now: _checked(now, where).diagnostics, before)
        faults += keep(result, before, form, write=fix)
        before = dict(result.texts) if fix else before
    found = findings(_checked(before, where), faults)
    tell(found, form, options.style(when), chosen.most)
    return exit_code(found, where.fail_on)


def _checked(texts: Mapping[str, Text], where: Settings) -> Checked:
    checked = settled(where.policy)(validated(tuple(texts.values()), where.catalogs, where.policy.today, where.target))
    if not checked.allowed:
        return checked
    from gitgpu.pipeline import uncompiled  # noqa: PLC0415  without an allowed error, nothing is compiled

    return checked._replace(diagnostics=(*checked.diagnostics, *uncompiled(checked)))
