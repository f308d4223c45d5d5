"""Values of charts in kustomizations and in files: which files count, and where each value is written."""

from typing import Any

from gitgpu.load.helm_values import Values
from gitgpu.load.parse.yaml import parse
from gitgpu.load.text import Text
from gitgpu.objects.delivery.argo import argo
from gitgpu.objects.delivery.kustomize import kustomization
from gitgpu.objects.delivery.release_values import application_values, applications, chart_releases
from gitgpu.objects.delivery.tree import tree_of
from gitgpu.objects.manifest.manifest_file import manifest_file
from tests.helping.cases import for_each

CHARTS = "gpu/kustomization.yaml"
FILES = {
    "gpu/a.yaml": "a: 1\n",
    "gpu/b.yaml": "b: 2\n",
    "gpu/empty.yaml": "",
    "gpu/comments.yaml": "# driver: {}\n",
    "gpu/null.yaml": "---\n",
    "gpu/false.yaml": "false\n",
    "gpu/list.yaml": "- a\n",
    "gpu/keys.yaml": "5: a\ntrue: b\n",
    "gpu/two.yaml": "a: 1\n---\nb: 2\n",
    "gpu/broken.yaml": "a: [\n",
    "other/a.yaml": "other: 1\n",
}


def releases(entry: str, namespace: str = "") -> list[Values]:
    """The values of an entry of `helmCharts`."""
    content = f"helmCharts:\n- {entry}\n" + (f"namespace: {namespace}\n" if namespace else "")
    texts = {file: Text(file, text, file) for file, text in {**FILES, CHARTS: content}.items()}
    (document,), _ = parse(texts[CHARTS])
    known = {CHARTS: kustomization(CHARTS, document.data, document.places)}
    return list(chart_releases([CHARTS, "absent.yaml"], tree_of({}, known, texts)))


@for_each(
    ("pointer", "value", "key"),
    [
        ((), "2:3", "2:3"),
        (("chart",), "2:10", "2:4"),
        (("version",), "2:22", "2:13"),
        (("values", "a"), "2:45", "2:42"),
        (("values", "chart"), "2:55", "2:48"),
    ],
)
def test_the_place_of_each_value_of_a_chart(pointer: tuple[str, ...], value: str, key: str) -> None:
    (release,) = releases("{name: x, version: 1.0, valuesInline: {a: 1, chart: y}}")
    assert str(release.places.span(pointer)) == f"{CHARTS}:{value}"
    assert str(release.places.span(pointer, key=True)) == f"{CHARTS}:{key}"


@for_each(
    ("entry", "namespace", "facts"),
    [
        ("{name: x}", "", {"version": "", "namespace": "", "values": {}}),
        ("{name: x, version: 1.0}", "own", {"version": "1", "namespace": "own"}),
        ("{name: x, namespace: mine, valuesInline: {a: 1}}", "own", {"namespace": "mine", "values": {"a": 1}}),
        ("{name: x, valuesInline: [a]}", "", {"values": {}, "whole": True, "filesLast": False}),
        ("{name: x, valuesFile: a.yaml, valuesMerge: merge}", "", {"whole": True, "filesLast": True}),
        ("{name: x, valuesFile: absent.yaml}", "", {"whole": False}),
    ],
)
def test_the_facts_of_a_chart(entry: str, namespace: str, facts: dict[str, Any]) -> None:
    release = releases(entry, namespace)[0].body
    assert {key: release[key] for key in facts} == facts
    assert release["chart"] == "x"


