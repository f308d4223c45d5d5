"""Recorded decisions of Karpenter's own scheduler, and where the simulator decides differently.

A case holds the objects of a cluster, and the distinct outcomes of several runs of each Karpenter release, because
Karpenter breaks ties at random.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from gitgpu.load.text import Text
from gitgpu.objects.manifest.manifests import read_manifests
from gitgpu.runs.simulate import Assumptions, of_manifests
from gitgpu.simulate.forecast import Forecast, Verdict
from tests.simulate.recording.outcomes import unpacked, waiting_pods
from tests.simulate.recording.programs import OF_AKS
from tests.simulate.worlds import Body, catalog

Entry = Mapping[str, Any]
_POOLS = ("nodeclasses", "nodepools", "daemonsets")


class Slip(NamedTuple):
    """A pod for which the simulator decides differently."""

    case: str
    pod: str
    ours: str
    recorded: tuple[str, ...]


def cases(path: Path) -> Iterator[Entry]:
    """The cases of a file, one a line, each with its verdicts by release."""
    with path.open(encoding="utf-8") as lines:
        for line in map(json.loads, lines):
            # A line with the verdicts of one release has them as they are.
            verdicts = {OF_AKS: line["verdicts"]} if "verdicts" in line else unpacked(line)
            yield {"case": line["case"], "verdicts": verdicts}


def slips(entry: Entry, release: str) -> list[Slip]:
    """The pods of a case whose simulated result differs from every recorded run of a release."""
    case = entry["case"]
    forecast = _decided(case, release)
    ours = {verdict.name: _now(verdict, forecast) for verdict in forecast.verdicts}
    spread = _spread(case, forecast)
    differing = []
    waiting = waiting_pods(case)
    for at, pod in enumerate(waiting):
        name = pod["metadata"]["name"]
        runs = [run[at] for run in entry["verdicts"][release]]
        if not any(_agrees(ours.get(name), run, zones=name not in spread) for run in runs):
            reported = tuple(sorted({_text(run) for run in runs}))
            differing.append(Slip(case["name"], name, _ours(ours.get(name)), reported))
    return differing


def _now(verdict: Verdict, forecast: Forecast) -> Verdict | None:
    """The verdict on what is there now, without pods that a gate holds back; None for those pods."""
    if not verdict.low.replicas:
        return None
    if forecast.low == forecast.high:
        return verdict
    nodes = [node for node in forecast.low if any(share.workload == verdict.number for share in node.shares)]
    return verdict._replace(
        high=verdict.low,
        pools=tuple(node.pool for node in nodes),
        skus=tuple(node.sku for node in nodes),
        zones=tuple(zone for node in nodes for zone in node.zones),
        spot=any(node.spot for node in nodes),
    )


def _spread(case: Entry, forecast: Forecast) -> set[str]:
    """The pods whose zone is random: those with a topology spread, and those that share a node with one."""
    named = {pod["metadata"]["name"] for pod in case["pods"] if pod["spec"].get("topologySpreadConstraints")}
    of = {verdict.number: verdict.name for verdict in forecast.verdicts}
    nodes = ({of[share.workload] for share in node.shares} for node in forecast.low)
    return named.union(*(together for together in nodes if together & named))


def _decided(case: Entry, release: str) -> Forecast:
    pools = [pool for kind in _POOLS for pool in case[kind]]
    beside = [*case.get("nodes", ()), *case.get("others", ()), *map(_dated, range(len(case["pods"])), case["pods"])]
    assumptions = Assumptions({}, {}, case["region"], "1.36", versions=(("karpenter", (release,)),))
    (forecast,) = of_manifests(_sheets(pools), _sheets(beside), catalog(), assumptions)
    return forecast


def _dated(second: int, pod: Body) -> Body:
    """A pod with its creation time: one second after the previous pod."""
    made = f"2026-01-01T00:{second // 60:02}:{second % 60:02}Z"
    return {**pod, "metadata": {**pod["metadata"], "creationTimestamp": made}}


def _sheets(bodies: list[Body]) -> Any:
    text = "---\n".join(json.dumps(body) + "\n" for body in bodies)
    return read_manifests([Text("all.yaml", text, "all.yaml")])


def _agrees(ours: Verdict | None, run: Entry, *, zones: bool) -> bool:
    placed = ours is not None and ours.verdict == "schedulable" and not _is_left_to_others(ours)
    if ours is None or not placed or not run["ok"]:
        return placed == bool(run["ok"])
    same = (ours.pools, ours.skus, ours.spot) == ((run["pool"],), (run["sku"],), bool(run["spot"]))
    return same and (not zones or str(run["zone"]) in ours.zones)


def _is_left_to_others(ours: Verdict) -> bool:
    """Whether Karpenter ignores the pod, which kube-scheduler may put on a node for other pods."""
    return any("Karpenter does not start a node for it" in doubt.message for doubt in ours.doubts)


def _text(run: Entry) -> str:
    if not run["ok"]:
        return "no node"
    return f"{run['pool']} {run['sku']} {run['zone']} {'spot' if run['spot'] else ''}"


def _ours(verdict: Verdict | None) -> str:
    if verdict is None:
        return "no verdict"
    if verdict.verdict != "schedulable":
        return "no node: " + "; ".join(f"{reason.pool} {reason.kind}" for reason in verdict.reasons)
    zones, capacity = ",".join(verdict.zones), "spot" if verdict.spot else ""
    sure = "" if verdict.certain else " (uncertain)"
    return f"{' '.join(verdict.pools)} {' '.join(verdict.skus)} {zones} {capacity}{sure}"
