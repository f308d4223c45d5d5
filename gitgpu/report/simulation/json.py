"""Forecasts for programs: the envelope that schemas/report.schema.json describes."""

from collections.abc import Sequence
from typing import Any

from gitgpu.diagnostic import Diagnostic
from gitgpu.report.envelope import envelope
from gitgpu.report.simulation.grouping import Amounts, Group, groups
from gitgpu.report.simulation.shared_notes import shared_notes, without_shared
from gitgpu.simulate.forecast import HOURS, Forecast, Level, Node, Reason, TeamUse, Verdict
from gitgpu.simulate.usage import usage_of
from gitgpu.source import Span


def as_json(forecasts: Sequence[Forecast], unread: Sequence[Diagnostic], group_by: str = "") -> str:
    """The text of the envelope. `unread` are faults for input that was omitted; `group_by` is a key, or ""."""
    workloads: list[dict[str, Any]] = []
    for forecast in without_shared(forecasts):
        workloads += [_workload(verdict, forecast.cluster) for verdict in forecast.verdicts]
    content = {
        "workloads": workloads,
        "clusters": [_cluster(forecast) for forecast in forecasts],
        "notes": _notes(forecasts),
        "unread": [_unread(fault) for fault in unread],
        "groupBy": group_by or None,
        "groups": [_group(group) for group in groups(forecasts, group_by)] if group_by else [],
        "hoursPerMonth": HOURS,
    }
    return envelope("Simulation", content)


def _notes(forecasts: Sequence[Forecast]) -> list[dict[str, Any]]:
    """The notes that apply to several workloads, without duplicates."""
    notes: list[dict[str, Any]] = []
    for doubt, subjects in shared_notes(forecasts).items():
        workloads = [
            {"cluster": subject.cluster, "namespace": subject.workload.namespace, "name": subject.workload.name}
            for subject in subjects
        ]
        notes.append({"kind": doubt.kind, "message": doubt.message, "workloads": workloads})
    return notes


def _unread(fault: Diagnostic) -> dict[str, Any]:
    texts = {"code": fault.code, "severity": str(fault.severity), "message": fault.message, "help": fault.help}
    return {**texts, **_place(fault.span)}


def _workload(verdict: Verdict, cluster: str) -> dict[str, Any]:
    return {
        "namespace": verdict.namespace,
        "name": verdict.name,
        "kind": verdict.kind,
        "cluster": cluster,
        "verdict": verdict.verdict,
        "certain": verdict.certain,
        "pool": next(iter(verdict.pools), None),
        "sku": next(iter(verdict.skus), None),
        "pools": list(verdict.pools),
        "skus": list(verdict.skus),
        "zones": list(verdict.zones),
        "spot": verdict.spot,
        "nodes": verdict.high.nodes,
        "pricePerHour": verdict.high.price,
        "atMin": _level(verdict.low),
        "atMax": _level(verdict.high),
        "nodesAtOnce": verdict.together,
        "reasons": [_reason(reason) for reason in verdict.reasons],
        "doubts": [doubt._asdict() for doubt in verdict.doubts],
        **_place(verdict.place),
    }


def _level(level: Level) -> dict[str, Any]:
    prices = {"pricePerHour": level.price, "atMostPerHour": level.maximum}
    return {
        "replicas": level.replicas,
        "placed": level.placed,
        "nodes": level.nodes,
        "gpus": level.gpus,
        "stranded": level.idle,
        **prices,
        "pricePerMonth": None if level.price is None else round(level.price * HOURS, 2),
    }


def _reason(reason: Reason) -> dict[str, Any]:
    entry = {"pool": reason.pool, "kind": reason.kind, "message": reason.message, "help": reason.help}
    return {**entry, **_place(reason.at), "change": _place(reason.change)}


def _place(span: Span) -> dict[str, Any]:
    return {"file": span.file, "line": span.line or None, "column": span.column if span.line else None}


def _cluster(forecast: Forecast) -> dict[str, Any]:
    return {
        "name": forecast.cluster,
        "region": forecast.region or None,
        "priceDate": forecast.priced or None,
        "passedOver": forecast.skipped,
        "running": forecast.running._asdict(),
        "notes": list(forecast.notes),
        "atMin": _nodes(forecast.low),
        "atMax": _nodes(forecast.high),
        "teams": list(map(_team, forecast.teams)),
    }


def _team(use: TeamUse) -> dict[str, Any]:
    fields = {key: value for key, value in use._asdict().items() if key != "price"}
    return {**fields, "pricePerHour": use.price.exact, "atMostPerHour": use.price.maximum}


def _group(group: Group) -> dict[str, Any]:
    sides = {"atMin": _amounts(group.low), "atMax": _amounts(group.high)}
    return {"name": group.name, "workloads": group.workloads, **sides}


def _amounts(amounts: Amounts) -> dict[str, Any]:
    return {
        "gpus": round(float(amounts.gpus), 4),
        "idleGpus": round(float(amounts.idle), 4),
        "pricePerHour": amounts.price.exact,
        "atMostPerHour": amounts.price.maximum,
        "idlePricePerHour": amounts.idle_price.exact,
        "idleAtMostPerHour": amounts.idle_price.maximum,
    }


def _nodes(nodes: Sequence[Node]) -> dict[str, Any]:
    usage = usage_of(nodes)
    price, maximum = usage.price
    return {
        "nodes": usage.nodes,
        "gpus": usage.gpus,
        "stranded": usage.idle,
        "pricePerHour": price,
        "atMostPerHour": maximum,
        "pricePerMonth": None if price is None else round(price * HOURS, 2),
        "idlePricePerHour": usage.idle_price.exact,
        "idleAtMostPerHour": usage.idle_price.maximum,
    }
