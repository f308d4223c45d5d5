"""Template repositories: tokens that a tool replaces, kustomizations that Jinja or Backstage renders."""

import pytest

from gitgpu.conform import norms
from gitgpu.diagnostic import Severity
from gitgpu.lint import lint
from gitgpu.load.manifest.manifests import read_manifests
from gitgpu.load.schemas import Schemas
from gitgpu.load.text import Text
from tests.lint.test_graph import WHOLE
from tests.lint.test_lint import ASKED, CATALOG, NAMESPACE, codes, linted

APPLICATION = (
    "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: NAME, namespace: argocd}\n"
    "spec: {project: default, destination: {name: in-cluster}, source: {repoURL: <GITOPS_REPO_URL>, path: x}}\n"
)
BARE = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  annotations:\n    a: b\n    <MORE_OF_IT>\n"


def in_directory(files: dict[str, str], named: frozenset[str] = frozenset()) -> list[tuple[str, Severity]]:
    """The findings about files in a directory."""
    texts = [Text(name, content, name) for name, content in files.items()]
    reported = lint(read_manifests(texts, named), (), norms(Schemas(), CATALOG), ASKED).diagnostics
    return [(each.code, each.severity) for each in reported]


def registry(count: int) -> dict[str, str]:
    """Applications with a token in a folder."""
    return {f"registry/app{at}.yaml": APPLICATION.replace("NAME", f"a{at}") for at in range(count)}


def test_many_files_with_tokens_are_templates() -> None:
    assert in_directory(registry(12)) == [("LNT001", Severity.INFO)]
    assert in_directory(registry(12) | {"registry/bare.yaml": BARE}) == [("LNT001", Severity.INFO)]


def test_a_few_files_with_tokens_are_to_be_filled_in() -> None:
    assert in_directory(registry(3)) == [("LNT002", Severity.ERROR)] * 3


def test_a_file_that_is_asked_for_is_checked() -> None:
    assert ("LNT002", Severity.ERROR) in in_directory(registry(12), frozenset({"registry/app1.yaml"}))


def test_a_file_without_tokens_among_templates_is_checked() -> None:
    files = registry(12) | {"registry/config.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: A}\n"}
    assert sorted(in_directory(files)) == [("CNF003", Severity.ERROR), ("LNT001", Severity.INFO)]


@pytest.mark.parametrize("name", ["<CLUSTER>-wait", "a-<your-name>", "<A_B>"])
def test_a_token_in_a_name_is_a_placeholder(name: str) -> None:
    assert codes({"a.yaml": NAMESPACE.replace("name: gpu", f"name: '{name}'")}) == ["LNT002"]


def test_a_kustomization_that_is_a_template_is_a_note() -> None:
    jinja = "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nnamespace: {{ name }}\n"
    loop = "resources:\n{{- range .apps }}\n  - {{ . }}\n{{- end }}\n"
    for text in (jinja, loop):
        assert in_directory({"k/kustomization.yaml": text}) == [("LNT001", Severity.INFO)]
        named = frozenset({"k/kustomization.yaml"})
        assert in_directory({"k/kustomization.yaml": text}, named) == [("LNT001", Severity.ERROR)]


def test_a_resource_whose_name_is_filled_in_is_not_missing() -> None:
    text = "resources:\n- ${{ values.name }}.yaml\n- '{{ name }}'\n- ${NAME}/a.yaml\n"
    assert "LNT004" not in {reported.code for reported in linted({"kustomization.yaml": text}).diagnostics}


def test_what_helm_renders_gets_its_namespace_from_the_release() -> None:
    account = "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: a}\n"
    files = {"c/Chart.yaml": "name: c\n", "c/templates/sa.yaml": account}
    assert "CNF007" not in codes(files, WHOLE)
    assert "CNF007" in codes({"c/sa.yaml": account}, WHOLE)


@pytest.mark.parametrize(
    "version",
    [
        *("tanka.dev/v1alpha1", "backstage.io/v1alpha1", "skaffold/v4beta11", "k3d.io/v1", "kuttl.dev/v1beta1"),
        *("scaffolder.backstage.io/v1beta3", "holodeck.nvidia.com/v1alpha1", "chainsaw.kyverno.io/v1alpha1"),
        "cli.kyverno.io/v1alpha1",
    ],
)
def test_names_in_files_of_other_tools_are_not_checked(version: str) -> None:
    text = f"apiVersion: {version}\nkind: Environment\nmetadata: {{name: environments/PROD}}\n"
    assert codes({"spec.yaml": text}) == []
    assert codes({"spec.yaml": text.replace(version, "example.com/v1")}) == ["CNF003"]


@pytest.mark.parametrize(("group", "kind"), [("user.openshift.io", "Group"), ("image.openshift.io", "ImageStream")])
def test_openshift_allows_more_in_names_of_its_own_api_servers(group: str, kind: str) -> None:
    text = f"apiVersion: {group}/v1\nkind: {kind}\nmetadata: {{name: label_sync}}\n"
    assert codes({"a.yaml": text}) == []
    assert codes({"a.yaml": text.replace("label_sync", "label/sync")}) == ["CNF003"]
    assert codes({"a.yaml": text.replace(group, "operator.openshift.io")}) == ["CNF003"]


@pytest.mark.parametrize(
    "name", ["<%= name %>", "#{Octopus.Env}", "app-#{env}#", "{{ name }}", "{% if a %}b{% endif %}"]
)
def test_names_that_other_templates_fill_in(name: str) -> None:
    assert in_directory({"a.yaml": NAMESPACE.replace("name: gpu", f"name: '{name}'")}) == [("LNT001", Severity.INFO)]
