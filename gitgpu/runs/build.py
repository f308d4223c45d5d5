"""A fleet to the files of its clusters: the rules check it, meanwhile its clusters are compiled.

A large fleet is checked by another process. For a small one, another process checks what its clusters are compiled to.
"""

from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial
from itertools import chain
from typing import NamedTuple, TypeAlias

from gitgpu.counting import Count, no_count
from gitgpu.diagnostic import Diagnostic, Severity, worst
from gitgpu.jobs import in_background, processes
from gitgpu.model.inputs import Inputs
from gitgpu.policy import Policy
from gitgpu.runs.check_output import Emitted, OutputCheck, OutputChecker, output_check
from gitgpu.runs.validate import CheckedFleet, LinkedFleet, check_fleet, refuse_allowances
from gitgpu.write.file_texts import ClusterFiles, FileTexts

MIN_PARALLEL = 60  # clusters: compiling so many takes longer than starting a process for each core


class Build(NamedTuple):
    """The checked fleet, the faults found in our own output, and the files of the clusters that were built.

    There are files or there are errors, never both.
    """

    checked: CheckedFleet
    faults: tuple[Diagnostic, ...] = ()
    clusters: tuple[str, ...] = ()
    texts: FileTexts = FileTexts()

    @property
    def files(self) -> Mapping[str, str]:
        """The whole text of each file by its path."""
        return dict(self.texts)

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        """Why there are no files; empty if there are."""
        findings = (*self.checked.diagnostics, *self.faults)
        return tuple(finding for finding in findings if finding.severity is Severity.ERROR)


class BuildOptions(NamedTuple):
    """How a build runs. The result does not depend on it.

    `proven` says that this program has already built this spec with this catalog and checked the output, so it is
    not checked again. `jobs` is the number of processes, or None for what suits the number of clusters. `checker` is a
    process that is ready to check the output. `on_count` gets the number of compiled clusters.
    """

    proven: bool = False
    jobs: int | None = 1
    checker: OutputChecker | None = None
    on_count: Count = no_count


class Division(NamedTuple):
    """How many processes compile the clusters, and whether another one checks the fleet while they begin."""

    jobs: int
    checks_in_background: bool


def division(picked: int, jobs: int | None, *, sound: bool) -> Division:
    """How the work on the picked clusters of a fleet is divided. A fleet with errors is not compiled."""
    number = processes(jobs, picked, MIN_PARALLEL)
    return Division(number, checks_in_background=number > 1 and sound)


def build(
    fleet: LinkedFleet,
    picked: Sequence[str] | None = None,
    policy: Policy | None = None,
    options: BuildOptions = BuildOptions(),  # noqa: B008  a frozen value
) -> Build:
    """The files of these clusters (all if None), unless the fleet or our own output has an error.

    With a policy, the findings that it or a comment in the files suppresses do not count.
    """
    if fleet.inputs is None:
        return Build(check_fleet(fleet, policy))
    picked = fleet.cluster_names if picked is None else tuple(picked)
    sound = worst(fleet.faults) is not Severity.ERROR
    jobs, checks_in_background = division(len(picked), options.jobs, sound=sound)
    checker = options.checker if jobs == 1 and sound and not options.proven else None
    if options.checker and not checker:
        options.checker.close()  # this process, or its own workers, check the output
    checking = in_background(partial(_findings, fleet, policy), at_once=checks_in_background)
    parts = _parts(fleet.inputs, picked, jobs, options._replace(checker=checker))
    with closing(checking), closing(parts):
        # Meanwhile, the other process checks the fleet, or the output of the clusters.
        first = [next(parts)] if checks_in_background or checker else []
        [(diagnostics, allowed)] = checking
        texts, documents = fleet.texts, fleet.documents
        checked = CheckedFleet(texts, fleet.inputs, diagnostics, len(documents), allowed, documents)
        if worst(diagnostics) is Severity.ERROR:
            return Build(checked)
        every = chain(first, parts)
        return _join_parts(checked, picked, _with_faults(every, checker) if checker else every)


