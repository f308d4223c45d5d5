"""A template in a language that the ApplicationSet does not use."""

import re
from collections.abc import Iterator

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import APPLICATION_SET
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.source import Pointer

_TEMPLATE: Pointer = ("spec", "template")
_FIELDS: tuple[Pointer, ...] = (
    ("metadata", "name"),
    ("spec", "destination", "name"),
    ("spec", "destination", "namespace"),
    ("spec", "destination", "server"),
    ("spec", "project"),
    ("spec", "source", "path"),
    ("spec", "source", "repoURL"),
    ("spec", "source", "targetRevision"),
    ("spec", "sourceHydrator", "drySource", "path"),
    ("spec", "sourceHydrator", "drySource", "repoURL"),
    ("spec", "sourceHydrator", "drySource", "targetRevision"),
    ("spec", "sourceHydrator", "syncSource", "path"),
    ("spec", "sourceHydrator", "syncSource", "targetBranch"),
)
# Without goTemplate, Argo CD fills in {{name}} (fasttemplate); with it, {{.name}} (text/template of Go).
_FASTTEMPLATE = re.compile(r"\{\{-?\s*([A-Za-z_][\w-]*(?:[.][\w.\[\]-]+)?)\s*-?\}\}", re.ASCII)
# A parameter as Go templates write it: {{ .name }}.
_GO = re.compile(r"\{\{-?\s*(\.[\w.]+)\s*-?\}\}", re.ASCII)
_WORDS = ("else", "end", "break", "continue", "now", "uuidv4")  # keywords and functions of Go templates without a dot


def _check(objects: Objects) -> Iterator[Finding]:
    for item in objects.of(*APPLICATION_SET):
        is_go = reach(item.body, "spec", "goTemplate") is True
        for field in _FIELDS:
            text = reach(item.body, *_TEMPLATE, *field)
            wrong_syntax = _FASTTEMPLATE if is_go else _GO
            match = wrong_syntax.search(text) if isinstance(text, str) else None
            if match and match[1] not in _WORDS:
                state = "on" if is_go else "off"
                message = f"{match[0]} is not a parameter when goTemplate is {state}"
                remedy = f"use {{{{.{match[1]}}}}}" if is_go else "set goTemplate: true in spec"
                yield Finding(item, (*_TEMPLATE, *field), message, remedy)


RULE = Rule(
    code="GIT010",
    name="wrong-application-set-template",
    severity=Severity.ERROR,
    summary="An ApplicationSet uses {{name}} with Go templates on, or {{.name}} with Go templates off.",
    help="With Go templates on, the controller fails. With Go templates off, the braces stay in the Application.",
    sources=(
        "https://github.com/argoproj/argo-cd/blob/109ca7ca71139e514114499d294a492e7910a965/docs/operator-manual/applicationset/GoTemplate.md",
        "https://argo-cd.readthedocs.io/en/stable/operator-manual/applicationset/Template/",
    ),
    check=_check,
)
