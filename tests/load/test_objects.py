"""Arbitrary YAML: lists are expanded, a template or placeholder is one finding, and nothing crashes."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitgpu.load.text import Text
from gitgpu.objects.manifest.manifest_file import manifest_file
from tests.helping.cases import for_each

POD = "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n"


def read(content: str) -> tuple[list[str], list[str], int]:
    """The names of the objects, the codes of the faults, and the number of documents that are not objects."""
    file = manifest_file(Text("a.yaml", content, "a.yaml"))
    faults = [*file.faults, *(why for _, why in file.waiting)]
    return [loaded.body["metadata"]["name"] for loaded in file.objects], [f.code for f in faults], len(file.others)


@for_each(
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
        (POD.replace("Pod", "Selection") + "items: [{a: 1}]\n", (["a"], [], 0)),
        ("a: {{ .Values.a }}\n", ([], ["LNT001"], 0)),
        ("{{- if .Values.a }}\na: 1\n{{- end }}\n", ([], ["LNT001"], 0)),
        ("a: [\n", ([], ["YML001"], 0)),
        (POD.replace("a}", "a, annotations: {x: '{{ $labels.pod }}'}}"), (["a"], [], 0)),
        (POD.replace("a}", "'{{ include .x }}'}"), ([], ["LNT001"], 0)),
        ("apiVersion: v1\nkind: ConfigMap\ndata: {'{{hub host hub}}': x}\n", ([], ["LNT001"], 0)),
        ("apiVersion: v1\nkind: ConfigMap\ndata: 5\nmetadata: {name: a, annotations: {b: '{{ c }'}}\n", (["a"], [], 0)),
        ("a: {{node_name}}\n", ([], ["LNT001"], 0)),
        (POD.replace("name: a", "name: a\nspec: {nodeName: {{node_name}}}"), ([], ["LNT001"], 0)),
        (POD + "{% if gpu %}\nspec: {}\n{% endif %}\n", ([], ["LNT001"], 0)),
        (POD + "spec:\n%{ for name in names ~}\n  - ${name}\n%{ endfor ~}\n", ([], ["LNT001"], 0)),
        (POD.replace("name: a", "name: @NAME@"), ([], ["LNT001"], 0)),
        (POD + 'spec: {replicas: "{{ replicas }}", image: x}\n', ([], ["LNT001"], 0)),
        (POD + "spec: {nodeName: <<NODE>>}\n", ([], ["LNT002"], 0)),
        (POD.replace("name: a", "name: FILLED BY THE OPERATOR"), ([], ["LNT002"], 0)),
        (POD.replace("name: a", "name: a-__INDEX__"), ([], ["LNT002"], 0)),
        (POD + "spec: {containers: [{image: '${IMAGE}'}]}\n", ([], ["LNT002"], 0)),
        (POD.replace("v1", "ray.io/v1") + "spec: {image: '${IMAGE}'}\n", ([], ["LNT002"], 0)),
        (POD.replace("v1", "ray.io/v1") + "spec: {rayStartParams: {redis-password: $REDIS_PASSWORD}}\n", (["a"], [], 0)),  # noqa: E501
        (POD.replace("v1", "argoproj.io/v1alpha1") + "spec: {image: '{{inputs.parameters.image}}'}\n", (["a"], [], 0)),
        (POD.replace("v1", "grafana.integreatly.org/v1beta1") + "spec: {datasource: {x: '${TOKEN}'}}\n", (["a"], [], 0)),  # noqa: E501
        (POD + "spec: {requirements: [{values: ['<<AZ>>']}]}\n", ([], ["LNT002"], 0)),
        (POD + "data: ${DATA}\n", ([], ["LNT002"], 0)),
        (POD + "data: {x: '${DATA}', 5000: '<b>'}\n", (["a"], [], 0)),
        (POD + "labels: {on: a}\n", (["a"], ["YML003"], 0)),
        (POD + "labels: {null: a}\n", (["a"], ["YML003"], 0)),
        (POD + "data: !!binary aGVsbG8=\n", (["a"], [], 0)),
        ("a: 1\na: 2\nb: 1\n\nc: '{{ .x }}'\n", ([], ["YML002"], 1)),
        (POD.replace("name: a", 'name: "${NAME}"'), ([], ["LNT002"], 0)),
        (POD.replace("name: a", "name: $NAME"), ([], ["LNT002"], 0)),
        (POD.replace("name: a", "name: ${NAME}"), ([], ["LNT001"], 0)),
        (POD.replace("name: a", "name: <your-name>"), ([], ["LNT002"], 0)),
        (POD + 'spec: {containers: [{command: ["sh", "-c", "$HOME"], env: [{name: A, value: $(B)}]}]}\n', (["a"], [], 0)),  # noqa: E501
    ],
)  # fmt: skip
def test_the_objects_and_faults_of_a_text(content: str, expected: tuple[list[str], list[str], int]) -> None:
    assert read(content) == expected


def test_the_item_of_a_list_knows_its_place() -> None:
    text = "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Pod\n  metadata:\n    name: x\n"
    (loaded,) = manifest_file(Text("a.yaml", text, "a.yaml")).objects
    assert str(loaded.places.span(("metadata", "name"))) == "a.yaml:7:11"
    assert str(loaded.places.span(("metadata", "name"), key=True)) == "a.yaml:7:5"


def test_a_placeholder_has_the_place_where_it_is_written() -> None:
    ((_, fault),) = manifest_file(Text("a.yaml", POD.replace("{name: a}", "\n  name: ${A}"), "a.yaml")).waiting
    assert (str(fault.span), fault.pointer) == ("a.yaml:4:9", "/metadata/name")


@pytest.mark.parametrize(
    ("text", "shown"),
    [("<your-pool>", "<your-pool>"), (f"<{'a' * 38}>", f"<{'a' * 38}>"), (f"<{'a' * 39}>", f"<{'a' * 39}...")],
)
def test_a_long_placeholder_is_shown_in_part(text: str, shown: str) -> None:
    (fault,) = manifest_file(Text("a.yaml", POD + f"spec: {{nodeName: {text}}}\n", "a.yaml")).faults
    assert fault.message == f"contains the placeholder {shown}, which must be replaced first"


@settings(max_examples=80, deadline=None)
@given(st.text(st.sampled_from("ab:-{}[]'\"|> \n#&*!%$<\t"), max_size=60))
def test_no_text_causes_a_crash(content: str) -> None:
    file = manifest_file(Text("a.yaml", content, "a.yaml"))
    assert all(fault.message and fault.help for fault in file.faults)


IN_DIRECTORIES = {
    "CloudFormation": "Resources:\n  A: {Type: AWS::S3::Bucket, Properties: {Name: !Ref Name, Arn: !Sub '${A}'}}\n",
    "MkDocs": "markdown_extensions:\n- emoji: {index: !!python/name:material.emoji }\n",
    "GitHub": "on:\n  push: {branches: [main]}\njobs: {a: {runs-on: '${{ matrix.os }}'}}\n",
    "tsconfig": '{\n  // the compiler\n  "compilerOptions": {"strict": true,},\n}\n',
    "twice": "a: 1\na: 2\n",
    "tabs": "a:\n\tb: 1\n",
    "Home Assistant": "http: {password: !secret http}\n",
    "GitLab": "job: {script: [!reference [.setup, script]]}\n",
    "Ansible": "- template: {src: x, dest: {{ path }}}\n",
    "vault": "password: !vault |\n  $ANSIBLE_VAULT;1.1;AES256\n",
    "chart": "name: {{ .Values.name }}\n",
    "aliases": "a: *b\n",
    "too deep": f"a: {'[' * 200}{']' * 200}\n",
}


@for_each("name", IN_DIRECTORIES)
def test_documents_that_are_not_kubernetes_objects_are_skipped_in_a_directory(name: str) -> None:
    text = Text("a.yaml", IN_DIRECTORIES[name], "a.yaml")
    file = manifest_file(text, named=False)
    assert (file.objects, file.faults, file.template) == ((), (), None)
    assert file.others
    assert manifest_file(text).faults  # if the file is named, it is reported


BROKEN = [
    "apiVersion: v1\nkind: Pod\nmetadata:\n  name: 'a\n",
    "kind: Pod\nmetadata: {name: a}\nspec: {}\nspec: {}\napiVersion: v1\n",
    '{\n "kind": "Pod",\n "apiVersion": "v1",\n "metadata": {"name": "a"\n}',
    f"a: !x y\n---\n{POD}spec: !y z\n",
]


@for_each("content", BROKEN)
def test_a_broken_object_is_reported_in_a_directory(content: str) -> None:
    (fault,) = manifest_file(Text("a.yaml", content, "a.yaml"), named=False).faults
    assert fault.code.startswith("YML")


def test_a_template_of_an_object_is_distinguished_in_a_directory() -> None:
    file = manifest_file(Text("a.yaml", POD.replace("name: a", "name: {{ .x }}"), "a.yaml"), named=False)
    assert (file.faults, str(file.template)) == ((), "a.yaml:3:18")
