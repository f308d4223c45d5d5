"""Code lenses: what a pool has and costs at its limits, and where a workload would run."""

from collections.abc import Callable, Iterator

from lsprotocol.types import CodeLens, Command

from gitgpu.editor.context import Context
from gitgpu.editor.hover import limits_text
from gitgpu.editor.pool_limits import at_limits
from gitgpu.editor.yaml_tree import parts
from gitgpu.model.fleet import Model, Workload
from gitgpu.model.inputs import Inputs
from gitgpu.report.terminal import printable
from gitgpu.simulate.forecast import Forecast, Verdict
from gitgpu.spelling import comma_separated, count_text

_SHOWN = 3  # clusters that a lens names


def lenses(context: Context) -> Iterator[CodeLens]:
    """A lens for each pool and workload of a file, without its text."""
    positions = context.files.positions(context.file)
    for part in parts(context.content):
        name = part.root.get("metadata", "name") if part.root else None
        kind = part.root.text_at("kind") if part.root else ""
        if part.root and name and name.text and kind in ("GpuPool", "GpuWorkload"):
            start = context.content.count("\n", 0, part.start + part.root.start) + 1
            about = {"uri": context.files.uri(context.file), "kind": kind, "name": name.text, "line": start}
            yield CodeLens(positions.range(part.start + name.start, part.start + name.end), data=about)


def pool_title(inputs: Inputs, name: str) -> str:
    """What a pool has and costs at its limits, on each cluster if that differs."""
    texts: dict[str, list[str]] = {}
    for pool in inputs.pools:
        for cluster in inputs.clusters_named(pool.clusters) if pool.name == name else ():
            texts.setdefault(limits_text(at_limits(pool, cluster.region, inputs.catalog)), []).append(cluster.name)
    return " | ".join(f"{comma_separated(clusters, _SHOWN)}: {text}" for text, clusters in texts.items())


def workload_title(inputs: Inputs, file: str, line: int, forecast: Callable[[str], Forecast]) -> str:
    """Where the replicas of the workload whose document begins here would run, on each cluster if that differs.

    KAITO makes the pods of a model, so only the pools of a model are known.
    """
    titles: dict[str, list[str]] = {}
    for cluster in inputs.clusters:
        here = {pool.name for pool in inputs.pools_on(cluster)}
        workloads: list[Workload | Model] = [*inputs.workloads_on(cluster), *inputs.models_on(cluster)]
        for workload in workloads:
            pools = here.intersection(workload.pools)
            if pools and workload.origin.span()[:2] == (file, line):
                verdicts = [each for each in forecast(cluster.name).verdicts if each.place[:2] == (file, line)]
                text = _verdict(verdicts[0]) if verdicts else f"may run on {', '.join(sorted(pools))}"
                titles.setdefault(text, []).append(cluster.name)
    return " | ".join(f"{comma_separated(clusters, _SHOWN)}: {text}" for text, clusters in titles.items())


def _verdict(verdict: Verdict) -> str:
    doubt = "" if verdict.certain else " (uncertain)"
    if not verdict.high.placed:
        why = verdict.reasons[0].message if verdict.reasons else "no pool fits"
        return f"no node: {why}{doubt}"
    where = f"{count_text(verdict.high.nodes, 'node')} of {', '.join(verdict.pools)}"
    return f"{verdict.high.placed} of {count_text(verdict.high.replicas, 'replica')} on {where}{doubt}"


def with_title(lens: CodeLens, title: str) -> CodeLens:
    """The lens with its text. It runs nothing."""
    lens.command = Command(printable(title) or "unknown until the fleet has no error", "")
    return lens
