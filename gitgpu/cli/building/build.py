"""`gitgpu build` of a fleet that has to be compiled."""

from gitgpu.cli.building.arguments import Wanted
from gitgpu.cli.building.removed_pools import unretired
from gitgpu.cli.checking import findings, looking
from gitgpu.cli.input.cluster_selection import ClusterSelection
from gitgpu.cli.output.streams import line, note, say
from gitgpu.cli.settings import Chosen, Settings
from gitgpu.diagnostic import Diagnostic, Severity, worst
from gitgpu.pipeline import Build, Manner, build
from gitgpu.report.findings import Findings
from gitgpu.source import Span
from gitgpu.spelling import join_names
from gitgpu.write.apply import apply, compare
from gitgpu.write.cache import Stamp, mixed
from gitgpu.write.fleet_records import records_of
from gitgpu.write.scope import Scope


def built_fleet(wanted: Wanted, where: Settings, stamp: Stamp, *, proven: bool) -> Findings:
    """Compiles the fleet, writes or compares the output, and returns the findings of both."""
    look = looking(where.policy, where.target)
    made = build(where.paths, where.catalogs, wanted.choice.pick, look, Manner(proven, wanted.jobs))
    faults = (*where.faults, *made.faults, *_unpicked(made, wanted.choice))
    if made.texts and not where.faults:
        faults += _check_or_write(made, where.out, stamp._replace(objects=made.checked.objects), wanted)
    return findings(made.checked, faults)


def _check_or_write(made: Build, out: str, stamp: Stamp, wanted: Wanted) -> tuple[Diagnostic, ...]:
    """What is wrong with the existing files, or with writing them; removing an unretired pool stops the writing."""
    records = records_of(made.checked.inputs, made.clusters) if made.checked.inputs else {}
    left = tuple(unretired(out, records, _scope(made, wanted.choice), wanted.allowed))
    if wanted.check:
        return (*left, *_check(made, out, stamp, wanted))
    return left if worst(left) is Severity.ERROR else (*left, *_write(made, out, stamp, wanted))


def _unpicked(made: Build, wanted: ClusterSelection) -> tuple[Diagnostic, ...]:
    inputs = made.checked.inputs
    if inputs is None or worst(made.checked.diagnostics) is Severity.ERROR:
        return ()
    names = [cluster.name for cluster in inputs.clusters]
    if ClusterSelection(wanted.globs).pick(names):  # a shard of them may be empty
        return ()
    remedy = f"the clusters of this fleet: {join_names(names) if names else 'none'}"
    selection = " ".join(f"--cluster '{glob}'" for glob in wanted.globs)
    message = f"no cluster matches {selection}" if selection else "no cluster to build"
    return (Diagnostic("INP006", Severity.ERROR, message, remedy, Span("", 0, 0)),)


def _scope(made: Build, choice: ClusterSelection) -> Scope:
    clusters = made.checked.inputs.clusters if made.checked.inputs else ()
    return Scope(frozenset(made.clusters), frozenset(cluster.name for cluster in clusters), choice.has_others)


def _left_by(made: Build, stamp: Stamp, chosen: Chosen) -> Stamp:
    """The stamp of a build. One with findings never counts as done: the next run must report them again."""
    silent = not (made.checked.diagnostics or made.faults or chosen.narrows)
    return stamp if silent else mixed(stamp)


def _write(made: Build, out: str, stamp: Stamp, wanted: Wanted) -> tuple[Diagnostic, ...]:
    left = _left_by(made, stamp, wanted.chosen)
    done = apply(out, made.texts, left, _scope(made, wanted.choice), wanted.jobs)
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
