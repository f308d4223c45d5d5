"""Values written into YAML text: the data is as intended, and all other characters are unchanged."""

from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from gitgpu.diagnostic import Diagnostic
from gitgpu.load.parse.yaml import parse
from gitgpu.load.spec.shape import Document
from gitgpu.load.text import Text
from gitgpu.runs.amend import Absent, Assignment, amend
from gitgpu.source import Pointer
from tests.helping.cases import for_each

OPERATOR: Pointer = ("spec", "stack", "versions", "gpu-operator")


def documents(content: str) -> list[Document]:
    """The documents of a text, of whatever shape."""
    return [
        Document("Cluster", each.data, each.places, "f.yaml", True) for each in parse(Text("f.yaml", content, ""))[0]
    ]


def edited(content: str, *values: tuple[Pointer, Any], index: int = 0) -> str:
    """The text of a document with values, or the code and place of a refusal."""
    wanted = [Assignment(documents(content)[index], pointer, value) for pointer, value in values]
    result = amend(Text("f.yaml", content, "f.yaml"), wanted)
    return f"{result.code} {result.span}" if isinstance(result, Diagnostic) else result.content


@for_each(
    ("before", "after"),
    [
        ("spec:\n  stack:\n    versions:\n      gpu-operator: v1 # why\n", "      gpu-operator: v2 # why\n"),
        ("spec:\n  stack:\n    versions:\n      gpu-operator: 'v1'\n", "      gpu-operator: 'v2'\n"),
        ('spec: {stack: {versions: {"gpu-operator": "v1"}}}\n', '{"gpu-operator": "v2"}}}\n'),
        ("spec:\n  stack: {keda: helm}\n", "  stack: {keda: helm, versions: {gpu-operator: v2}}\n"),
        ("spec:\n  stack: {}\n", "  stack: {versions: {gpu-operator: v2}}\n"),
        ("spec:\n    a: 1\n", "    a: 1\n    stack:\n        versions:\n            gpu-operator: v2\n"),
        ("spec:\n  a: 1", "  a: 1\n  stack:\n    versions:\n      gpu-operator: v2"),
        (
            "spec:\n  stack:\n    versions:\n      keda: v1\n\n      # the end\n  # of stack\n\n  region: x\n",
            "      keda: v1\n      gpu-operator: v2\n\n      # the end\n  # of stack\n\n  region: x\n",
        ),
        ('{"spec": {"stack": {"keda": "helm"}}}', '{"keda": "helm", "versions": {"gpu-operator": "v2"}}}}'),
        (
            "spec:\n  stack:\n    metrics:\n      counters:\n      - a\n",
            "      - a\n    versions:\n      gpu-operator: v2\n",
        ),
        ("spec:\r\n  stack:\r\n    keda: helm\r\n", "    keda: helm\r\n    versions:\r\n      gpu-operator: v2\r\n"),
        ("spec:\n  text: |\n    # a\n\n", "  text: |\n    # a\n  stack:\n    versions:\n      gpu-operator: v2\n\n"),
        ("a: b\n", "a: b\nspec:\n  stack:\n    versions:\n      gpu-operator: v2\n"),
        ("spec: {a: &a {b: c}, d: *a}\n", "d: *a, stack: {versions: {gpu-operator: v2}}}\n"),
        ("spec:\n  stack:\n    versions:\n    - v1 # why\n", "    versions: {gpu-operator: v2} # why\n"),
        ("spec:\n  stack:\n    versions:\n", "    versions: {gpu-operator: v2}\n"),
        ("spec:\n  stack: # none yet\n  a: b\n", "  stack: {versions: {gpu-operator: v2}} # none yet\n  a: b\n"),
        ("spec: {stack: {versions: }}\n", "spec: {stack: {versions: {gpu-operator: v2}}}\n"),
        ("spec:\n  a: &a {b: c}\n  d: *a\n", "  d: *a\n  stack:\n    versions:\n      gpu-operator: v2\n"),
    ],
)
def test_a_value_is_written_where_it_belongs(before: str, after: str) -> None:
    """In the style of the file: its quotes, brackets or blocks, indentation and line ends."""
    text = edited(before, (OPERATOR, "v2"))
    assert text.endswith(after), text


@for_each(
    ("before", "after"),
    [
        ("spec:\n  a: 1\n  stack:\n    versions:\n      gpu-operator: v1\n# end\n", "spec:\n  a: 1\n# end\n"),
        ("spec: {stack: {versions: {gpu-operator: v1, keda: v2}}}\n", "spec: {stack: {versions: {keda: v2}}}\n"),
        ("spec: {a: 1, stack: {versions: {gpu-operator: v1}}}\n", "spec: {a: 1}\n"),
        (
            "spec:\n  stack:\n    versions:\n      gpu-operator: v1 # old\n      keda: v2 # kept\n",
            "spec:\n  stack:\n    versions:\n      keda: v2 # kept\n",
        ),
        ("spec: {a: 1}\n", "spec: {a: 1}\n"),
        ("spec:\n  stack:\n    <<: {versions: {keda: v1}}\n", "spec:\n  stack:\n    <<: {versions: {keda: v1}}\n"),
    ],
)
def test_a_value_is_removed_with_mappings_that_it_leaves_empty(before: str, after: str) -> None:
    assert edited(before, (OPERATOR, Absent.ABSENT)) == after


