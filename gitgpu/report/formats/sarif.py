"""For code scanning: SARIF 2.1.0, as GitHub and other viewers read it."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any
from urllib.parse import quote

from gitgpu import __version__
from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.report.envelope import as_json
from gitgpu.report.findings import Findings, Style, worst_first
from gitgpu.report.format import Format
from gitgpu.report.reference.faults import faults
from gitgpu.report.reference.pages import FAULTS, HOME, rule_page
from gitgpu.report.reference.rules import markdown
from gitgpu.rule import AnyRule

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_MAX_RESULTS = 25_000  # GitHub rejects a run that has more
_ROOT = "%SRCROOT%"  # the name of the root of the repository in GitHub's documentation
_LEVEL = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}


def _render(findings: Findings, _style: Style) -> str:
    log = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [_run(findings)]}
    return as_json(log)


def _run(findings: Findings) -> dict[str, Any]:
    kept = worst_first(findings)[:_MAX_RESULTS]
    codes = sorted({diagnostic.code for diagnostic in kept})
    pairs = zip(kept, _fingerprints(kept), strict=True)
    return {
        "tool": {"driver": _driver(codes, findings.rules())},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {_ROOT: {"description": {"text": "The root of the Git work tree."}}},
        "invocations": [_invocation(len(findings.diagnostics) + len(findings.left_out) - len(kept))],
        "results": [_result(diagnostic, codes, mark) for diagnostic, mark in pairs],
    }


def _driver(codes: Sequence[str], rules: Mapping[str, AnyRule]) -> dict[str, Any]:
    described = [_rule(code, rules.get(code)) for code in codes]
    return {"name": "gitgpu", "informationUri": HOME, "semanticVersion": __version__, "rules": described}


def _rule(code: str, rule: AnyRule | None) -> dict[str, Any]:
    """Everything about a rule: viewers have no other source for it."""
    if rule is None:
        fault = next((fault for fault in faults() if fault.code == code), None)
        summary, remedy = (fault.summary, fault.help) if fault else (code, code)
        texts = {"shortDescription": summary, "fullDescription": summary, "help": remedy}
        return {
            "id": code,
            "helpUri": FAULTS,
            **{key: {"text": text} for key, text in texts.items()},
        }
    former = {"deprecatedIds": list(rule.replaces)} if rule.replaces else {}
    return {
        "id": code,
        **former,
        "name": rule.name,
        "helpUri": rule_page(code),
        "shortDescription": {"text": rule.summary},
        "fullDescription": {"text": f"{rule.summary} {rule.help}"},
        "help": {"text": rule.help, "markdown": markdown(rule)},
        "defaultConfiguration": {"level": _LEVEL[rule.severity]},
    }


def _invocation(left_out: int) -> dict[str, Any]:
    if not left_out:
        return {"executionSuccessful": True}
    text = f"{left_out:,} less severe results omitted."
    note = {"level": "warning", "message": {"text": text}}
    return {"executionSuccessful": True, "toolExecutionNotifications": [note]}


def _result(diagnostic: Diagnostic, codes: Sequence[str], mark: str) -> dict[str, Any]:
    text = f"{diagnostic.message}\n{diagnostic.help}".strip()
    return {
        "ruleId": diagnostic.code,
        "ruleIndex": codes.index(diagnostic.code),
        "level": _LEVEL[diagnostic.severity],
        # "[a](b)" would become a link, and quoted text is not meant as one.
        "message": {"text": text.replace("](", "] (") or diagnostic.code},
        "locations": [_location(diagnostic)],
        "partialFingerprints": {"gitgpuIdentity/v1": mark},
    }


def _location(diagnostic: Diagnostic) -> dict[str, Any]:
    span, owner = diagnostic.span, diagnostic.object
    # There is always a location, at least the root of the tree: otherwise GitHub rejects the whole file.
    region = {"startLine": max(span.line, 1), "startColumn": max(span.column, 1)}
    physical = {"artifactLocation": _artifact(span.file), "region": region}
    if not owner.name:
        return {"physicalLocation": physical}
    logical = {"name": owner.name, "fullyQualifiedName": "/".join(filter(None, owner)), "kind": "object"}
    return {"physicalLocation": physical, "logicalLocations": [logical]}


def _artifact(file: str) -> dict[str, str]:
    if file.startswith("/"):
        return {"uri": "file://" + _quoted(file)}
    # A finding without a file is at the root of the tree.
    return {"uri": _quoted(file.removeprefix("./")) or ".", "uriBaseId": _ROOT}


def _quoted(path: str) -> str:
    # The name of a file that is not UTF-8 has surrogates.
    return quote(path, errors="backslashreplace")


def _fingerprints(diagnostics: Sequence[Diagnostic]) -> Iterator[str]:
    """What stays the same if lines move: code, object and pointer, and a number to distinguish equal findings."""
    seen: Counter[str] = Counter()
    for diagnostic in diagnostics:
        owner = diagnostic.object if diagnostic.object.name else (diagnostic.span.file,)
        identity = "\0".join((diagnostic.code, *owner, diagnostic.pointer))
        seen[identity] += 1
        digest = sha256(identity.encode("utf-8", "backslashreplace")).hexdigest()[:16]
        yield f"{digest}:{seen[identity]}"


FORMAT = Format("sarif", _render)
