"""The effect of each option of lint on the same files: findings, and numbers of checked and skipped objects."""

import pytest
from syrupy.assertion import SnapshotAssertion

from gitgpu.diagnostic import in_order
from gitgpu.load.helm_values import Values, values_object
from gitgpu.load.schemas import Schemas
from gitgpu.load.text import Text
from gitgpu.objects.manifest.manifests import read_manifests
from gitgpu.report.reference.faults import faults
from gitgpu.rules.norms import norms
from gitgpu.runs.lint import CODES, LintOptions, LintResult, allowances, lint
from gitgpu.source import SourceMap, Span
from tests.helping.cases import for_each
from tests.lint.test_graph import flux, git
from tests.lint.test_lint import CATALOG, CLASS, NAMESPACE, linted, pool

FILES = {
    "pools/a.yaml": pool("b"),
    "pools/b.yaml": CLASS.replace("NAME", "b") + "---\n" + CLASS.replace("NAME", "b") + "---\n" + pool("absent"),
    "pools/kustomization.yaml": "resources: [a.yaml, b.yaml, c.yaml]\nnamespace: gpu\n",
    "pools/c.yaml": NAMESPACE + "---\napiVersion: example.com/v1\nkind: Strange\nmetadata: {name: s}\n",
    "other.yaml": "a: 1\n",
    "chart/templates/x.yaml": "{{ if .Values.a }}\napiVersion: v1\nkind: ConfigMap\n{{ end }}\n",
    "wrong.yaml": "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: x}\nspec: {replicas: two}\n",
    "fleet.yaml": "apiVersion: gitgpu.dev/v1alpha1\nkind: Fleet\nmetadata: {name: x}\nspec: {}\n",
    "crd.yaml": "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Secret\n  metadata: {name: t}\n"
    "- apiVersion: example.com/v1\n  kind: Strange\n  metadata: {name: t}\n",
    "flux.yaml": "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: k, namespace: f}\n"
    "spec: {interval: 1h, prune: true, path: ./pools, sourceRef: {kind: GitRepository, name: g}}\n",
    "values.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: m}\ndata: {a: 1}\n",
    "old.yaml": "apiVersion: policy/v1beta1\nkind: PodDisruptionBudget\nmetadata: {name: p}\nspec: {minAvailable: 1}\n",
}
BASE = LintOptions("1.34")
OPTIONS = {
    "strict": {"strict": True},
    "ignore missing": {"ignore_missing": True},
    "strict, but ignore missing": {"strict": True, "ignore_missing": True},
    "closed": {"closed": True},
    "named": {"named": frozenset({"other.yaml", "fleet.yaml", "pools/a.yaml"})},
    "skip a kind": {"skip": frozenset({"Strange", "NodePool"})},
    "skip a version": {"skip": frozenset({"v1/Secret", "apps/v1/Deployment", "v2/ConfigMap"})},
    "locked": {"locked": frozenset({("pools/a.yaml", "1.30"), ("pools/b.yaml", "1.30")})},
    "locked differently": {"locked": frozenset({("pools/a.yaml", "1.30"), ("pools/b.yaml", "1.33")})},
    "an old version": {"kubernetes": "1.20"},
    "a new version": {"kubernetes": "1.99"},
}


def shown(options: LintOptions) -> list[str]:
    """The result of the files as lines."""
    result = linted(FILES, options)
    lines = [f"  {each.span} {each.severity} {each.code}: {each.message}" for each in in_order(result.diagnostics)]
    return [f"  {result.objects} objects, {result.skipped} skipped", *lines]


def test_what_each_option_changes(snapshot: SnapshotAssertion) -> None:
    without_options = shown(BASE)
    recorded = ["without options", *without_options]
    for name, keys in OPTIONS.items():
        lines = shown(BASE._replace(**keys))  # type: ignore[arg-type]
        gone = [f"  -{line}" for line in without_options if line not in lines]
        recorded += [name, *gone, *(f"  +{line}" for line in lines if line not in without_options)]
    assert "\n".join(recorded) == snapshot


def test_every_code_of_lint_is_explained() -> None:
    """Options and annotations accept these codes and those of rules."""
    assert sorted(CODES) == sorted(fault.code for fault in faults() if fault.code.startswith(("CRD", "LNT")))