@for_each(
    "before",
    [
        "a: &s {versions: {gpu-operator: v1}}\nspec:\n  stack: *s\n",
        "spec:\n  stack: &s {versions: {gpu-operator: v1}}\n  other: *s\n",
        "spec:\n  stack:\n    versions:\n      keda: &v v1\n      gpu-operator: *v\n",
        "a: &s {b: c}\nspec:\n  stack: # shared\n    *s\n",
        "a: &s\n  versions: {keda: v1}\nspec:\n  stack:\n    <<: *s\n    x: 1\n",
    ],
)
def test_an_edit_of_a_value_that_an_anchor_shares_is_refused(before: str) -> None:
    """The place is that of the nearest written value."""
    refusal = edited(before, (OPERATOR, "v2"))
    assert refusal.startswith("EDT001 f.yaml:"), refusal


@for_each(
    "before",
    [
        "a: &a {rings: [{name: a}]}\nspec:\n  <<: *a\n  z: 1\n",
        "a: &a {rings: [{name: a}]}\nspec: {<<: *a, z: 1}\n",
        "a: &a {rings: [{name: a}]}\nspec: *a\n",
        "spec: {rings: {name: a}}\n",
        "spec:\n  rings:\n    name: a\n",
        "spec: {rings: null}\n",
        "spec: {z: 1}\n",
        "spec:\n  z: 1\n",
    ],
)
def test_a_value_in_an_entry_of_a_list_needs_the_list_itself(before: str) -> None:
    assert edited(before, (("spec", "rings", 0, "keda"), "none")).startswith("EDT001 f.yaml:")


def test_a_removal_that_breaks_an_alias_is_refused() -> None:
    """The value is inserted before the alias, where the mapping ends for the parser; then there is no YAML to read."""
    text = "b: &b {a: {a: 1}}\nc: # shared\n    *b\n"
    assert edited(text, (("d",), {}), (("c", "a", "a"), Absent.ABSENT)) == "EDT001 f.yaml:1:1"


@for_each(
    ("quoted", "value", "written"),
    [
        ("'v1'", "v2", "'v2'"),
        ("'v1'", "it's", "it's"),
        ("'v1'", "a\nb", '"a\\nb"'),
        ('"v1"', "it's", '"it\'s"'),
        ("v1", "2.20", '"2.20"'),
        ("v1", "[x", '"[x"'),
        ("'v1'", 3, "3"),
        ("'v1'", True, "true"),
        ("'v1'", ["a", "b, c"], '[a, "b, c"]'),
        ("[v1]", "v2", "v2"),
    ],
)
def test_a_value_has_the_quotes_of_the_one_before(quoted: str, value: Any, written: str) -> None:
    """Where these can hold it."""
    assert edited(f"a: {quoted} # why\n", (("a",), value)) == f"a: {written} # why\n"


def test_a_refusal_is_at_the_value_that_cannot_be_written() -> None:
    """And not at the first value of the document."""
    text = "a: &s {b: c}\nspec:\n  x: 1\n  stack:\n    versions: *s\n"
    assert edited(text, (("spec", "x"), 2), (OPERATOR, "v2")) == "EDT001 f.yaml:5:15"


def test_a_removal_that_leaves_invalid_yaml_is_refused_first() -> None:
    text = "a: &s {b: c}\nx: {y: 1, z: 2}\nspec:\n  stack: # shared\n    *s\n"
    assert edited(text, (OPERATOR, "v2"), (("x", "y"), Absent.ABSENT)).startswith("EDT001 f.yaml:5:")


@pytest.mark.parametrize("at", ["spec:\n  <<: *b\n  z: 1\n", "spec: *b\n"])
def test_a_value_that_another_place_shares_is_not_removed(at: str) -> None:
    text = f"b: &b {{stack: {{versions: {{gpu-operator: v1, keda: v2}}}}}}\n{at}"
    assert edited(text, (OPERATOR, Absent.ABSENT)).startswith("EDT001 f.yaml:1:")


def test_a_value_next_to_an_alias_is_written() -> None:
    text = edited("a: &s {b: c}\nspec:\n  stack:\n    x: *s\n    z: *s\n", (OPERATOR, "v2"))
    assert text.endswith("    z: *s\n    versions:\n      gpu-operator: v2\n")


@for_each("node", ["&x\n    b: c\n", "!!map\n    b: c\n", "&x\n  - b\n", "!!seq\n    - b\n", "&x {b: c}\n"])
def test_a_value_replaces_a_mapping_or_list_with_its_anchor_or_tag(node: str) -> None:
    assert edited(f"spec:\n  a: {node}  z: 1\n", (("spec", "a"), "v")) == "spec:\n  a: v\n  z: 1\n"


