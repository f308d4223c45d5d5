"""The Applications that ApplicationSets generate: their number, their parameters, and whether there are others."""

from typing import Any

import pytest

from gitgpu.load.text import Text
from gitgpu.objects.delivery.application_sets import applications
from gitgpu.objects.delivery.tree import Claim, tree_of
from tests.helping.cases import for_each

URL = "https://github.com/contoso/fleet"


def application_set(*generators: dict[str, Any], **template: Any) -> dict[str, Any]:
    """An ApplicationSet."""
    spec = {"generators": [*generators], "template": template}
    return {"apiVersion": "argoproj.io/v1alpha1", "kind": "ApplicationSet", "spec": spec}


def names(generator: dict[str, Any], name: str, files: dict[str, str] | None = None, exists: str = "") -> list[str]:
    """The names of the Applications, sorted; `exists` is a path that shows where the root of the repository is."""
    texts = {file: Text(file, content, file) for file, content in (files or {}).items()}
    whole = tree_of(dict.fromkeys(texts, ()), {}, texts)
    file = next(iter(texts), "sets.yaml")
    whole.claim([Claim(file, exists)])
    body = application_set(generator, metadata={"name": name})
    return sorted(application.body["metadata"]["name"] for application in applications(file, body, whole))


def test_an_application_is_the_template_with_its_parameters() -> None:
    body = application_set(
        {"list": {"elements": [{"name": "a"}]}},
        metadata={"name": "gpu-{{name}}"},
        spec={"revisionHistoryLimit": 3, "sources": [{"path": "{{ .name }}/{{other}}"}]},
    )
    (application,) = applications("sets.yaml", body, tree_of({}, {}, {}))
    assert application.body == {
        "apiVersion": "argoproj.io/v1alpha1",
        "kind": "Application",
        "metadata": {"name": "gpu-a"},
        "spec": {"revisionHistoryLimit": 3, "sources": [{"path": "a/{{other}}"}]},
    }


@for_each(("elements", "number", "whole"), [(999, 999, True), (1000, 1000, False), (1001, 1000, False)])
@for_each("kind", ["list", "matrix", "git"])
def test_a_thousand_applications_of_a_set_are_checked(kind: str, elements: int, number: int, *, whole: bool) -> None:
    generators: dict[str, dict[str, Any]] = {
        "list": {"list": {"elements": [{"a": "b"}] * elements}},
        "matrix": {"matrix": {"generators": [{"list": {"elements": [{"a": "b"}] * elements}}]}},
        "git": {"git": {"directories": [{"path": "apps/*"}]}},
    }
    files = tree_of({"sets.yaml": (), **{f"apps/{index}/a.yaml": () for index in range(elements)}}, {}, {})
    made = list(applications("sets.yaml", application_set(generators[kind]), files))
    assert (len(made), {application.whole for application in made}) == (number, {whole})


@pytest.mark.parametrize(
    ("second", "whole"),
    [({"list": {"elements": [{"b": "c"}]}}, True), ({"list": {"elements": [], "elementsYaml": "{{ .more }}"}}, False)],
)
def test_a_matrix_is_whole_if_all_of_its_generators_are(second: dict[str, Any], *, whole: bool) -> None:
    matrix = {"matrix": {"generators": [{"list": {"elements": [{"a": "b"}]}}, second]}}
    (application,) = applications("sets.yaml", application_set(matrix), tree_of({}, {}, {}))
    assert application.whole is whole


@for_each(
    ("element", "name"),
    [
        ({"a": "x"}, "x"),
        ({"a": 5}, "5"),
        ({"a": 0.5}, "0.5"),
        ({"a": True}, "{{a}}"),
        ({"a": None}, "{{a}}"),
        ({"a": ["x"]}, "{{a}}"),
    ],
)
def test_texts_and_numbers_are_parameters(element: dict[str, Any], name: str) -> None:
    assert names({"list": {"elements": [element, "text", None]}}, "{{a}}") == [name]


FILES = {
    "repo/root/sets.yaml": "",
    "repo/apps/web/a.yaml": "",
    "repo/apps/api/b.yaml": "size: 1\n---\nsize: 3\n",
    "repo/apps/api/c.json": '{"size": {"max": 2}}',
    "repo/.hidden/d.yaml": "",
    "other/apps/web/a.yaml": "",
}


@for_each(
    ("pattern", "found"),
    [
        ("*", [".hidden", "apps", "root"]),
        ("apps/*", ["apps/api", "apps/web"]),
        ("apps", ["apps"]),
        ("repo/*", ["{{path}}"]),  # no Application: the template alone
    ],
)
def test_patterns_of_directories_start_at_the_root_of_the_repository(pattern: str, found: list[str]) -> None:
    generator = {"git": {"directories": [{"path": pattern}]}}
    assert names(generator, "{{path}}", FILES, "apps/web") == found
    at_root = {file.removeprefix("repo/"): text for file, text in FILES.items() if file.startswith("repo/")}
    assert names(generator, "{{path}}", at_root, "apps/web") == found


def test_patterns_match_nothing_if_the_root_is_above_what_was_read() -> None:
    files = {"sets.yaml": "", "web/a.yaml": ""}
    for git in ({"directories": [{"path": "*"}]}, {"files": [{"path": "web/*.yaml"}]}):
        assert names({"git": git}, "{{path}}", files, "apps/web") == ["{{path}}"]


@for_each(
    ("name", "found"),
    [
        ("{{path}}-{{size}}", ["apps/api-3", "apps/api-{{size}}"]),
        ("{{path.basename}} {{size.max}}", ["api 2", "api {{size.max}}"]),
        ("{{ .path.path }} {{path[0]}} {{path[2]}}", ["apps/api apps {{path[2]}}"] * 2),
        ("{{ index .path.segments 1 }} {{ index .path.segments 2 }}", ["api {{ index .path.segments 2 }}"] * 2),
    ],
)
def test_the_parameters_of_a_file_are_its_path_and_its_content(name: str, found: list[str]) -> None:
    assert names({"git": {"files": [{"path": "apps/api/*"}]}}, name, FILES, "apps/web") == found
