"""Write the overlays of a fleet, or check with --check that they are up to date."""

from typing import Any, NamedTuple

import click

from gitgpu.check.names import join_names
from gitgpu.cli import options
from gitgpu.cli.build_stamp import is_proven, stamp_of
from gitgpu.cli.cluster_selection import ClusterSelection, cluster_selection
from gitgpu.cli.out import line, note, say
from gitgpu.cli.outcome import exit_code, findings, looking, tell
from gitgpu.cli.removed_pools import unretired
from gitgpu.cli.settings import Chosen, apart, settings
from gitgpu.diagnostic import Diagnostic, Severity, worst
from gitgpu.pipeline import Build, Manner, build
from gitgpu.source import Span
from gitgpu.write.apply import apply, compare
from gitgpu.write.cache import Stamp, mixed
from gitgpu.write.cache_file import unchanged
from gitgpu.write.cluster_record import records_of
from gitgpu.write.scope import Scope


class Wanted(NamedTuple):
    """The command line of a build."""

    paths: tuple[str, ...]
    out: str | None
    check: bool
    choice: ClusterSelection
    form: str
    chosen: Chosen
    when: str
    allowed: tuple[str, ...]
    jobs: int | None


@click.command("build", short_help=__doc__)
@options.paths
@click.option("--out", metavar="DIR", help="The output directory.  [default: overlays]")
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

    If there is any error, nothing is written. Files that gitgpu did not write are never touched; the build fails
    instead. A pool must be retired before it is removed from the spec.

    \b
    gitgpu build
    gitgpu build --check                  # in CI: are the overlays up to date?
    gitgpu build --cluster 'prod-*' -o github
    gitgpu build --allow-removal 'lab-weu/*'   # without retiring the pools first
    """
    wanted = Wanted(choice=cluster_selection(globs, shard), **rest)
    where = apart(settings(wanted.paths, wanted.chosen, wanted.out))
    stamp = stamp_of(where)
    known = is_proven(stamp, where.out)
    if known and _is_plain(wanted) and not where.faults and unchanged(where.out, stamp):
        note(f"{where.out} is up to date: nothing to do")
        return 0
    look = looking(where.policy, where.target)
    made = build(where.paths, where.catalogs, wanted.choice.pick, look, Manner(known, wanted.jobs))
    faults = (*where.faults, *made.faults, *_unpicked(made, wanted.choice))
    if made.texts and not where.faults:
        faults += _check_or_write(made, where.out, stamp, wanted)
    found = findings(made.checked, faults)
    tell(found, wanted.form, options.style(wanted.when), wanted.chosen.most)
    return exit_code(found, where.fail_on)


def _check_or_write(made: Build, out: str, stamp: Stamp, wanted: Wanted) -> tuple[Diagnostic, ...]:
    """What is wrong with the files in place, or with writing them. A pool that leaves unretired keeps all from it."""
    records = records_of(made.checked.inputs, made.clusters) if made.checked.inputs else {}
    left = tuple(unretired(out, records, _scope(made, wanted.choice), wanted.allowed))
    if wanted.check:
        return (*left, *_check(made, out, stamp, wanted))
    return left if worst(left) is Severity.ERROR else (*left, *_write(made, out, stamp, wanted))


def _is_plain(wanted: Wanted) -> bool:
    """Would nothing be said of a build that changes nothing?"""
    return wanted.form == "text" and wanted.choice.everything and not wanted.check and not wanted.chosen.narrows


def _unpicked(made: Build, wanted: ClusterSelection) -> tuple[Diagnostic, ...]:
    inputs = made.checked.inputs
    if inputs is None or worst(made.checked.diagnostics) is Severity.ERROR:
        return ()
    names = [cluster.name for cluster in inputs.clusters]
    if ClusterSelection(wanted.globs).pick(names):  # a shard of them may be empty
        return ()
    remedy = f"the clusters of this fleet: {join_names(names) if names else 'none'}"
    asked = " ".join(f"--cluster '{glob}'" for glob in wanted.globs)
    message = f"no cluster matches {asked}" if asked else "no cluster to build"
    return (Diagnostic("INP006", Severity.ERROR, message, remedy, Span("", 0, 0)),)


def _scope(made: Build, choice: ClusterSelection) -> Scope:
    clusters = made.checked.inputs.clusters if made.checked.inputs else ()
    return Scope(frozenset(made.clusters), frozenset(cluster.name for cluster in clusters), choice.has_others)


def _left_by(made: Build, stamp: Stamp, chosen: Chosen) -> Stamp:
    """The stamp of a build. One with findings never counts as done: the next run must report them again."""
    silent = not (made.checked.diagnostics or made.faults or chosen.narrows)
    return stamp if silent else mixed(stamp)


def _write(made: Build, out: str, stamp: Stamp, wanted: Wanted) -> tuple[Diagnostic, ...]:
    done = apply(out, made.texts, _left_by(made, stamp, wanted.chosen), _scope(made, wanted.choice))
    for path in done.edited:
        line(f"{out}/{path} was edited by hand; the build replaced it")
    if worst(done.diagnostics) is not Severity.ERROR:
        counts = f"{len(done.written)} written, {len(done.removed)} removed, {len(done.unchanged)} unchanged"
        note(f"{out}: {counts}")
    return done.diagnostics


def _check(made: Build, out: str, stamp: Stamp, wanted: Wanted) -> tuple[Diagnostic, ...]:
    seen = compare(out, made.texts, stamp, _scope(made, wanted.choice))
    say("".join(seen.diffs), err=wanted.form != "text")
    remedy = "run `gitgpu build` and commit the result"
    stale = (Span(f"{out}/{path}", 0, 0) for path in seen.stale)
    drift = (Diagnostic("OUT010", Severity.ERROR, "is out of date", remedy, span) for span in stale)
    return (*seen.diagnostics, *drift)
