"""A diagnosis as one HTML page without scripts or external resources."""

from gitgpu.diagnose.diagnosis import Diagnosis, Group
from gitgpu.report.diagnosis.sentences import SHOWN, headline, summary
from gitgpu.report.html.document import document
from gitgpu.report.html.markup import escape


def page(diagnosis: Diagnosis) -> str:
    """The page."""
    groups = "".join(map(_group, diagnosis.groups)) or "<p>Nothing waits, and nothing is wrong.</p>\n"
    missing = "".join(f"<li>{escape(row.kind)}: {escape(row.decides)}</li>" for row in diagnosis.missing)
    lacks = f"<h2>Not in the dump, so it is not known</h2>\n<ul>{missing}</ul>\n" if missing else ""
    body = f"<header><h1>What is wrong on the cluster?</h1></header>\n<p>{escape(summary(diagnosis))}</p>\n"
    return document("gitgpu diagnose", f"{body}{groups}{lacks}")


def _group(group: Group) -> str:
    cause = group.cause
    look = "schedulable" if cause.normal else "unschedulable"
    shown = group.evidence[:SHOWN]
    evidence = "".join(f"<li><em>{escape(entry.object)}: {escape(entry.text)}</em></li>" for entry in shown)
    commands = "".join(f"<br><code>{escape(command)}</code>" for command in cause.commands)
    rules = f"<br>Rules: {escape(', '.join(cause.rules))}" if cause.rules else ""
    return (
        f'<article class="{look}"><h3>{escape(cause.verdict)}: {escape(cause.message)}</h3>\n'
        f"<p>{escape(headline(group))}</p>\n<ul>{evidence}</ul>\n"
        f"<p>{escape(cause.remedy)}{commands}{rules}</p></article>\n"
    )