def test_several_values_of_several_documents() -> None:
    """In a list, too; the other documents and the comments between them stay."""
    first = "# one\nspec:\n  rings:\n  - name: a\n  - {name: b, stack: {versions: {keda: v1, gpu-operator: v0}}}\n"
    text = f"{first}---\n# two\nspec: {{region: x}}\n---\nspec: {{a: b}}\n"
    ring: Pointer = ("spec", "rings")
    written = edited(
        text,
        ((*ring, 0, "stack", "versions", "keda"), "v2"),
        ((*ring, 0, "stack", "keda"), "none"),
        ((*ring, 1, "stack", "versions", "gpu-operator"), Absent.ABSENT),
        ((*ring, 1, "stack", "metrics", "counters"), ["A", "B, C"]),
        (("spec", "defaults", "stack", "verify"), True),
    )
    assert written == (
        "# one\nspec:\n  rings:\n  - name: a\n    stack:\n      versions:\n        keda: v2\n      keda: none\n"
        '  - {name: b, stack: {versions: {keda: v1}, metrics: {counters: [A, "B, C"]}}}\n'
        "  defaults:\n    stack:\n      verify: true\n"
        "---\n# two\nspec: {region: x}\n---\nspec: {a: b}\n"
    )
    assert edited(text, (("spec", "stack", "keda"), "none"), index=2).endswith(
        "---\nspec: {a: b, stack: {keda: none}}\n"
    )


def test_the_only_value_of_a_mapping_can_be_replaced_by_one_with_another_key() -> None:
    values = (OPERATOR, Absent.ABSENT), ((*OPERATOR[:-1], "keda"), "v2")
    block = "spec:\n  stack:\n    versions: # all\n      gpu-operator: v1\n"
    assert edited(block, *values) == "spec:\n  stack:\n    versions: # all\n      keda: v2\n"
    flow = "spec: {stack: {versions: {gpu-operator: v1}}}\n"
    assert edited(flow, *values) == "spec: {stack: {versions: {keda: v2}}}\n"


@for_each(
    ("before", "path", "value", "after"),
    [
        ('{"a": "b"}', ("c",), "\u00e9", '{"a": "b", "c": "\u00e9"}'),
        ('{"a": "b"}', ("a",), "\u00e9", '{"a": "\u00e9"}'),
        ("{a: b}", ("c",), "\u00e9, x", '{a: b, c: "\u00e9, x"}'),
        ("a: b\n", ("a",), ["\u00e9]"], 'a: ["\u00e9]"]\n'),
    ],
)
def test_letters_are_written_without_escapes(before: str, path: Pointer, value: Any, after: str) -> None:
    assert edited(before, (path, value)) == after


def test_a_refusal_says_what_to_write_or_to_remove() -> None:
    content = "a: &s {b: c, d: e}\nspec:\n  stack: *s\n"
    [document] = documents(content)
    remedies = []
    values: list[Any] = ["x, y", {}, Absent.ABSENT]
    for value in values:
        refusal = amend(Text("f.yaml", content, "f.yaml"), [Assignment(document, ("spec", "stack", "b"), value)])
        assert isinstance(refusal, Diagnostic)
        remedies.append(refusal.help)
    assert remedies == [
        'set spec.stack.b: "x, y" yourself',
        "set spec.stack.b: {} yourself",
        "remove spec.stack.b yourself",
    ]


def test_a_value_that_is_already_set_changes_nothing() -> None:
    text = "spec: {stack: {versions: {gpu-operator: v2}}}\n"
    assert edited(text, (OPERATOR, "v2")) == text


KEYS = st.sampled_from(["a", "b", "c-d", "no", "1"])
SCALARS = st.sampled_from(
    ["x", "v1.2", "2.20", "- a", "a: b", "#", "it's", 'say "a"', "é\U0001f600", "", 3, True, "a\nb\n"]
)
TREES = st.recursive(SCALARS, lambda below: st.dictionaries(KEYS, below, min_size=1, max_size=3), max_leaves=8)
STYLES = st.sampled_from([None, False, True])


@given(st.dictionaries(KEYS, TREES, min_size=1), st.lists(KEYS, min_size=1, max_size=3), SCALARS, STYLES, st.booleans())
def test_any_value_can_be_written_anywhere(
    data: Any, path: list[str], value: Any, style: bool | None, crlf: bool
) -> None:
    """For any text, the result has the value, and all other values are unchanged."""
    text = yaml.safe_dump(data, default_flow_style=style, allow_unicode=True, width=60)
    written = edited(text.replace("\n", "\r\n") if crlf else text, (tuple(path), value))
    assert not written.startswith("EDT001"), (text, path, value)
    assert crlf == ("\r\n" in written)
    after: Any = yaml.load(written, yaml.CSafeLoader)
    for key in path:
        after = after[key]
    assert after == value
