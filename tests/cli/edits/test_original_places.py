"""Locations in edited texts are converted to locations in the original files."""

from gitgpu.cli.edits.original_places import before_edits
from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.load.text import Text
from gitgpu.source import Span
from tests.helping.cases import for_each

OLD, NEW = "a\nb\nc\nd\n", "a\nadded\nb\nchanged\nd\n"


@for_each(
    ("file", "line", "place"),
    [
        ("x.yaml", 1, 1),
        ("x.yaml", 2, 1),
        ("x.yaml", 3, 2),
        ("x.yaml", 4, 3),
        ("x.yaml", 5, 4),
        ("y.yaml", 3, 3),
    ],
)
def test_lines_before_an_edit(file: str, line: int, place: int) -> None:
    diagnostic = Diagnostic("X", Severity.ERROR, "m", "r", Span(file, line, 7))
    texts = [Text("x.yaml", OLD, "x.yaml"), Text("y.yaml", OLD, "y.yaml")]
    [moved] = before_edits([diagnostic], texts, {"x.yaml": Text("x.yaml", NEW, "x.yaml")})
    assert moved.span == Span(file, place, 7)


def test_an_edit_of_each_of_many_clusters() -> None:
    clusters = [f"---\nkind: Cluster\nname: c{number}\nspec:\n  region: swedencentral\n" for number in range(300)]
    old, new = "".join(clusters), "".join(f"{cluster}  stack: {{}}\n" for cluster in clusters)
    diagnostics = [Diagnostic("X", Severity.ERROR, "m", "r", Span("x", 6 * number + 3, 1)) for number in range(300)]
    moved = before_edits(diagnostics, [Text("x", old, "x")], {"x": Text("x", new, "x")})
    assert [each.span.line for each in moved] == [5 * number + 3 for number in range(300)]


@for_each(
    ("old", "new", "places"),
    [
        ("a\nb", "x\na\nb", [1, 1, 2]),
        ("a\nb\nc", "a\nx\ny\nz\nc", [1, 2, 2, 2, 3]),
        ("a\nb\nc\nd", "a\nx\ny\nd", [1, 2, 3, 4]),
        ("a\nb\nc\nd", "a\nx\nd", [1, 2, 4]),
        ("a\nb\nc", "c", [3]),
        ("a", "a\nx\ny", [1, 1, 1]),
    ],
)
def test_the_line_of_each_edited_line(old: str, new: str, places: list[int]) -> None:
    diagnostics = [Diagnostic("X", Severity.ERROR, "m", "r", Span("x", at, 1)) for at in range(1, len(places) + 1)]
    moved = before_edits(diagnostics, [Text("x", old, "x")], {"x": Text("x", new, "x")})
    assert [each.span.line for each in moved] == places
