"""Where a comment that suppresses a finding can be written."""

from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.editor.fixes import allowed_text
from gitgpu.source import Span
from tests.helping.cases import for_each

BLOCK = "a: |\n  one\n  two\nb: 1\n"


@for_each(
    ("text", "line", "expected"),
    [
        ("a: 1\nb: 2\n", 1, "a: 1  # gitgpu: ignore[NPL010] REASON\nb: 2\n"),
        ("a: 1\r\nb: 2\r\n", 1, "a: 1  # gitgpu: ignore[NPL010] REASON\r\nb: 2\r\n"),
        ("a: 1", 1, "a: 1  # gitgpu: ignore[NPL010] REASON"),
        ("a: 1 # gitgpu: ignore[SKU001] why\n", 1, "a: 1 # gitgpu: ignore[SKU001, NPL010] why\n"),
        ("a: 1  # a note\n", 1, "# gitgpu: ignore[NPL010] REASON\na: 1  # a note\n"),
        ("a:\n  b: 1  # a note\n", 2, "a:\n  # gitgpu: ignore[NPL010] REASON\n  b: 1  # a note\n"),
        (BLOCK, 1, BLOCK.replace("|", "|  # gitgpu: ignore[NPL010] REASON")),
        (BLOCK, 2, BLOCK),
        ('a: "one\n  two"\n', 1, '# gitgpu: ignore[NPL010] REASON\na: "one\n  two"\n'),
        ("a: 1\n", 0, "a: 1\n"),
        ("a: 1\n", 9, "a: 1\n"),
    ],
)
def test_a_comment_is_written_where_it_suppresses(text: str, line: int, expected: str) -> None:
    finding = Diagnostic("NPL010", Severity.WARNING, "m", "h", Span("f", line, 1))
    assert allowed_text(text, finding) == expected