def test_values_of_a_chart_need_no_manifest() -> None:
    text = Text("values.yaml", "unheard: 1\n", "values.yaml")
    values = Values(values_object("gpu-operator", {"unheard": 1}), SourceMap.of(Span("values.yaml", 1, 1)), text)
    result = lint(read_manifests([]), [values], norms(Schemas(), CATALOG), BASE)
    assert [each.code for each in result.diagnostics] == ["STK033"]
    assert (result.objects, result.skipped) == (0, 0)


def test_a_template_beside_other_files_is_one_skipped_document() -> None:
    text = "{{ if .Values.a }}\napiVersion: v1\nkind: ConfigMap\n{{ end }}\n"
    texts = [Text("chart/templates/x.yaml", text, "chart/templates/x.yaml"), Text("a.yaml", NAMESPACE, "a.yaml")]
    result = lint(read_manifests(texts, frozenset()), [], norms(Schemas(), CATALOG), BASE)
    assert (result.objects, result.skipped) == (1, 1)


def test_an_object_that_kustomize_reads_itself_is_skipped() -> None:
    result = linted({"a.yaml": f"apiVersion: builtin\nkind: LabelTransformer\nmetadata: {{name: a}}\n---\n{NAMESPACE}"})
    assert result == LintResult((), 1, 1)
    strict = linted({"a.yaml": "apiVersion: builtin\nkind: LabelTransformer\n"}, BASE._replace(strict=True))
    assert strict == LintResult((), 0, 1)
    wrong = linted({"a.yaml": "apiVersion: builtins\nkind: Namespace\nmetadata: {name: a}\n"})
    assert [each.code for each in wrong.diagnostics] != []


@pytest.mark.parametrize(
    ("more", "noted"), [("", True), ("  postBuild: {substitute: {owner: platform}}\n", False)], ids=["without", "with"]
)
def test_a_variable_that_flux_fills_in_needs_no_note(more: str, *, noted: bool) -> None:
    variable = NAMESPACE.replace("{name: gpu}", '{name: gpu, labels: {owner: "${owner}"}}')
    result = linted({"a.yaml": flux("a", "./apps", more), "b.yaml": git("flux-system"), "apps/a.yaml": variable})
    notes = [each for each in result.diagnostics if "no Flux Kustomization in the input replaces it" in each.message]
    assert bool(notes) is noted
    remedy = "lint the directory with the Flux Kustomizations too; fields with such values are not checked"
    assert all(note.help == remedy for note in notes)


@pytest.mark.parametrize(
    ("beside", "text"), [({}, "$${N}"), ({"f.yaml": flux("a", "./apps")}, "${N}")], ids=["without Flux", "with Flux"]
)
def test_only_flux_reads_an_escaped_variable(beside: dict[str, str], text: str) -> None:
    scaled = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a}\nspec: {replicas: '$${N}'}\n"
    reported = linted({"a.yaml": scaled} | beside).diagnostics
    assert f"must be a whole number; found the text '{text}'" in {each.message for each in reported}


@pytest.mark.parametrize(
    ("others", "words"),
    [("", ": no Flux"), ("z", ", and so does 1 other object: no Flux"), ("dz", ", and so do 2 other objects: no Flux")],
)
def test_variables_that_nothing_fills_in_are_one_note_at_the_first_of_them(others: str, words: str) -> None:
    variable = NAMESPACE.replace("{name: gpu}", '{name: gpu, labels: {owner: "${owner}"}}')
    files = {"a.yaml": flux("a", "./apps"), **{f"{name}.yaml": variable for name in ("c", *others)}}
    (note,) = (each for each in linted(files).diagnostics if "no Flux Kustomization" in each.message)
    assert note.span.file == "c.yaml"
    assert f"${{owner}}{words}" in note.message


def test_with_the_whole_cluster_only_what_is_delivered_is_complete() -> None:
    """Objects that neither Flux nor Argo CD applies may be for another cluster, which has the node class."""
    closed = BASE._replace(closed=True)
    assert [each.code for each in linted({"a.yaml": pool("absent")}, closed).diagnostics] == ["CNF012"]
    delivered = {"clusters/a.yaml": flux("a", "./apps"), "apps/b.yaml": NAMESPACE}
    assert [each.code for each in linted({"a.yaml": pool("absent")} | delivered, closed).diagnostics] == []
    delivered["apps/a.yaml"] = pool("absent")
    assert [each.code for each in linted(delivered, closed).diagnostics] == ["CNF012"]


