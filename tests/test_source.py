"""Locations of values: pointers as text, values and keys, and maps of moved and patched documents."""

import pytest

from gitgpu.source import Mark, Pointer, SourceMap, Span, pointer_text
from tests.helping.cases import for_each

# {a: 1, b: {c: 2, d: [3, {e: 4}]}}, but in block style, with a key or an item on each line.
FILE = "x.yaml"
MAP = SourceMap(FILE, Mark(0, 0), {
    "a": (Mark(0, 0), Mark(0, 3), None),
    "b": (Mark(1, 0), Mark(2, 2), {
        "c": (Mark(2, 2), Mark(2, 5), None),
        "d": (Mark(3, 2), Mark(4, 2), [
            (Mark(4, 4), Mark(4, 4), None),
            (Mark(5, 4), Mark(5, 4), {"e": (Mark(5, 4), Mark(5, 7), None)}),
        ]),
    }),
})  # fmt: skip


def place(span: Span) -> tuple[int, int]:
    """The line and column of a span. Asserts that it is in the file of the map."""
    assert span.file == FILE
    return span.line, span.column


@for_each(
    ("pointer", "text"),
    [((), ""), (("spec", "a/b", 0), "/spec/a~1b/0"), (("a~b",), "/a~0b"), (("~1",), "/~01"), (("",), "/")],
)
def test_the_text_of_a_pointer(pointer: Pointer, text: str) -> None:
    assert pointer_text(pointer) == text


@for_each(
    ("pointer", "value", "key"),
    [
        ((), (1, 1), (1, 1)),
        (("a",), (1, 4), (1, 1)),
        (("b", "c"), (3, 6), (3, 3)),
        (("b", "d"), (5, 3), (4, 3)),
        (("b", "d", 0), (5, 5), (5, 5)),
        (("b", "d", 1, "e"), (6, 8), (6, 5)),
        (("b", "absent", "c"), (3, 3), (2, 1)),  # absent: the place of the nearest parent
        (("b", "d", 2), (5, 3), (4, 3)),
        (("b", "d", -1), (5, 3), (4, 3)),
        (("b", "d", "e"), (5, 3), (4, 3)),
        (("a", "c"), (1, 4), (1, 1)),
    ],
)
def test_the_place_of_a_value_and_of_its_key(pointer: Pointer, value: tuple[int, int], key: tuple[int, int]) -> None:
    assert (place(MAP.span(pointer)), place(MAP.span(pointer, key=True))) == (value, key)


@for_each(
    ("pointer", "has"),
    [
        ((), False),
        (("a",), True),
        (("b",), True),
        (("b", "c"), True),
        (("b", "absent"), False),
        (("absent", "c"), False),
        (("b", "d", 0), True),
        (("b", "d", 2), False),
    ],
)
def test_a_value_has_a_place_if_it_is_written_apart_from_its_parent(pointer: Pointer, has: bool) -> None:
    assert MAP.has(pointer) is has


@pytest.mark.parametrize(("value", "has"), [(Mark(2, 3), False), (Mark(2, 4), True), (Mark(3, 3), True)])
def test_a_value_at_the_place_of_its_parent_has_none(value: Mark, has: bool) -> None:
    marks = {"a": (Mark(2, 0), Mark(2, 3), {"b": (value, value, None)})}
    assert SourceMap(FILE, Mark(0, 0), marks).has(("a", "b")) is has


def test_a_value_with_one_place_has_it_everywhere() -> None:
    source_map = SourceMap.of(Span(FILE, 7, 3))
    assert place(source_map.span()) == place(source_map.span(("a", 0), key=True)) == (7, 3)
    assert not source_map.has(("a",))


def test_a_moved_part_keeps_its_places_and_everything_else_is_at_the_start() -> None:
    lent = MAP.move(("b", "d"), ("spec", "list"))
    assert place(lent.span(("spec", "list", 1, "e"))) == (6, 8)
    assert place(lent.span(("spec", "list"), key=True)) == (4, 3)
    assert place(lent.span(("spec",))) == place(lent.span(("spec", "other"))) == place(lent.span()) == (1, 1)
    assert place(MAP.move(("absent", "d"), ("spec",)).span(("spec", "d"))) == (1, 1)
    assert place(MAP.move(("b",), ()).span(("c",))) == (3, 6)


PATCH = {"b": {"c": 9, "d": None, "new": {"f": 1}}, "x": 1}
MARKS = {"patch": (Mark(9, 0), Mark(10, 2), {
    "b": (Mark(10, 2), Mark(11, 4), {
        "c": (Mark(11, 4), Mark(11, 7), None),
        "d": (Mark(12, 4), Mark(12, 7), None),
        "new": (Mark(13, 4), Mark(14, 6), {"f": (Mark(14, 6), Mark(14, 9), None)}),
    }),
})}  # fmt: skip


