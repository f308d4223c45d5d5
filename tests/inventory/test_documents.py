"""The documents in a text, and their places."""

from typing import Any

from gitgpu.inventory.documents import documents
from gitgpu.load.text import Text
from tests.helping.cases import for_each

LONG = "x" * 2000  # YAML has shorter keys


@for_each(
    ("content", "data", "places"),
    [
        ("a: 1\n", [{"a": 1}], ["a:1:1"]),
        ("# nothing\n---\n---\na: 1\n---\n", [{"a": 1}], ["a:4:1"]),
        ('{"a": 1}', [{"a": 1}], ["a:1:1"]),
        ('\n{"a": 1}\n\n[2]\n', [{"a": 1}, [2]], ["a:2:1", "a:4:1"]),
        ('{"a": 1}{"b": 2}', [{"a": 1}, {"b": 2}], ["a:1:1", "a:1:1"]),
        (f'\n\n {{"{LONG}": 1}}', [{LONG: 1}], ["a:3:1"]),
        ("{a: 1}\n", [{"a": 1}], ["a:1:1"]),
        ('\x1b[34m{\x1b[0m"a": 1}', [{"a": 1}], ["a:1:1"]),
        ('{"a": 1}\n{"b"', [{"a": 1}], ["a:1:1"]),
    ],
)  # fmt: skip
def test_the_documents_of_a_text(content: str, data: list[Any], places: list[str]) -> None:
    found, _ = documents(Text("a", content, "a"))
    assert [document.data for document in found] == data
    assert [str(document.places.span()) for document in found] == places


def test_a_value_in_a_later_document_has_its_line() -> None:
    _, second = documents(Text("a", '{"a": 1}\n{\n  "b": 2}', "a"))[0]
    assert [str(second.places.span(("b",), key=key)) for key in (True, False)] == ["a:3:3", "a:3:8"]


def test_nesting_that_is_too_deep_has_its_line() -> None:
    deep = "[" * 300 + "]" * 300
    found, (fault,) = documents(Text("a", f'{{"a": 1}}\n\n{{"b":\n{deep}}}', "a"))
    assert [document.data for document in found] == [{"a": 1}]
    assert (fault.code, fault.span.line) == ("YML005", 4)
