"""Faults as values: their order, their severity, and fixes by pointer."""

from itertools import permutations

from gitgpu.diagnostic import Change, Diagnostic, Edit, ObjectRef, Repair, Severity, errors, in_order, worst
from gitgpu.source import Mark, SourceMap, Span
from tests.helping.cases import for_each

MAP = SourceMap("a.yaml", Mark(0, 0), {
    "spec": (Mark(1, 0), Mark(2, 2), {"mode": (Mark(2, 2), Mark(2, 8), None)}),
})  # fmt: skip
FIRST = Diagnostic("NPL010", Severity.WARNING, "wrong", "fix it", Span("a.yaml", 3, 1))


@for_each(
    ("repair", "expected"),
    [
        (Repair(Change.VALUE, ("spec", "mode"), "x"), Edit(Change.VALUE, Span("a.yaml", 3, 9), "x")),
        (Repair(Change.QUOTE, ("spec", "mode")), Edit(Change.QUOTE, Span("a.yaml", 3, 9))),
        (Repair(Change.KEY, ("spec", "mode"), "y"), Edit(Change.KEY, Span("a.yaml", 3, 3), "y")),
        (Repair(Change.ADD, ("spec",), "1", "k"), Edit(Change.ADD, Span("a.yaml", 3, 3), "1", "k")),
        (
            Repair(Change.MOVE, ("spec", "mode"), target=()),
            Edit(Change.MOVE, Span("a.yaml", 3, 3), target=Span("a.yaml", 1, 1)),
        ),
    ],
)
def test_a_fix_by_pointer_becomes_an_edit_at_a_place(repair: Repair, expected: Edit) -> None:
    assert repair.edit(MAP) == expected


def test_findings_are_sorted_by_place_code_pointer_and_message_without_duplicates() -> None:
    expected = (
        FIRST,
        FIRST._replace(message="wrong too"),
        FIRST._replace(pointer="/spec", message="before"),
        FIRST._replace(code="NPL011", message="before"),
        FIRST._replace(code="ABC001", span=Span("a.yaml", 3, 2)),
        FIRST._replace(code="ABC001", span=Span("a.yaml", 10, 1)),
        FIRST._replace(code="ABC001", span=Span("b.yaml", 1, 1)),
    )
    for diagnostics in list(permutations(expected, 7))[::97]:
        assert in_order([*diagnostics, *diagnostics]) == expected


@for_each(
    ("given", "expected"),
    [
        ((), None),
        (("info",), "info"),
        (("info", "warning"), "warning"),
        (("warning", "info", "error", "warning"), "error"),
        (("error",), "error"),
    ],
)
def test_the_worst_severity(given: tuple[str, ...], expected: str | None) -> None:
    diagnostics = [FIRST._replace(severity=Severity(severity)) for severity in given]
    assert worst(diagnostics) == expected
    assert errors(diagnostics) == [
        diagnostic for diagnostic, severity in zip(diagnostics, given, strict=True) if severity == "error"
    ]


def test_the_defaults_of_a_fault() -> None:
    assert (FIRST.pointer, FIRST.object, FIRST.edit) == ("", ObjectRef("", "", ""), None)