def test_values_of_a_patch_have_their_places_in_the_patch() -> None:
    both = SourceMap(FILE, Mark(0, 0), {**MAP.marks, **MARKS})
    patched = both.patch((), ("patch",), PATCH)
    assert place(patched.span(("b", "c"))) == (12, 8)
    assert place(patched.span(("b", "d"))) == (13, 8)  # the null that removes it
    assert place(patched.span(("b", "new", "f"))) == (15, 10)
    assert place(patched.span(("b",), key=True)) == (11, 3)
    assert place(patched.span(("a",))) == (1, 4)
    assert place(patched.span(("x",))) == (1, 1)  # no mark in the patch


def test_a_patch_below_a_key_keeps_the_places_beside_it() -> None:
    both = SourceMap(FILE, Mark(0, 0), {**MAP.marks, **MARKS})
    patched = both.patch(("b",), ("patch", "b"), PATCH["b"])
    assert place(patched.span(("b", "c"))) == (12, 8)
    assert place(patched.span(("b", "new", "f"))) == (15, 10)
    assert place(patched.span(("a",))) == (1, 4)
    assert place(patched.span(("b",), key=True)) == (2, 1)
    assert both.patch(("absent",), ("patch", "b"), PATCH["b"]) == both
    assert both.patch(("a", "c"), ("patch", "b"), PATCH["b"]) == both
    whole = both.patch(("b", "d"), ("patch", "b", "c"), 9)
    assert not whole.has(("b", "d", 0))  # the list is replaced


def test_moving_an_absent_part_gives_the_place_of_the_whole() -> None:
    lent = MAP.move(("absent", "below"), ("x", "y"))
    assert [place(lent.span(pointer)) for pointer in ((), ("x",), ("x", "y"), ("x", "y", "z"))] == [(1, 1)] * 4
    assert place(MAP.move(("b",), ()).span(("c",))) == (3, 6)
    assert place(MAP.move(("b", "d", 1), ("x",)).span(("x", "e"), key=True)) == (6, 5)
    assert place(MAP.move(("absent",), ()).span(("c",))) == (1, 1)


@for_each(
    ("patch", "marks", "pointer", "expected"),
    [
        ({"c": 9}, {"c": (Mark(20, 0), Mark(20, 3), None)}, ("b", "c"), (21, 4)),
        ({"c": 9}, {"c": (Mark(20, 0), Mark(20, 3), None)}, ("b", "d", 0), (5, 5)),  # not patched
        ({"c": 9}, None, ("b", "c"), (3, 3)),  # a patch without marks inside it
        ([9], {"c": (Mark(20, 0), Mark(20, 3), None)}, ("b", "c"), (21, 4)),
        ({"c": 9, "n": 1}, {"c": (Mark(20, 0), Mark(20, 3), None)}, ("b", "n"), (3, 3)),
        ({"n": {"m": 1}}, {"n": (Mark(21, 0), Mark(21, 3), {"m": (Mark(22, 0), Mark(22, 3), None)})}, ("b", "n", "m"),
         (23, 4)),
        ({"a": 1}, {"a": (Mark(21, 0), Mark(21, 3), None)}, ("a",), (1, 4)),
    ],
)  # fmt: skip
def test_the_places_of_a_patched_value(
    patch: object, marks: object, pointer: Pointer, expected: tuple[int, int]
) -> None:
    over = MAP._replace(marks={**MAP.marks, "patch": (Mark(19, 0), Mark(19, 0), marks)})
    assert place(over.patch(("b",), ("patch",), patch).span(pointer)) == expected


def test_a_patch_of_an_absent_value_changes_no_place() -> None:
    over = MAP._replace(
        marks={**MAP.marks, "patch": (Mark(19, 0), Mark(19, 0), {"c": (Mark(20, 0), Mark(20, 0), None)})}
    )
    for at in (("absent",), ("b", "absent"), ("a", "c"), ("b", "d", 0)):
        assert over.patch(at, ("patch",), {"c": 1}).span(("b", "c")) == MAP.span(("b", "c"))
    whole = over.patch((), ("patch",), {"c": 1})
    assert (place(whole.span(("c",))), place(whole.span(("a",)))) == ((21, 1), (1, 4))
    assert over.patch(("b",), ("absent", "more"), {"c": 1}).span(("b", "c")).file == FILE