def test_a_scale_target_is_missing_only_if_all_that_is_applied_is_known() -> None:
    workload = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: NAME, namespace: a}\nspec:\n"
    workload += "  selector: {matchLabels: {a: b}}\n  template:\n    metadata: {labels: {a: b}}\n"
    workload += "    spec: {containers: [{name: c, image: 'x/y:1'}]}\n"
    scaler = "apiVersion: keda.sh/v1alpha1\nkind: ScaledObject\nmetadata: {name: s, namespace: a}\nspec:\n"
    scaler += "  scaleTargetRef: {name: absent}\n  triggers: [{type: redis, metadata: {address: 'r:1', listName: l}}]\n"
    files = {"clusters/a.yaml": flux("a", "./apps"), "apps/d.yaml": f"{workload.replace('NAME', 'd')}---\n{scaler}"}
    closed = BASE._replace(closed=True)
    assert "KED022" in {each.code for each in linted(files, closed).diagnostics}
    assert "KED022" not in {each.code for each in linted(files).diagnostics}
    unknown = {**files, "clusters/b.yaml": flux("b", "./elsewhere")}
    assert "KED022" not in {each.code for each in linted(unknown, closed).diagnostics}
    there = {**files, "apps/e.yaml": workload.replace("NAME", "absent")}
    assert "KED022" not in {each.code for each in linted(there, closed).diagnostics}


def test_an_unknown_kind_in_two_namespaces_is_skipped_once() -> None:
    thing = "apiVersion: example.org/v1\nkind: Thing\nmetadata: {name: a}\n"
    files = {"apps/a.yaml": f"{thing}---\n{NAMESPACE}", "b.yaml": git("flux-system")}
    files |= {f"{name}.yaml": flux(name, "./apps", f"  targetNamespace: {name}\n") for name in ("one", "two")}
    alone = linted({name: text for name, text in files.items() if name != "two.yaml"})
    both = linted(files)
    assert (both.objects, both.skipped) == (alone.objects + 1, alone.skipped) == (4, 1)


def test_an_object_in_two_overlays_is_counted_once() -> None:
    thing = "apiVersion: example.org/v1\nkind: Thing\nmetadata: {name: a}\n"
    files = {"base/kustomization.yaml": "resources: [a.yaml, b.yaml]\n", "base/a.yaml": thing, "base/b.yaml": NAMESPACE}
    for name in ("one", "two"):
        files[f"{name}/kustomization.yaml"] = f"resources: [../base]\nnamespace: {name}\n"
    result = linted(files)
    assert (result.objects, result.skipped) == (1, 1)
    skipped = linted(files, BASE._replace(skip=frozenset({"Namespace"})))
    assert (skipped.objects, skipped.skipped) == (0, 2)


def test_an_unknown_kind_that_two_overlays_patch_is_skipped_once() -> None:
    thing = "apiVersion: example.org/v1\nkind: Thing\nmetadata: {name: a}\n"
    files = {"base/kustomization.yaml": "resources: [a.yaml]\n", "base/a.yaml": thing}
    for name in ("one", "two"):
        patch = f"{{target: {{kind: Thing}}, patch: '[{{op: add, path: /metadata/labels, value: {{of: {name}}}}}]'}}"
        files[f"{name}/kustomization.yaml"] = f"resources: [../base]\npatches: [{patch}]\n"
    result = linted(files)
    assert (result.objects, result.skipped) == (0, 1)


ANNOTATED = "metadata: {name: x, namespace: n, annotations: {gitgpu.dev/ignore: TEXT}}\n"


@for_each(
    ("metadata", "expected"),
    [
        (
            ANNOTATED.replace("TEXT", '"POD001: known; POD002,POD003: too"'),
            [(("POD001",), 3), (("POD002", "POD003"), 3)],
        ),
        (
            "metadata:\n  name: x\n  annotations:\n    a: b\n    gitgpu.dev/ignore: 'POD001: known'\n",
            [(("POD001",), 7)],
        ),
        (ANNOTATED.replace("TEXT", "1"), []),
        (ANNOTATED.replace("{gitgpu.dev/ignore: TEXT}", "[]"), []),
        ("metadata: []\n", []),
        ("metadata: {name: x}\n", []),
        ("spec: {}\n", []),
    ],
)
def test_the_allowances_of_annotations(metadata: str, expected: list[tuple[tuple[str, ...], int]]) -> None:
    text = f"apiVersion: apps/v1\nkind: Deployment\n{metadata}"
    listed = list(allowances(read_manifests([Text("a.yaml", text, "a.yaml")])))
    assert [(each.codes, each.place.line) for each in listed] == expected
    assert {each.target for each in listed} <= {("a.yaml", ("Deployment", "", "x"))}
