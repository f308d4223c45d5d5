"""Write the overlays of a fleet, or check with --check that they are up to date."""

import click

from gitgpu.cli import options
from gitgpu.cli.build_.arguments import Arguments
from gitgpu.cli.build_.last_build import Cached, compare_with_last
from gitgpu.cli.fleets.stamp import is_from, no_findings
from gitgpu.cli.input.cluster_selection import cluster_selection
from gitgpu.cli.output.outcome import exit_code, write_findings
from gitgpu.cli.output.progress import progress
from gitgpu.cli.output.streams import note
from gitgpu.cli.parameters import as_field, as_value
from gitgpu.cli.settings import Settings, fleet_settings, with_out_directory_faults
from gitgpu.counting import Count
from gitgpu.load.spec.texts import SpecTexts, read_spec
from gitgpu.report.findings import Findings

_SHARD = click.option(
    "--shard",
    metavar="I/N",
    help="Only the I-th of N parts of the clusters, for parallel jobs in separate checkouts.",
)


@click.command("build", short_help=__doc__)
@options.paths
@options.out
@click.option("--check", is_flag=True, help="Write nothing; exit 1 and show a diff if the output is out of date.")
@as_field("choice", cluster_selection, (options.CLUSTER, _SHARD))
@click.option(
    "--allow-removal",
    "allowed",
    multiple=True,
    metavar="GLOB",
    help="Allow the removal of pools that are not retired, or of their GPU software: POOL or CLUSTER/POOL; repeatable.",
)
@options.jobs
@options.findings_format
@options.chosen
@options.colour
@as_value(Arguments)
def COMMAND(arguments: Arguments) -> int:
    """Compile the fleet into plain manifests in the output directory.

    PATH is a file or directory of the fleet (default: `fleet` in .gitgpu.yaml, or fleet.yaml, or the directory fleet).
    If there is any error, nothing is written. Files that gitgpu did not write are never touched; the build fails
    instead. A pool must be retired before it is removed from the spec, or gets its driver from another source.

    \b
    gitgpu build
    gitgpu build --check                  # in CI: are the overlays up to date?
    gitgpu build --cluster 'prod-*' -o github
    gitgpu build --allow-removal 'lab-weu/*'   # without retiring the pools first
    """
    settings = with_out_directory_faults(fleet_settings(arguments.paths, arguments.chosen, arguments.out))
    spec = read_spec(settings.paths, settings.target)
    cached = None
    if is_from(spec.texts, settings):
        cached = compare_with_last(spec.texts, arguments, settings, sound=not (settings.faults or spec.unread))
    if cached and cached.last and cached.is_unchanged:
        if not arguments.check:
            note(f"{settings.out} is up to date: nothing to do")
            return 0
        result = no_findings(spec.texts, cached.last)
    else:
        with progress("building", "cluster") as count:
            result = _build(spec, arguments, settings, cached, count)
    write_findings(result, arguments.output_format, arguments.style, arguments.chosen.maximum)
    return exit_code(result, settings.fail_on)


def _build(spec: SpecTexts, arguments: Arguments, settings: Settings, cached: Cached | None, count: Count) -> Findings:
    # Most of the program. The other process starts first, because it needs few of the modules that a build imports.
    from gitgpu.runs.check_output import output_checker  # noqa: PLC0415

    with output_checker(settings.catalogs, arguments.jobs, at_once=cached is None) as checker:
        from gitgpu.cli.build_.fleet import build_fleet  # noqa: PLC0415
        from gitgpu.runs.build import BuildOptions  # noqa: PLC0415

        how = BuildOptions(jobs=arguments.jobs, checker=checker, on_count=count)
        return build_fleet(spec, arguments, settings, cached, how)
