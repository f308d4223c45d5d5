"""Template repositories: tokens that a tool replaces, kustomizations that Jinja or Backstage renders."""

import subprocess
from pathlib import Path

import pytest

from gitgpu.diagnostic import Severity
from gitgpu.load.read import read_paths
from gitgpu.load.schemas import Schemas
from gitgpu.load.text import Text
from gitgpu.objects.manifest.manifests import read_manifests
from gitgpu.rules.norms import norms
from gitgpu.runs.lint import lint
from tests.helping.cases import for_each
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


@for_each(
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


@for_each("name", ["<%= name %>", "#{Octopus.Env}", "app-#{env}#", "{{ name }}", "{% if a %}b{% endif %}"])
def test_names_that_other_templates_fill_in(name: str) -> None:
    assert in_directory({"a.yaml": NAMESPACE.replace("name: gpu", f"name: '{name}'")}) == [("LNT001", Severity.INFO)]


POD = "apiVersion: v1\nkind: Pod\nmetadata: {name: NAME}\nspec: {containers: [{name: a, image: 'a:1'}]}\n"


def pods(name: str, count: int, path: str = "d/{}.yaml") -> dict[str, str]:
    """Pods with a placeholder in their names."""
    return {path.format(at): POD.replace("NAME", name) for at in range(count)}


@for_each(
    "name",
    [
        *("'a-${NAME}'", "'${Rand.RFC1123Subdomain}'", "$NAME", "'<your-name>'", "'<<AZ>>'", "NAMESPACE", "a-V_ZONE"),
        *("AUTOMATIC_REPLACE", "a-$$name$$", "FILLED BY THE OPERATOR", "MACHINESET_NAME"),
    ],
)
def test_ten_files_with_placeholders_of_any_form_are_templates(name: str) -> None:
    assert in_directory(pods(name, 10)) == [("LNT001", Severity.INFO)]
    assert in_directory(pods(name, 2)) == [("LNT002", Severity.INFO)]  # one note a folder
    assert in_directory(pods(name, 2, "d{}/a.yaml")) == [("LNT002", Severity.INFO)] * 2
    assert in_directory(pods(name, 1), frozenset({"d/0.yaml"})) == [("LNT002", Severity.ERROR)]


@for_each(
    "name",
    [
        *("...", "my-...", "<name>", "SET_AT_RUNTIME", "MACHINESET_NAME", "PLACEHOLDER", "XXXX", "TODO", "'@NAME@'"),
        *("'[name]'", "'%(name)s'", "your_name", "__NAME__"),
    ],
)
def test_a_placeholder_as_a_name_is_a_note_in_a_directory(name: str) -> None:
    assert in_directory(pods(name, 1)) == [("LNT002", Severity.INFO)]
    assert in_directory(pods(name, 1), frozenset({"d/0.yaml"})) == [("LNT002", Severity.ERROR)]


@for_each("name", ["Chat", "CHAT", "Chat_A", "time_slicing", "a..b", "MY-APP"])
def test_a_wrong_name_is_no_placeholder(name: str) -> None:
    assert in_directory(pods(name, 1)) == [("CNF003", Severity.ERROR)]


def test_a_role_may_have_a_name_in_capitals() -> None:
    role = "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: NODE_READER}\nrules: []\n"
    assert in_directory({"a.yaml": role}) == []


def test_images_in_capitals_are_placeholders() -> None:
    files = {f"d/{at}.yaml": POD.replace("NAME", f"a{at}").replace("a:1", "gcr.io/V_PROJECT/a:1") for at in range(10)}
    assert in_directory(files) == [("LNT001", Severity.INFO)]
    variables = {f"d/{at}.yaml": POD.replace("NAME", f"a{at}") + "# image: V_PROJECT\n" for at in range(10)}
    assert in_directory(variables) == []


@for_each(
    "file",
    [
        *("d/a.tftpl.yaml", "d/a.tpl.yaml", "d/template.yaml", "d/deployment-template.yaml", "templates/x/a.yaml"),
        *("manifest-templates/a.yaml", "_namespace_template/app/a.yaml", "d/a.ftl.yaml", "d/template-pod.yaml"),
    ],
)
def test_a_file_whose_name_says_that_it_is_a_template(file: str) -> None:
    for name in ("'a-${NAME}'", "NAMESPACE", "'<your-name>'"):
        assert in_directory({file: POD.replace("NAME", name)}) == [("LNT001", Severity.INFO)]
    assert in_directory({file: POD.replace("NAME", "A")}) == [("CNF003", Severity.ERROR)]  # no placeholder


def test_a_folder_of_files_for_terraform() -> None:
    both = pods("'${name}'", 2)
    assert in_directory(both) == [("LNT001", Severity.INFO)]
    assert in_directory(both | pods("b", 1, "d/b.yaml")) == [("LNT002", Severity.INFO)]
    assert in_directory(pods("'${NAME}'", 2)) == [("LNT002", Severity.INFO)]


@pytest.mark.parametrize(
    ("file", "content", "is_rendered"),
    [
        ("main.tf", 'manifest = templatefile("${path.module}/k8s/pod.yaml", {})', True),
        ("k8s/run.sh", "envsubst < pod.yaml | kubectl apply -f -", True),
        ("README.md", "Run `envsubst < k8s/pod.yaml | kubectl apply -f -`.", True),
        ("README.md", "Fill in pod.yaml.", False),
        ("run.sh", "envsubst < other.yaml", False),
        ("elsewhere/main.tf", 'templatefile("pod.yaml", {})', False),
    ],
)
def test_a_file_that_another_one_renders(
    file: str, content: str, is_rendered: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    written = {"k8s/pod.yaml": POD.replace("NAME", "'${NAME}'"), "k8s/b.yaml": NAMESPACE, file: content}
    for name, text in written.items():
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text(text, encoding="utf-8")
    texts, _ = read_paths(["."])
    reported = lint(read_manifests(texts, frozenset()), (), norms(Schemas(), CATALOG), ASKED).diagnostics
    assert [finding.code for finding in reported] == (["LNT001"] if is_rendered else ["LNT002"])


@for_each("name", ["'make-pod-n{}'", "'{name}-a'", "'job-%d'", "'%s'", "'%[1]s-a'"])
def test_a_name_that_a_program_formats_makes_a_template(name: str) -> None:
    assert in_directory({"a.yaml": POD.replace("NAME", name)}) == [("LNT001", Severity.INFO)]
    assert in_directory({"a.yaml": POD.replace("NAME", "'50%'")}) == [("CNF003", Severity.ERROR)]


def test_what_flux_fills_in_is_no_template() -> None:
    flux = (
        "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: k, namespace: flux-system}\n"
        "spec:\n  interval: 1m\n  prune: true\n  path: ./d\n  sourceRef: {kind: GitRepository, name: flux-system}\n"
        "  postBuild: {substitute: {NAME: b}}\n"
    )
    reported = in_directory({**pods("'a-${NAME}'", 12), "flux/k.yaml": flux})
    assert "LNT001" not in [code for code, _ in reported]


def test_a_missing_file_that_is_made_later_is_a_note() -> None:
    def found(files: dict[str, str]) -> list[tuple[str, Severity]]:
        return in_directory({**files, "a/b.yaml": NAMESPACE})

    assert found({"a/kustomization.yaml": "resources: [b.yaml, c.yaml]\n"}) == [("LNT004", Severity.ERROR)]
    named = "a/templates/kustomization.yaml"
    assert found({named: "resources: [../b.yaml, c.yaml]\n"}) == [("LNT004", Severity.INFO)]
    for template in ("a/x/c.tpl.yaml", "a/c.yaml.example", "a/c.yaml.tpl"):
        made = {"a/kustomization.yaml": "resources: [b.yaml, c.yaml]\n", template: NAMESPACE}
        assert ("LNT004", Severity.INFO) in found(made), template
    assert found({"a/kustomization.yaml": "resources: [b.yaml, flux-system]\n"}) == [("LNT004", Severity.INFO)]


def test_the_nearest_template_of_a_missing_file_is_named() -> None:
    kustomization = {"a/kustomization.yaml": "resources: [c.yaml]\n"}
    templates = ("a-b/c.tpl.yaml", "a/x/y/c.tpl.yaml", "a/z/c.tpl.yaml", "a/x/c.yaml.tpl")
    read = linted({**kustomization, **dict.fromkeys(templates, NAMESPACE)})
    (note,) = [finding for finding in read.diagnostics if finding.code == "LNT004"]
    assert note.message == "a/c.yaml is not checked: it is made from a/x/c.yaml.tpl"
    elsewhere = linted({**kustomization, "a-b/c.tpl.yaml": NAMESPACE})
    assert [finding.severity for finding in elsewhere.diagnostics if finding.code == "LNT004"] == [Severity.ERROR]


def test_a_missing_file_that_git_ignores_is_a_note(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    subprocess.run(["git", "init", "-q"], check=True)
    files = {".gitignore": "secret.yaml\n", "k/kustomization.yaml": "resources: [secret.yaml, other.yaml]\n"}
    for name, text in files.items():
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text(text, encoding="utf-8")
    reported = linted({"k/kustomization.yaml": files["k/kustomization.yaml"]}).diagnostics
    missing = {finding.message.split()[0]: finding.severity for finding in reported if finding.code == "LNT004"}
    assert missing == {"k/secret.yaml": Severity.INFO, "k/other.yaml:": Severity.ERROR}


def test_kustomize_builds_a_kustomization_with_a_key_twice() -> None:
    twice = "resources: [a.yaml]\nnamespace: x\nnamespace: x\n"
    files = {"kustomization.yaml": twice, "a.yaml": POD.replace("NAME", "a")}
    assert in_directory(files) == [("YML002", Severity.WARNING)]
    files["kustomization.yaml"] = twice.replace("space: x", "space: y", 1)
    assert in_directory(files) == [("YML002", Severity.ERROR)]
    assert ("YML002", Severity.ERROR) in in_directory({"b.yaml": NAMESPACE + "kind: Namespace\n"})


@pytest.mark.parametrize("file", ["driver-pod-template.yaml", "x/executor_podtemplate.yml"])
def test_spark_completes_a_pod_template(file: str) -> None:
    pod = "apiVersion: v1\nkind: Pod\nmetadata: {labels: {a: b}}\nspec: {nodeSelector: {a: b}}\n"
    assert in_directory({file: pod}) == []
    assert [code for code, _ in in_directory({file: pod.replace("nodeSelector: {a: b}", "nodeSelector: 5")})] == [
        "CNF001"
    ]
    named = pod.replace("labels: {a: b}", "name: a")
    assert ("CNF001", Severity.ERROR) in in_directory({"pod.yaml": named})


def test_a_pod_without_a_name_that_is_not_complete_is_a_template() -> None:
    """Neither Spark nor Airflow asks for a file name, and kubectl refuses such a Pod."""
    for metadata in ("metadata: {labels: {a: b}}\n", "metadata: {namespace: spark}\n", ""):
        pod = f"apiVersion: v1\nkind: Pod\n{metadata}spec: {{nodeSelector: {{a: b}}}}\n"
        assert in_directory({"exec.yaml": pod}) == [("CNF001", Severity.INFO)], metadata
        wrong = pod.replace("nodeSelector: {a: b}", "nodeSelector: 5, tolerations: [{key: a, operator: 5}]")
        assert in_directory({"exec.yaml": wrong}).count(("CNF001", Severity.ERROR)) == 2
    unnamed = "apiVersion: v1\nkind: Pod\nspec: {containers: [{image: a:1}, {image: b:1}]}\n"
    assert in_directory({"driver.yaml": unnamed}) == [("CNF001", Severity.INFO)]
    for metadata in ("name: a", "generateName: a-"):
        assert ("CNF001", Severity.ERROR) in in_directory({"driver.yaml": f"{unnamed}metadata: {{{metadata}}}\n"})
    listed = {"a/driver.yaml": unnamed, "a/kustomization.yaml": "resources: [driver.yaml]\n"}
    assert ("CNF001", Severity.ERROR) in in_directory(listed)
    flux = (
        "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\n"
        "metadata: {name: a, namespace: flux-system}\nspec:\n  interval: 1m\n  prune: true\n  path: ./a\n"
        "  sourceRef: {kind: GitRepository, name: flux-system}\n"
    )
    applied = {"a/driver.yaml": unnamed, "clusters/a.yaml": flux}
    assert ("CNF001", Severity.ERROR) in in_directory(applied)
    deployment = "apiVersion: apps/v1\nkind: Deployment\nspec: {replicas: 1}\n"
    assert ("CNF001", Severity.ERROR) in in_directory({"a.yaml": deployment})


def test_a_dependency_that_another_cluster_of_the_repository_has_is_not_missing() -> None:
    flux = (
        "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\n"
        "metadata: {name: NAME, namespace: flux-system}\nspec:\n  interval: 1m\n  prune: true\n  path: ./PATH\n"
        "  sourceRef: {kind: GitRepository, name: flux-system}\n"
    )
    apps = flux.replace("NAME", "apps").replace("PATH", "apps") + "  dependsOn: [{name: NEED}]\n"
    other = flux.replace("NAME", "infra").replace("PATH", "infra")
    files = {"clusters/a/apps.yaml": apps, "clusters/b/infra.yaml": other, "apps/a.yaml": NAMESPACE}
    files["clusters/b/apps.yaml"] = flux.replace("NAME", "apps").replace("PATH", "b")  # another cluster
    needing = {name: text.replace("NEED", "infra") for name, text in files.items()}
    assert "CNF015" not in codes(needing, WHOLE)
    placed = {name: text.replace(", namespace: flux-system", "") for name, text in needing.items() if "infra" in name}
    placed["clusters/b/kustomization.yaml"] = "namespace: flux-system\nresources: [infra.yaml, apps.yaml]\n"
    assert "CNF015" not in codes({**needing, **placed}, WHOLE)
    assert "CNF015" in codes({name: text.replace("NEED", "x") for name, text in files.items()}, WHOLE)


@pytest.mark.parametrize(
    "text",
    [
        'kind: Secret\nstringData: {a: "{{ value "b" }}"}\n',
        "kind: Pod\n<#if a>\nmetadata: {name: a}\n</#if>\n",
        "kind: Pod\nmetadata: {name: a}\nspec:\n  <@b/>\n  a: b\n",
    ],
)
def test_actions_of_other_template_languages(text: str) -> None:
    assert in_directory({"a.yaml": f"apiVersion: v1\n{text}"}) == [("LNT001", Severity.INFO)]