def build_checked(
    fleet: CheckedFleet,
    picked: Sequence[str] | None = None,
    options: BuildOptions = BuildOptions(),  # noqa: B008  a frozen value
) -> Build:
    """The files of these clusters of a fleet that has been checked, unless it or our own output has an error."""
    if fleet.inputs is None or worst(fleet.diagnostics) is Severity.ERROR:
        return Build(fleet)
    picked = tuple(cluster.name for cluster in fleet.inputs.clusters) if picked is None else tuple(picked)
    jobs = processes(options.jobs, len(picked), MIN_PARALLEL)
    with closing(_parts(fleet.inputs, picked, jobs, options._replace(checker=None))) as parts:
        return _join_parts(fleet, picked, parts)


def compile_faults(fleet: CheckedFleet) -> tuple[Diagnostic, ...]:
    """ALW004 for each allowed error, if the fleet cannot be compiled because of them."""
    if not fleet.allowed:
        return ()
    return build_checked(fleet, options=BuildOptions(proven=True)).faults


def _findings(fleet: LinkedFleet, policy: Policy | None) -> tuple[tuple[Diagnostic, ...], tuple[Diagnostic, ...]]:
    """The findings, and those that are allowed. The other process sends back only these, not the fleet."""
    checked = check_fleet(fleet, policy)
    return checked.diagnostics, checked.allowed


# `compile.Part`, without its import: clusters by name with their files and faults, or an exception.
_Part: TypeAlias = Mapping[str, tuple[ClusterFiles, Sequence[Diagnostic]]] | Exception


def _parts(inputs: Inputs, picked: Sequence[str], jobs: int, options: BuildOptions) -> Generator[_Part, None, None]:
    from gitgpu.runs.compile import compile_parts  # noqa: PLC0415  half of the program; fleets with errors skip it

    check = _output_check(inputs, options)
    yield from compile_parts(inputs, inputs.clusters_named(picked), jobs, check, options.on_count)


def _output_check(inputs: Inputs, options: BuildOptions) -> OutputCheck | None:
    """How the objects of a cluster are checked. With a `checker`, this only sends them, and it finds the faults."""
    if options.proven:
        return None
    if options.checker is None:
        return output_check(inputs.catalog)
    give = options.checker.give

    def send(emitted: Emitted) -> Sequence[Diagnostic]:
        give(emitted)
        return ()

    return send


def _with_faults(parts: Iterable[_Part], checker: OutputChecker) -> Iterator[_Part]:
    """The clusters of all parts with the faults that the checker has found. It got them in the same order."""
    compiled: dict[str, ClusterFiles] = {}
    for part in parts:
        if isinstance(part, Exception):
            yield part
            return
        compiled |= {name: files for name, (files, _) in part.items()}
    try:
        faults = checker.results()
    except ChildProcessError:
        raise
    except Exception as error:  # noqa: BLE001  as in `compile_parts`
        yield error
        return
    yield {name: (files, found) for (name, files), found in zip(compiled.items(), faults, strict=True)}


def _join_parts(checked: CheckedFleet, picked: tuple[str, ...], parts: Iterable[_Part]) -> Build:
    """The build of these clusters, whose files and faults come in parts."""
    files: dict[str, ClusterFiles] = {}
    known: dict[ClusterFiles, ClusterFiles] = {}  # equal files from several workers share their memory
    by_cluster: dict[str, Sequence[Diagnostic]] = {}
    for part in parts:
        if isinstance(part, Exception):
            return Build(checked, refuse_allowances(checked, part), picked)
        for name, (texts, faults) in part.items():
            files[name], by_cluster[name] = known.setdefault(texts, texts), faults
    reported: list[Diagnostic] = []
    for name in picked:
        reported += (fault for fault in by_cluster[name] if fault not in checked.allowed)
    if worst(reported) is Severity.ERROR:
        return Build(checked, tuple(reported), picked)
    return Build(checked, tuple(reported), picked, FileTexts({name: files[name] for name in picked}))
