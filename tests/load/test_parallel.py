"""Parsing in several processes gives the same result as in one process."""

import subprocess
import sys
from pathlib import Path

import pytest

from gitgpu.load.parse.parallel import parse_all
from gitgpu.load.parse.quick import restore
from gitgpu.load.text import Text
from gitgpu.source import Mark, Span

ROOT = str(Path(__file__).parents[2])
PROGRAM = """
from gitgpu.load.parse.parallel import parse_all
from gitgpu.load.parse.quick import parse_quickly
from gitgpu.load.text import Text

long = "x: |\\n" + "  long\\n" * 20000
contents = ["a: 1\\nb: [1, {c: null}]\\n", "", "- &x {a: 1.5}\\n- *x\\n", "a: 1\\na: 2\\n", long]
texts = [Text(f"{at}.yaml", contents[at % 5], "") for at in range(40)]
counts = []
found = parse_all(texts, 2, lambda *count: counts.append(count)).documents()
assert counts == sorted(set(counts)) and counts[-1] == (5, 5)
for text in texts:
    documents, faults = parse_quickly(text)
    assert (text.name in found) is (not faults), text
    for ours, theirs in zip(found.get(text.name, ()), () if faults else documents, strict=True):
        assert repr(ours.data) == repr(theirs.data)
        assert ours.start == theirs.start
        for pointer in ((), ("b", 1, "c"), (1, "a"), ("x",)):
            assert ours.places.span(pointer) == theirs.places.span(pointer)
print(len(found))
"""


@pytest.mark.skipif(sys.platform in ("darwin", "win32"), reason="processes are not forked here")
def test_several_processes_give_the_result_of_one_except_for_texts_with_faults() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("32\n", "")


SPLIT = """
import sys
from gitgpu.load.parse.parallel import parse_all
from gitgpu.load.parse.quick import parse_quickly
from gitgpu.load.text import Text

padding = "---\\n" + "".join(f"k{at}: [1, {{c: null}}]\\n" for at in range(10)) + "long: " + "x" * 160_000 + "\\n"
for inside in (
    "# only a comment\\n", "---\\n", "---\\n---\\na: |\\n  1\\n\\n", "---\\na: >-\\n  b\\n  c", "---\\na: 'b\\n  c'\\n",
    "---\\na: !!str 1\\n", "---\\na: &b 1\\nc: *b\\n", "---\\na: 1\\na: 2\\n", "---\\na: [\\n", "---\\n1: a\\n",
    "--- {a: 1}\\n", "<<<<<<< ours\\n", "...\\n", '---\\na: "b\\n\\n  c"\\n', "%YAML 1.1\\n", "---\\n- a\\n-\\n  - b",
):
    text = Text("a.yaml", padding + inside + ("" if inside.endswith("\\n") else "\\n") + padding * 3 + inside, "")
    documents, faults = parse_quickly(text)
    found = parse_all([text], 2).documents()
    assert (text.name in found) is (not faults), inside
    read = lambda some: [(repr(each.data), each.start, each.places.span(("k9", 1))) for each in some if each.data]
    assert read(found.get(text.name, ())) == read([] if faults else documents), inside
    print(len(found.get(text.name, ())), end=" ")
"""


@pytest.mark.skipif(sys.platform in ("darwin", "win32"), reason="processes are not forked here")
def test_processes_share_the_documents_of_a_large_text() -> None:
    done = subprocess.run([sys.executable, "-c", SPLIT], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("4 6 8 6 6 6 6 0 0 6 6 0 4 6 0 6 ", "")


def test_a_little_text_is_parsed_by_this_process() -> None:
    (document,) = parse_all([Text("a.yaml", "a: 1\n", "")], 4).documents()["a.yaml"]
    assert document.data == {"a": 1}


@pytest.mark.parametrize("text", ["- &x {a: 1.5}\n- *x\n", "a: 1\na: 2\n", "a: [\n"])
def test_texts_that_only_pyyaml_can_read_are_left_to_the_caller(text: str) -> None:
    assert parse_all([Text("a.yaml", text, "")], 1).documents() == {}


def test_documents_of_another_process_have_the_places_of_keys_that_become_text() -> None:
    (document,) = restore(Text("a.yaml", "a: 1\n5: !!timestamp 2026-01-01\n", ""), [({"a": 1, "5": "b"}, Mark(0, 0))])
    assert document.places.span(("5",)) == Span("a.yaml", 2, 4)


def test_equal_texts_share_their_data_and_have_their_own_places() -> None:
    by_file = parse_all([Text(name, "a: 1\nb: 2\n", name) for name in ("a.yaml", "b.yaml")], None).documents()
    ((first,), (second,)) = by_file["a.yaml"], by_file["b.yaml"]
    assert first.data is second.data
    assert [each.places.span(("b",)) for each in (first, second)] == [Span("a.yaml", 2, 4), Span("b.yaml", 2, 4)]
