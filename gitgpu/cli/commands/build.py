"""Write the overlays of a fleet, or check with --check that they are up to date."""

from collections.abc import Sequence
from contextlib import closing
from typing import Any

import click

from gitgpu.cli import options
from gitgpu.cli.building.arguments import Wanted
from gitgpu.cli.building.stamp import is_from, nothing_found, proven, stamp_of
from gitgpu.cli.input.cluster_selection import cluster_selection
from gitgpu.cli.output.outcome import exit_code, write_findings
from gitgpu.cli.output.streams import note
from gitgpu.cli.settings import Settings, fleet_settings, with_out_directory_faults
from gitgpu.load.spec.texts import read_spec
from gitgpu.load.text import Text
from gitgpu.write.cache import Stamp
from gitgpu.write.cache_file import unchanged
from gitgpu.write.disk_state import scanning


@click.command("build", short_help=__doc__)
@options.paths
@click.option("--out", metavar="DIR", help="The output directory.  [default: `out` in .gitgpu.yaml, or overlays]")
@click.option("--check", is_flag=True, help="Write nothing; exit 1 and show a diff if the output is out of date.")
@options.clusters
@click.option(
    "--shard",
    metavar="I/N",
    help="Only the I-th of N parts of the clusters, for parallel jobs in separate checkouts.",
)
@click.option(
    "--allow-removal",
    "allowed",
    multiple=True,
    metavar="GLOB",
    help="Allow these pools to be removed without being retired: POOL or CLUSTER/POOL; repeatable.",
)
@options.jobs
@options.findings_format
@options.chosen
@options.colour
def COMMAND(globs: tuple[str, ...], shard: str | None, **rest: Any) -> int:
    """Compile the fleet into plain manifests in the output directory.

    PATH is a file or directory of the fleet (default: `fleet` in .gitgpu.yaml, or fleet.yaml, or the directory fleet).
    If there is any error, nothing is written. Files that gitgpu did not write are never touched; the build fails
    instead. A pool must be retired before it is removed from the spec.

    \b
    gitgpu build
    gitgpu build --check                  # in CI: are the overlays up to date?
    gitgpu build --cluster 'prod-*' -o github
    gitgpu build --allow-removal 'lab-weu/*'   # without retiring the pools first
    """
    wanted = Wanted(choice=cluster_selection(globs, shard), **rest)
    settings = with_out_directory_faults(fleet_settings(wanted.paths, wanted.chosen, wanted.out))
    texts, unread = read_spec(settings.paths, settings.target)
    stamp, last, is_done = _proof(texts, wanted, settings, sound=not (settings.faults or unread))
    if last and is_done:
        if not wanted.check:
            note(f"{settings.out} is up to date: nothing to do")
            return 0
        result = nothing_found(texts, last)
    else:
        from gitgpu.cli.building.build import built_fleet  # noqa: PLC0415  most of the program

        result = built_fleet(wanted, settings, stamp, proven=last is not None)
    write_findings(result, wanted.output_format, options.style(wanted.colour), wanted.chosen.most)
    return exit_code(result, settings.fail_on)


def _proof(
    texts: Sequence[Text], wanted: Wanted, settings: Settings, *, sound: bool
) -> tuple[Stamp, Stamp | None, bool]:
    """The stamp of this build, the stamp of the last build if it proves the spec, and whether the output is unchanged.

    The input is `sound` if nothing in it is unreadable.
    """
    likely = sound and wanted.is_complete and is_from(texts, settings)
    # Other processes look at the output while this one reads the catalog.
    with closing(scanning(settings.out, wanted.jobs if likely else 1)) as scan:
        stamp = stamp_of(texts, settings)
        last = proven(stamp, settings.out)
        is_done = last is not None and likely and unchanged(settings.out, last, scan, by_content=not wanted.check)
    return stamp, last, is_done
