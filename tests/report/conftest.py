"""Findings that every output format must be able to show."""

import pytest

from gitgpu.diagnostic import Diagnostic, ObjectRef, Severity
from gitgpu.report.findings import Findings
from gitgpu.source import Span
from tests.rules.invented.no_such_size import RULE

FLEET = "\n".join(
    (
        "apiVersion: gitgpu.dev/v1alpha1",
        "kind: GpuPool",
        "metadata: {name: größe-日本, labels: {名前: 訓練}}  # e\u0301te\u0301",
        "spec:",
        "\tsku:\tStandard_NC4as",
        "  sku: " + "A" * 150 + "!" + "B" * 150,
        "  note: a|b `c` <d> & \u202egnp.exe",
    )
)

TRICKY = (
    Diagnostic("FLT001", Severity.ERROR, "no Fleet document was found", "Add one.", Span("")),
    Diagnostic("YAM001", Severity.WARNING, "the file is empty", "", Span("dir with space/ü,a:b;c]#%.yaml")),
    Diagnostic(
        "SKU004",
        Severity.ERROR,
        "größe-日本 is not a size\nthat Azure offers",
        "Take `Standard_NC4as_T4_v3`,\nor ask for <more> & wait.",
        Span("fleet.yaml", 3, 27),
        "/metadata/labels/名前",
        ObjectRef("GpuPool", "", "größe-日本"),
    ),
    Diagnostic("YAM002", Severity.ERROR, "a tab\tcannot indent", "Use blanks.", Span("fleet.yaml", 5, 2), "/spec"),
    Diagnostic("SKU005", Severity.WARNING, "100% too long", "Shorten it.", Span("fleet.yaml", 6, 158), "/spec/sku"),
    Diagnostic(
        "TXT001",
        Severity.INFO,
        "\"a|b\" 'c' `d` [e](f) 50%; ] <g> & *h* ::error:: ##vso[task.setvariable]x \x1b[31m\x07 \u202e",
        "Say it, with: fewer; signs, [please].",
        Span("fleet.yaml", 7, 9),
        "/spec/a~1b/0",
        ObjectRef("Deployment", "serving", "ranker"),
    ),
    Diagnostic("END001", Severity.ERROR, "beyond the end of the file", "", Span("fleet.yaml", 99, 1)),
    Diagnostic("END001", Severity.ERROR, "beyond the end of the line", "", Span("fleet.yaml", 4, 40)),
)


@pytest.fixture
def tricky() -> Findings:
    """Faults with everything that can break a format."""
    sources = {"fleet.yaml": FLEET, "good.yaml": "kind: Fleet\n"}
    return Findings(TRICKY, files=3, objects=5, sources=sources, rules=lambda: {"SKU004": RULE})


@pytest.fixture
def empty() -> Findings:
    """A run without a fault."""
    return Findings((), files=1, objects=4, sources={"fleet.yaml": FLEET})