@for_each(
    ("entry", "values"),
    [
        ("valuesFile: a.yaml", [{"a": 1}]),
        ("valuesFile: a.yaml, additionalValuesFiles: [b.yaml, ../other/a.yaml]", [{"a": 1}, {"b": 2}, {"other": 1}]),
        ("valuesFile: a.yaml, valuesInline: {c: 3}, valuesMerge: replace", []),
        ("valuesFile: a.yaml, valuesInline: {}, valuesMerge: replace", [{"a": 1}]),
        ("valuesFile: a.yaml, valuesInline: {c: 3}, valuesMerge: override", [{"a": 1}]),
        ("valuesFile: empty.yaml", [{}]),  # Helm reads such a file as one without values
        ("valuesFile: comments.yaml", [{}]),
        ("valuesFile: null.yaml", [{}]),
        ("valuesFile: list.yaml", []),
        ("valuesFile: keys.yaml", [{"5": "a", "true": "b"}]),
        ("valuesFile: false.yaml", []),
        ("valuesFile: two.yaml", []),
        ("valuesFile: broken.yaml", []),
        ("additionalValuesFiles: [absent.yaml, b.yaml]", [{"b": 2}]),
    ],
)
def test_the_values_files_of_a_chart(entry: str, values: list[dict[str, Any]]) -> None:
    release, *files = releases(f"{{name: x, {entry}}}")
    assert [file.body["values"] for file in files] == values
    assert all(file.body["of"] == release.body["id"] for file in files)


def test_an_entry_without_a_name_is_not_a_chart() -> None:
    assert releases("{valuesFile: a.yaml}") == []


HEAD = "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: gpu}\n"
CHART = "repoURL: charts, chart: gpu-operator"
REFERENCE = "{repoURL: fleet, ref: v}"


@for_each(
    ("sources", "files"),
    [
        (f"{{{CHART}, helm: {{valueFiles: [$v/gpu/a.yaml]}}}}, {REFERENCE}", ["gpu/a.yaml"]),
        (f"{{{CHART}, helm: {{valueFiles: [$v/gpu/absent.yaml, $v/gpu/b.yaml]}}}}, {REFERENCE}", ["gpu/b.yaml"]),
        (f"{{{CHART}, helm: {{valueFiles: [gpu/a.yaml]}}}}, {REFERENCE}", []),
        (f"{{{CHART}, helm: {{valueFiles: [$w/gpu/a.yaml]}}}}, {REFERENCE}", []),
        (f"{{repoURL: fleet, path: gpu, helm: {{valueFiles: [$v/gpu/a.yaml]}}}}, {REFERENCE}", []),
        (f"{{{CHART}, helm: {{valueFiles: [$/gpu/a.yaml]}}}}, {{repoURL: fleet, path: gpu}}", []),
    ],
)  # fmt: skip
@for_each("kind", ["Application", "ApplicationSet"])
def test_the_values_files_of_an_application(kind: str, sources: str, files: list[str]) -> None:
    spec = f"{{sources: [{sources}, {{repoURL: fleet, path: other}}]}}"
    if kind == "ApplicationSet":
        spec = f"{{template: {{spec: {spec}}}}}"
    content = HEAD.replace("kind: Application", f"kind: {kind}") + f"spec: {spec}\n"
    texts = {file: Text(file, text, file) for file, text in {**FILES, "apps.yaml": content}.items()}
    objects = {file: manifest_file(text).objects for file, text in texts.items()}
    whole = tree_of(objects, {}, texts)
    every = list(application_values(applications(texts, whole), argo(whole)))
    assert [values.text.name for values in every] == files
    place = "/spec" if kind == "Application" else "/spec/template/spec"
    assert {values.body["of"] for values in every} <= {f"apps.yaml:1:1#{place}/sources/0"}


def test_the_values_file_of_the_only_source_of_an_application() -> None:
    content = HEAD + f"spec: {{source: {{{CHART}, ref: v, helm: {{valueFiles: [$v/gpu/a.yaml]}}}}}}\n"
    texts = {file: Text(file, text, file) for file, text in {**FILES, "apps.yaml": content}.items()}
    whole = tree_of({file: manifest_file(text).objects for file, text in texts.items()}, {}, texts)
    (values,) = application_values(applications(texts, whole), argo(whole))
    assert values.body["of"] == "apps.yaml:1:1#/spec/source"
