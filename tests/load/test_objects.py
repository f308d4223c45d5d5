"""Anybody's YAML: lists are unfolded, templates and placeholders are one finding, nothing crashes."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitgpu.load.objects import sheet
from gitgpu.load.text import Text

POD = "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n"


def read(content: str) -> tuple[list[str], list[str], int]:
    """The names of the objects, the codes of the faults, and how many documents are no objects."""
    found = sheet(Text("a.yaml", content, "a.yaml"))
    faults = [*found.faults, *(why for _, why in found.waiting)]
    return [one.body["metadata"]["name"] for one in found.objects], [f.code for f in faults], len(found.others)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (f"{POD}---\n{POD}", (["a", "a"], [], 0)),
        ("", ([], [], 0)),
        ("# nothing\n---\n---\n", ([], [], 0)),
        ("a: 1\n", ([], [], 1)),
        ("- 1\n---\nx\n", ([], [], 2)),
        ('{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "j"}}', (["j"], [], 0)),
        ("apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: Pod, metadata: {name: x}}\n", (["x"], [], 0)),
        ("apiVersion: karpenter.sh/v1\nkind: NodePoolList\nitems:\n- {metadata: {name: x}}\n", (["x"], [], 0)),
        ("a: {{ .Values.a }}\n", ([], ["LNT001"], 0)),
        ("{{- if .Values.a }}\na: 1\n{{- end }}\n", ([], ["LNT001"], 0)),
        ("a: [\n", ([], ["YML001"], 0)),
        (POD.replace("a}", "a, annotations: {x: '{{ $labels.pod }}'}}"), (["a"], [], 0)),
        (POD.replace("a}", "'{{ include .x }}'}"), ([], ["LNT002"], 0)),
        ("a: 1\na: 2\nb: 1\n\nc: '{{ .x }}'\n", ([], ["YML002"], 1)),
        (POD.replace("name: a", 'name: "${NAME}"'), ([], ["LNT002"], 0)),
        (POD.replace("name: a", "name: $NAME"), ([], ["LNT002"], 0)),
        (POD.replace("name: a", "name: ${NAME}"), ([], ["LNT001"], 0)),
        (POD.replace("name: a", "name: <your-name>"), ([], ["LNT002"], 0)),
        (POD + 'spec: {containers: [{command: ["sh", "-c", "$HOME"], env: [{name: A, value: $(B)}]}]}\n', (["a"], [], 0)),  # noqa: E501
    ],
)  # fmt: skip
def test_what_a_text_holds(content: str, expected: tuple[list[str], list[str], int]) -> None:
    assert read(content) == expected


def test_the_item_of_a_list_knows_its_place() -> None:
    text = "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Pod\n  metadata:\n    name: x\n"
    (one,) = sheet(Text("a.yaml", text, "a.yaml")).objects
    assert str(one.places.span(("metadata", "name"))) == "a.yaml:7:11"
    assert str(one.places.span(("metadata", "name"), key=True)) == "a.yaml:7:5"


def test_a_placeholder_stands_where_it_is_written() -> None:
    ((_, fault),) = sheet(Text("a.yaml", POD.replace("{name: a}", "\n  name: ${A}"), "a.yaml")).waiting
    assert (str(fault.span), fault.pointer) == ("a.yaml:4:9", "/metadata/name")


@settings(max_examples=200, deadline=None)
@given(st.text(st.sampled_from("ab:-{}[]'\"|> \n#&*!%$<\t"), max_size=60))
def test_no_text_is_odd_enough_to_crash(content: str) -> None:
    found = sheet(Text("a.yaml", content, "a.yaml"))
    assert all(fault.message and fault.help for fault in found.faults)
