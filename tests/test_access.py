"""Parts of a value that may be absent."""

from gitgpu.access import children, has, list_at, reach, rows, text_at, value_at
from gitgpu.model.names.kinds import group_kind
from tests.helping.cases import for_each


def test_parts_of_a_value_of_any_shape() -> None:
    value = {"a": {"b": [{"c": 1}, 5, None], "d": "text", "e": None}, "apiVersion": "g/v1", "kind": "K"}
    assert (reach(value, "a", "d"), reach(value, "a", "d", "x"), reach([], "a"), reach(value)) == (
        "text",
        None,
        None,
        value,
    )
    assert (text_at(value, "a", "d"), text_at(value, "a", "b"), text_at(value, "x")) == ("text", "", "")
    assert (rows(value, "a", "b"), rows(value, "a", "d"), rows(None)) == ([{"c": 1}], [], [])
    assert (list_at(value, "a", "b"), list_at(value, "a")) == ([{"c": 1}, 5, None], [])
    assert [has(value, path) for path in (("a", "e"), ("a", "b", 2), ("a", "b", 3), ("a", "b", "0"), ("a", "d",
    0))] == [
        True, True, False, False, False,
    ]  # fmt: skip
    assert (value_at(value, ("a", "b", 0, "c")), group_kind(value), group_kind({})) == (1, ("g", "K"), ("", "None"))
    assert group_kind({"apiVersion": "v1", "kind": "Pod"}) == ("", "Pod")


def test_children_of_any_value() -> None:
    assert list(children({"a": None, "b": 1})) == [("a", None), ("b", 1)]
    assert list(children(["x", "y"])) == [(0, "x"), (1, "y")]
    assert [list(children(value)) for value in (None, "text", 5)] == [[], [], []]


@for_each(
    ("path", "expected"),
    [
        ((), True),
        (("a",), True),
        (("a", "b"), True),
        (("a", "x"), False),
        (("a", "b", "c"), False),
        (("list", 0), True),
        (("list", 1, "d"), True),
        (("list", 2), False),
        (("list", "d"), False),
        (("a", 0), False),
        (("null",), True),
    ],
)
def test_whether_a_value_is_set(path: tuple[str | int, ...], *, expected: bool) -> None:
    assert has({"a": {"b": 1}, "list": [0, {"d": 1}], "null": None}, path) is expected
