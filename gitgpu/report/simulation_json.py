"""Forecasts for programs: the envelope that schemas/report.schema.json describes."""

from collections.abc import Sequence
from typing import Any

from gitgpu.diagnostic import Diagnostic
from gitgpu.report.envelope import envelope
from gitgpu.simulate.explain.cost import of_cluster
from gitgpu.simulate.explain.forecast import HOURS, Forecast, Level, Reason, Verdict
from gitgpu.source import Span


def as_json(found: Sequence[Forecast], unread: Sequence[Diagnostic]) -> str:
    """The text of the envelope; `unread` is what was left out because it could not be read."""
    every = [_workload(verdict, one.cluster) for one in found for verdict in one.verdicts]
    lost = [_lost(fault) for fault in unread]
    clusters = list(map(_summed, found))
    content = {"workloads": every, "clusters": clusters, "unread": lost, "hoursPerMonth": HOURS}
    return envelope("Simulation", content)


def _lost(fault: Diagnostic) -> dict[str, Any]:
    words = {"code": fault.code, "severity": str(fault.severity), "message": fault.message, "help": fault.help}
    return {**words, **_spot(fault.span)}


def _workload(one: Verdict, cluster: str) -> dict[str, Any]:
    return {
        "namespace": one.namespace,
        "name": one.name,
        "kind": one.kind,
        "cluster": cluster,
        "verdict": one.verdict,
        "certain": one.certain,
        "pool": one.pools[0] if one.pools else None,
        "sku": one.skus[0] if one.skus else None,
        "pools": list(one.pools),
        "skus": list(one.skus),
        "zones": list(one.zones),
        "spot": one.spot,
        "nodes": one.high.nodes,
        "pricePerHour": one.high.price,
        "atMin": _level(one.low),
        "atMax": _level(one.high),
        "nodesAtOnce": one.together,
        "reasons": [_why(reason) for reason in one.reasons],
        "doubts": [doubt._asdict() for doubt in one.doubts],
        **_spot(one.place),
    }


def _level(one: Level) -> dict[str, Any]:
    prices = {"pricePerHour": one.price, "atMostPerHour": one.most}
    return {
        "replicas": one.replicas,
        "placed": one.placed,
        "nodes": one.nodes,
        "gpus": one.gpus,
        "stranded": one.stranded,
        **prices,
        "pricePerMonth": None if one.price is None else round(one.price * HOURS, 2),
    }


def _why(one: Reason) -> dict[str, Any]:
    said = {"pool": one.pool, "kind": one.kind, "message": one.message, "help": one.help}
    return {**said, **_spot(one.at), "change": _spot(one.change)}


def _spot(at: Span) -> dict[str, Any]:
    return {"file": at.file, "line": at.line or None, "column": at.column if at.line else None}


def _summed(one: Forecast) -> dict[str, Any]:
    levels = {}
    for name, nodes in (("atMin", one.low), ("atMax", one.high)):
        price, most = of_cluster(nodes)
        gpus, used = sum(node.gpus for node in nodes), sum(node.used for node in nodes)
        levels[name] = {
            "nodes": len(nodes),
            "gpus": gpus,
            "stranded": gpus - used,
            "pricePerHour": price,
            "atMostPerHour": most,
            "pricePerMonth": None if price is None else round(price * HOURS, 2),
        }
    return {
        "name": one.cluster,
        "region": one.region or None,
        "passedOver": one.passed,
        "running": dict(zip(("nodes", "pods"), one.running, strict=True)),
        "notes": list(one.notes),
        **levels,
    }
