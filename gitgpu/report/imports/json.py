"""For programs: every object and field that was read, and its outcome, in the versioned envelope."""

from collections import Counter
from typing import Any

from gitgpu.adopt.adoption import Fate, Inferred
from gitgpu.adopt.first_build.software_change import Effect, SoftwareChange
from gitgpu.adopt.verdict import PoolVerdict
from gitgpu.report.envelope import envelope
from gitgpu.report.findings import Style
from gitgpu.report.imported import ImportFormat, ImportReport, Reported
from gitgpu.report.result import result
from gitgpu.source import Span, pointer_text

_EFFECTS = {
    Effect.STARTS: "start",
    Effect.STOPS: "stop",
    Effect.RESTARTS: "restart",
    Effect.REPLACED: "replace",
    Effect.UPGRADES: "upgrade",
    Effect.DOWNGRADES: "downgrade",
    Effect.CHANGES: "change",
}
_KEYS = {
    Fate.ADOPTED: "adopted",
    Fate.CHANGED: "changed",
    Fate.LEFT: "left",
    Fate.INEXPRESSIBLE: "notAdopted",
    Fate.INFERRED: "inferred",
    Fate.WRONG: "wrongAlready",
}


def _render(report: ImportReport, _style: Style) -> str:
    counts = Counter(_KEYS[reported.outcome.fate] for reported in report.outcomes)
    content = {
        "directory": report.folder,
        "files": [{"path": path, "text": dict(report.texts).get(path)} for path in report.written],
        "pools": [_pool(verdict, report.software_of(verdict)) for verdict in report.verdicts],
        "software": list(map(_software, report.software)),
        "outcomes": [_outcome(reported) for reported in report.outcomes],
        "fillIn": list(map(_key, report.missing)),
        "inferred": list(map(_key, report.evident)),
        "replaced": [
            {
                "object": entry.observed.name,
                **_place(entry.observed.places.span()),
                "by": entry.by,
                "steps": list(entry.steps),
            }
            for entry in report.replaced
        ],
        "passedOver": [{"name": entry.name, **_place(entry.span), "reason": entry.reason} for entry in report.skipped],
        "findings": [result(finding) for finding in report.findings],
        "summary": {
            "pools": len(report.verdicts),
            "poolsThatLoseNodes": sum(verdict.word == "replace" for verdict in report.verdicts),
            "poolsWithChangedSoftware": sum(report.software_of(verdict) == "change" for verdict in report.verdicts),
            **{key: counts[key] for key in _KEYS.values()},
        },
    }
    return envelope("Import", content)


def _software(change: SoftwareChange) -> dict[str, Any]:
    return {
        "cluster": change.cluster,
        "object": change.title,
        **_place(change.span),
        "effect": _EFFECTS[change.effect],
        "parts": list(change.parts),
        "pools": list(change.pools),
        "reason": change.reason,
        "avoid": change.avoid or None,
        "certain": change.certain,
    }


def _pool(verdict: PoolVerdict, software: str) -> dict[str, Any]:
    return {
        "cluster": verdict.cluster,
        "kind": verdict.change.of,
        "name": verdict.change.name,
        "nodes": verdict.word,
        "software": software,
        "reason": verdict.reason,
    }


def _key(value: Inferred) -> dict[str, Any]:
    kind, name = value.document
    return {"kind": kind, "name": name, "key": ".".join(value.key), "reason": value.reason}


def _outcome(reported: Reported) -> dict[str, Any]:
    outcome = reported.outcome
    spec = None
    if outcome.into:
        kind, name, pointer, *_ = outcome.into
        spec = {"kind": kind, "name": name, "pointer": pointer_text(pointer), **_place(reported.spec)}
    return {
        "object": outcome.observed.name,
        **_place(reported.place),
        "pointer": pointer_text(outcome.pointer),
        "outcome": _KEYS[outcome.fate],
        "reason": outcome.reason or None,
        "spec": spec,
    }


def _place(span: Span | None) -> dict[str, Any]:
    if span is None:
        return {"file": None, "line": None}
    return {"file": span.file, "line": span.line or None}


FORMAT = ImportFormat("json", _render)
