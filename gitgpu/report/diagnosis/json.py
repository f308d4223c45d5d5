"""A diagnosis for programs: the envelope that schemas/report.schema.json describes."""

from typing import Any

from gitgpu.diagnose.cause import Answer
from gitgpu.diagnose.diagnosis import Diagnosis, Group
from gitgpu.report.envelope import envelope


def as_json(diagnosis: Diagnosis) -> str:
    """The text of the envelope."""
    content = {
        "causes": [_cause(group) for group in diagnosis.groups],
        "pending": diagnosis.pending,
        "nodes": diagnosis.nodes,
        "missing": [{"kind": missing.kind, "decides": missing.decides} for missing in diagnosis.missing],
        "unread": [
            {"code": fault.code, "message": fault.message, "help": fault.help, "file": fault.span.file}
            for fault in diagnosis.unread
        ],
    }
    return envelope("Diagnosis", content)


def _cause(group: Group) -> dict[str, Any]:
    cause = group.cause
    return {
        "verdict": cause.verdict,
        "normal": cause.normal,
        "message": cause.message,
        "help": cause.remedy,
        "commands": list(cause.commands),
        "rules": list(cause.rules),
        "minutes": group.minutes,
        "nodes": list(group.nodes),
        "subjects": [_subject(answer) for answer in group.answers],
        "evidence": [{"object": entry.object, "text": entry.text} for entry in group.evidence],
    }


def _subject(answer: Answer) -> dict[str, Any]:
    subject = answer.subject
    return {
        "kind": subject.kind,
        "namespace": subject.namespace,
        "name": subject.name,
        "verdict": answer.cause.verdict,
        "minutes": answer.minutes,
        "nodes": list(answer.nodes),
    }
