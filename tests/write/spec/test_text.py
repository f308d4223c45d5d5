"""The text of a generated spec is readable, and every YAML reader reads the same data."""

from typing import Any

import yaml
from hypothesis import given
from hypothesis import strategies as st

from gitgpu.adopt.adoption import ClusterDocument, SpecDocument
from gitgpu.adopt.compiled import data
from gitgpu.load.parse.yaml import parse
from gitgpu.load.text import Text
from gitgpu.source import Pointer
from gitgpu.write.spec.files import spec_files
from gitgpu.write.spec.text import spec_text
from tests.helping.cases import for_each

TEXTS = st.text(st.sampled_from("aN0 :,#{}[]\"'-?&*!|>%@`\n\t.=~é"), max_size=8)
KEYS = st.text(st.sampled_from("abcN./-_"), min_size=1, max_size=6)
VALUES = st.recursive(
    st.booleans() | st.integers(-3, 300) | TEXTS | st.none(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=12,
)


@given(st.dictionaries(KEYS, VALUES, max_size=4), TEXTS)
def test_every_reader_gets_the_same_data(spec: dict[str, Any], comment: str) -> None:
    written = SpecDocument("GpuPool", "gpu", spec, comments={(): comment, ("spec",): comment})
    text = spec_text([written])
    documents, faults = parse(Text("fleet.yaml", text, "fleet.yaml"))
    assert faults == []
    assert [document.data for document in documents] == [data(written)]
    assert yaml.load(text, yaml.CSafeLoader) == data(written)


def test_comments_are_above_the_key_they_explain() -> None:
    spec = {"region": "eastus", "stack": {"keda": "none"}}
    notes: dict[Pointer, str] = {(): "From here.", ("spec", "stack", "keda"): "Inferred: nothing installs it."}
    assert spec_text([SpecDocument("Cluster", "prod", spec, comments=notes)]) == (
        "# From here.\n"
        "apiVersion: gitgpu.dev/v1alpha1\n"
        "kind: Cluster\n"
        "metadata:\n"
        "  name: prod\n"
        "spec:\n"
        "  region: eastus\n"
        "  stack:\n"
        "    # Inferred: nothing installs it.\n"
        "    keda: none\n"
    )


def test_a_comment_on_a_mapping_leaves_it_on_its_line_and_one_inside_does_not() -> None:
    spec = {"stack": {"keda": "none"}, "pool": {"sku": "a"}, "stacks": {"b": "c"}}
    notes: dict[Pointer, str] = {("spec", "stack"): "All of it.", ("spec", "pool", "sku"): "Only this."}
    lines = spec_text([SpecDocument("Cluster", "prod", spec, comments=notes)]).splitlines()
    assert lines[lines.index("spec:") + 1 :] == [
        "  # All of it.",
        "  stack: {keda: none}",
        "  pool:",
        "    # Only this.",
        "    sku: a",
        "  stacks: {b: c}",
    ]


def test_texts_with_quotes_and_commas_inside_brackets() -> None:
    texts = ['a, b"', '"a", b', "a, 'b", "a\\, b", '"a"', "[a", "a: b, c"]
    document = SpecDocument("GpuPool", "gpu", {"list": texts, "map": {"a": '"x, y', "b": 'x, y"'}})
    assert yaml.load(spec_text([document]), yaml.CSafeLoader) == data(document)


def test_each_document_has_a_file() -> None:
    documents = [
        ClusterDocument("", SpecDocument("Fleet", "fleet", {})),
        ClusterDocument("prod", SpecDocument("Cluster", "prod", {})),
        ClusterDocument("prod", SpecDocument("GpuPool", "t4", {})),
        ClusterDocument("dev", SpecDocument("GpuPool", "t4", {})),
        ClusterDocument("dev", SpecDocument("GpuWorkload", "chat", {}, "serving")),
    ]
    assert list(spec_files(documents)) == [
        "clusters/dev/pools/t4.yaml",
        "clusters/dev/workloads/serving/chat.yaml",
        "clusters/prod/cluster.yaml",
        "clusters/prod/pools/t4.yaml",
        "fleet.yaml",
    ]


@for_each(
    ("spec", "lines"),
    [
        ({"a": {"k": "x" * 55}}, [f"a: {{k: {'x' * 55}}}"]),
        ({"a": {"k": "x" * 56}}, ["a:", f"  k: {'x' * 56}"]),
        ({"a": ["x" * 58]}, [f"a: [{'x' * 58}]"]),
        ({"a": ["x" * 59]}, ["a:", f"- {'x' * 59}"]),
        ({"a": [{"key": "x" * 109}]}, ["a:", f"- {{key: {'x' * 109}}}"]),
        ({"a": [{"key": "x" * 110}]}, ["a:", f"- key: {'x' * 110}"]),
        ({"a": [["x" * 114], [1]]}, ["a:", f"- [{'x' * 114}]", "- [1]"]),
        ({"a": [["x" * 115], [1]]}, ["a:", f"- - {'x' * 115}", "- [1]"]),
        ({"a": "x" * 130, "b": ["x" * 130]}, [f"a: {'x' * 130}", "b:", f"- {'x' * 130}"]),
        ({"a": [], "b": {}, "c": [[], {}], "d": None, "e": ""}, ["a: []", "b: {}", "c: [[], {}]", "d: null", 'e: ""']),
        ({"a": {"b": {"c": 1}}}, ["a: {b: {c: 1}}"]),
        ({"a": {"b": {"c": [1]}}}, ["a:", "  b:", "    c: [1]"]),
        ({"a": {"b": {"c": {"d": 1}}}}, ["a:", "  b: {c: {d: 1}}"]),
        ({"a": [1, [2]]}, ["a:", "- 1", "- [2]"]),
        ({"a": [{"b": 1, "c": [1, {"d": 2}]}]}, ["a:", "- b: 1", "  c: [1, {d: 2}]"]),
        ({"a": [[[1, 2], [{"b": [1]}]]]}, ["a:", "- - [1, 2]", "  - - b: [1]"]),
        ({"a": ["b, c", "[d", 'e "f"', "g\\h, i", '"j, k"']}, ['a: ["b, c", "[d", e "f", "g\\\\h, i", "\\"j, k\\""]']),
        ({"a": "one\ntwo", "yes": True, "b": 1.5}, ['a: "one\\ntwo"', '"yes": true', "b: 1.5"]),
    ],
)
def test_short_values_are_on_one_line(spec: dict[str, Any], lines: list[str]) -> None:
    """Values up to 60 characters, list items up to column 120; not more than two levels of nesting."""
    text = spec_text([SpecDocument("GpuPool", "gpu", spec)])
    assert text.partition("spec:\n")[2].splitlines() == [f"  {line}" for line in lines]
