"""Places that are found line by line are those of PyYAML."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gitgpu.load.parse.lazy_source_map import LazySourceMap
from gitgpu.load.parse.plain_places import place
from gitgpu.load.parse.quick import parse_quickly
from gitgpu.load.parse.yaml import parse
from gitgpu.load.text import Text
from gitgpu.source import Pointer, Span

ROOT = Path(__file__).parents[3]
BLOCKS = """\
# a comment
a: 1 # x
'b c':
  d:

    # a comment
    e: "f: g"
  l:
  - m: 1
    o: |
      p: q
      # r
        s
    t: u
  -   - v
      - w: x
      -
  - y
  z: 'it''s
    more'
a1:
- b1
-   c1:   d1
e1:
---\x20\x20

f1:
    g1: [h1, {i1: j1}]
    k1: {}
    l1: m1
      n1 o1
    p1:
"""


def pointers(data: Any) -> Iterator[Pointer]:
    """Every pointer to a value, and some to values that are not there."""
    yield from ((), ("none",), (0,), (99, "none"))
    below = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in below:
        yield from ((key, *pointer) for pointer in pointers(value))


def found(content: str) -> Iterator[tuple[Pointer, Span | None, Span | None]]:
    """Each pointer of each document with the places of key and value; None if PyYAML has to find them."""
    text = Text("f.yaml", content, "f.yaml")
    for quick, (data, places) in zip(parse_quickly(text)[0], parse(text, as_json=True)[0], strict=True):
        assert isinstance(quick.places, LazySourceMap)
        assert quick.start
        for pointer in pointers(data):
            ours = place(content.split("\n"), quick.start, pointer)
            if ours is None:
                yield pointer, None, None
                continue
            key, value = (Span("f.yaml", mark.line + 1, mark.column + 1) for mark in ours)
            assert (key, value) == (places.span(pointer, key=True), places.span(pointer)), pointer
            yield pointer, key, value


@pytest.mark.parametrize("content", [BLOCKS, (ROOT / "fleet.yaml").read_text()], ids=["blocks", "fleet"])
def test_places_are_those_of_pyyaml(content: str) -> None:
    assert len(list(found(content))) > 100


def test_pyyaml_finds_what_is_in_brackets_and_what_is_not_on_the_line_of_its_key() -> None:
    written = {pointer for pointer, key, _ in found(BLOCKS) if key is None and not {"none", 0, 99} & {*pointer[-1:]}}
    assert written == {("b c", "l", 1, 2), ("f1", "g1", 1), ("f1", "g1", 1, "i1"), ("f1", "p1"), ("e1",)}


def test_documents_with_a_place_in_brackets_are_read_alone_until_they_are_many() -> None:
    text = Text("f.yaml", "".join(f"---\n# {number}\n\na: {{b: {number},\n  c: d}}\n" for number in range(9)), "f.yaml")
    documents, expected = parse_quickly(text)[0], parse(text, as_json=True)[0]
    whole: list[bool] = []
    for quick, (data, places) in zip(documents, expected, strict=True):
        assert isinstance(quick.places, LazySourceMap)
        for pointer in pointers(data):
            assert quick.places.span(pointer) == places.span(pointer), pointer
        whole.append(bool(quick.places.text_maps.maps))
    assert whole == [False] * 4 + [True] * 5
