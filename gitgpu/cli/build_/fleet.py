"""`gitgpu build` of a fleet that must be compiled."""

import os
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from gitgpu.cli.build_.arguments import Arguments
from gitgpu.cli.build_.last_build import Cached
from gitgpu.cli.fleets.findings import findings
from gitgpu.cli.fleets.stamp import stamp_of
from gitgpu.cli.input.cluster_selection import ClusterSelection
from gitgpu.cli.output.streams import line, note, say
from gitgpu.cli.settings import Settings
from gitgpu.diagnostic import Diagnostic, Severity, worst
from gitgpu.load.read import listing
from gitgpu.load.spec.texts import SpecTexts
from gitgpu.load.text import Text
from gitgpu.report.findings import Findings
from gitgpu.runs.build import Build, BuildOptions, build
from gitgpu.runs.losses import losses
from gitgpu.runs.validate import link_spec
from gitgpu.source import Span
from gitgpu.spelling import join_names
from gitgpu.write.apply import apply, compare
from gitgpu.write.cache import Stamp, mixed_stamp
from gitgpu.write.cluster_record import ClusterRecord
from gitgpu.write.file_texts import FileTexts
from gitgpu.write.fleet_records import records_of
from gitgpu.write.scope import Scope
from gitgpu.write.spec.names import CLUSTERS


def build_fleet(
    spec: SpecTexts,
    arguments: Arguments,
    settings: Settings,
    cached: Cached | None,
    how: BuildOptions,
) -> Findings:
    """Compiles a fleet that has been read, writes or compares the output, and returns the findings of both.

    `cached` is None if the spec is not that of the last build. `how` has another process, which prepares to
    check the output.
    """
    proven = cached is not None and cached.last is not None
    stamp = cached.stamp if cached else _new_stamp(spec.texts, arguments, settings)
    fleet = link_spec(spec, settings.fleet)
    picked = arguments.choice.pick(fleet.cluster_names)
    result = build(fleet, picked, settings.policy, how._replace(proven=proven))
    faults = (*settings.faults, *result.faults, *_no_cluster_fault(result, arguments.choice))
    output = _output(result, stamp, arguments) if result.texts and not settings.faults else None
    checked = result.checked._replace(inputs=None, documents=())
    del result, fleet  # the fleet takes much memory, and each process that writes would copy it
    if output:
        faults += _check_or_write(output, settings.out, arguments)
    return findings(checked, faults)


def _new_stamp(texts: Sequence[Text], arguments: Arguments, settings: Settings) -> Stamp:
    """The stamp of a build of another spec. A check compares it with nothing, and computing it takes long."""
    return Stamp("", "", "") if arguments.check else stamp_of(texts, settings)


class _Output(NamedTuple):
    """The texts of a build, its stamp, its scope (which clusters), and the records of these clusters."""

    texts: FileTexts
    stamp: Stamp
    scope: Scope
    records: Mapping[str, ClusterRecord]


def _output(result: Build, stamp: Stamp, arguments: Arguments) -> _Output:
    checked = result.checked
    stamp = stamp._replace(objects=checked.objects)
    silent = not (checked.diagnostics or result.faults or arguments.chosen.narrows)
    # A build with findings never counts as done: the next run must report them again.
    left = stamp if silent else mixed_stamp(stamp)
    records = records_of(checked.inputs, result.clusters) if checked.inputs else {}
    return _Output(result.texts, left, _scope(result, arguments.choice), records)


def _check_or_write(output: _Output, out: str, arguments: Arguments) -> tuple[Diagnostic, ...]:
    """Faults of the existing files, or of writing them. If running nodes would lose something, nothing is written."""
    faults = losses(out, output.texts, output.records, output.scope, arguments.allowed)
    if arguments.check:
        return (*faults, *_check(output, out, arguments))
    return faults if worst(faults) is Severity.ERROR else (*faults, *_write(output, out, arguments))


def _no_cluster_fault(result: Build, selected: ClusterSelection) -> tuple[Diagnostic, ...]:
    inputs = result.checked.inputs
    if inputs is None or worst(result.checked.diagnostics) is Severity.ERROR:
        return ()
    names = [cluster.name for cluster in inputs.clusters]
    if ClusterSelection(selected.globs).pick(names):  # a shard of them may be empty
        return ()
    remedy = f"use the name of a cluster: {join_names(names)}" if names else _add_cluster(result)
    selection = " ".join(f"--cluster '{glob}'" for glob in selected.globs)
    message = f"no cluster matches {selection}" if selection else "no cluster to build"
    return (Diagnostic("INP006", Severity.ERROR, message, remedy, Span("")),)


def _add_cluster(result: Build) -> str:
    """The remedy for a fleet without clusters. An import writes them to a folder next to the file of the Fleet."""
    files = [text.name for text in result.checked.texts]
    folder = os.path.dirname(files[0]) if len(files) == 1 else ""
    if files and CLUSTERS in listing(folder or os.curdir):
        return f"only {files[0]} was read; to read {CLUSTERS}/ too, pass the directory: `gitgpu build {folder or '.'}`"
    return "add a Cluster to the fleet"


def _scope(result: Build, choice: ClusterSelection) -> Scope:
    clusters = result.checked.inputs.clusters if result.checked.inputs else ()
    return Scope(frozenset(result.clusters), frozenset(cluster.name for cluster in clusters), choice.has_others)


def _write(output: _Output, out: str, arguments: Arguments) -> tuple[Diagnostic, ...]:
    done = apply(out, output.texts, output.stamp, output.scope, arguments.jobs)
    for path in done.edited:
        line(f"{out}/{path} was edited manually; the build replaced it")
    if worst(done.diagnostics) is not Severity.ERROR:
        counts = f"{len(done.written):,} written, {len(done.removed):,} removed, {len(done.unchanged):,} unchanged"
        note(f"{out}: {counts}")
    return done.diagnostics


def _check(output: _Output, out: str, arguments: Arguments) -> tuple[Diagnostic, ...]:
    seen = compare(out, output.texts, output.stamp, output.scope)
    say("".join(seen.diffs), err=arguments.output_format != "text")
    remedy = "run `gitgpu build` and commit the result"
    stale = (Span(f"{out}/{path}") for path in seen.stale)
    drift = (Diagnostic("OUT010", Severity.ERROR, "is out of date", remedy, span) for span in stale)
    return (*seen.diagnostics, *drift)
