"""`lint` in typical use: files, directories, standard input, fixes, selection and suppressions."""

import io
import json
from pathlib import Path

import pytest
import yaml
from syrupy.assertion import SnapshotAssertion

from gitgpu.load.generated import BY, advice
from gitgpu.load.read import data_text
from gitgpu.rules.object_rulebook import object_rules
from tests.cli.conftest import Run
from tests.cli.fleets import write

SLIPS = """\
apiVersion: karpenter.sh/v1
kind: NodePool
metadata:
  name: cpu
spec:
  # how nodes go away
  disruption:
    expireAfter: 720h  # the place of v1beta1
    consolidationPolicy: WhenEmptyOrUnderUtilized
    budgets:
    - nodes: 0
  template:
    spec:
      nodeClassRef: {group: karpenter.azure.com, kind: AKSNodeClass, name: plain}
      requirements: []
---
apiVersion: karpenter.azure.com/v1beta1
kind: AKSNodeClass
metadata: {name: plain}
spec:
  imagefamily: Ubuntu2204
  gpu: {mode: driver}
  tags: {EnableManagedGPUExperience: true}
"""
SOUND = "apiVersion: v1\nkind: Namespace\nmetadata: {name: gpu}\n"
WRONG = "apiVersion: v1\nkind: Namespace\nmetadata: {name: Gpu}\n"


def test_mistakes_of_published_examples(run: Run, snapshot: SnapshotAssertion) -> None:
    Path("pool.yaml").write_text(SLIPS)
    ran = run("lint", "pool.yaml")
    assert ran.code == 1
    assert ran.out + ran.err == snapshot


def test_fixes_keep_comments_and_layout_and_need_no_second_run(run: Run, snapshot: SnapshotAssertion) -> None:
    Path("pool.yaml").write_text(SLIPS)
    shown = run("lint", "pool.yaml", "--diff")
    assert (shown.out, shown.err) == snapshot
    assert Path("pool.yaml").read_text() == SLIPS
    assert run("lint", "pool.yaml", "--fix").code == 0
    done = Path("pool.yaml").read_text()
    assert "# the place of v1beta1" in done
    assert "# how nodes go away" in done
    again = run("lint", "pool.yaml", "--fix")
    assert again.code == 0
    assert "0 fixed in 0 files" in again.err
    assert Path("pool.yaml").read_text() == done


def test_lint_reads_standard_input_and_cannot_fix_it(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(WRONG.encode())))
    ran = run("lint", "-", "-o", "json")
    (result,) = json.loads(ran.out)["results"]
    assert (ran.code, result["file"], result["line"]) == (1, "stdin", 3)
    assert run("lint", "-", "--fix").code == 2


def test_a_directory_is_searched_and_this_one_is_the_default(run: Run) -> None:
    Path("a/b").mkdir(parents=True)
    Path("a/b/x.yml").write_text(WRONG)
    Path("a/y.json").write_text('{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "ok"}}')
    for arguments in (("lint",), ("lint", "a"), ("lint", "a", "a/b/x.yml")):
        ran = run(*arguments)
        assert (ran.code, ran.err.strip()) == (1, "Summary: 2 objects in 2 files - 1 error, 0 warnings")


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ((), 1),
        (("--ignore", "CNF003"), 0),
        (("--ignore", "CNF"), 0),
        (("--select", "POD,NPL"), 0),
        (("--select", "SKU"), 2),
        (("--select", "CNF"), 1),
        (("--fail-on", "never"), 0),
        (("--skip", "Namespace"), 0),
        (("--select", "what"), 2),
        (("--today", "tomorrow"), 2),
        (("--values", "gpu-operator"), 2),
        (("--crds", "nowhere"), 2),
        (("--kubernetes-version", "1.30", "--ignore", "CNF003"), 0),
        (("--kubernetes-version", "latest"), 2),
    ],
)
def test_the_command_line_selects_findings(run: Run, arguments: tuple[str, ...], code: int) -> None:
    Path("a.yaml").write_text(WRONG)
    assert run("lint", "a.yaml", *arguments).code == code


def test_the_command_line_takes_precedence_over_the_configuration(run: Run) -> None:
    Path("a.yaml").write_text(WRONG)
    Path(".gitgpu.yaml").write_text("apiVersion: gitgpu.dev/v1alpha1\nkind: Config\nlint: {skip: [Namespace]}\n")
    assert run("lint", "a.yaml").code == 0
    assert run("lint", "a.yaml", "--skip", "Pod").code == 1
    Path(".gitgpu.yaml").write_text(
        'apiVersion: gitgpu.dev/v1alpha1\nkind: Config\nlint: {kubernetesVersion: "1.99"}\n'
    )
    assert "Kubernetes 1.99 is not bundled" in run("lint", "a.yaml").out
    assert "is not bundled" not in run("lint", "a.yaml", "--kubernetes-version", "1.36").out


def test_comments_and_annotations_suppress_findings(run: Run) -> None:
    Path("a.yaml").write_text(WRONG.replace("}\n", "} # gitgpu: ignore[CNF003] an old name\n"))
    assert run("lint", "a.yaml").out == ""
    Path("a.yaml").write_text(WRONG.replace("Gpu}", 'Gpu, annotations: {gitgpu.dev/ignore: "CNF003: an old name"}}'))
    assert run("lint", "a.yaml").out == ""
    Path("a.yaml").write_text(SOUND.replace("}\n", "} # gitgpu: ignore[CNF003] an old name\n"))
    assert "warning[ALW001] there is no CNF003 finding to suppress" in run("lint", "a.yaml").out


@pytest.mark.parametrize(
    ("file", "text"),
    [
        (
            ".gitgpu.yaml",
            """\
apiVersion: gitgpu.dev/v1alpha1
kind: Config
lint: {paths: [apps]}
allow:
- {code: CNF003, reason: an old name, object: Namespace/Gpu, until: "2027-01-31"}
""",
        ),
        (
            "pyproject.toml",
            """\
[tool.gitgpu]
lint.paths = ["apps"]

[[tool.gitgpu.allow]]
code = "CNF003"
reason = "an old name"
until = "2027-01-31"
""",
        ),
    ],
)
def test_the_configuration_selects_findings(run: Run, monkeypatch: pytest.MonkeyPatch, file: str, text: str) -> None:
    Path("apps/below").mkdir(parents=True)
    Path("apps/a.yaml").write_text(WRONG)
    Path("other.yaml").write_text(WRONG)
    Path(file).write_text(text)
    assert run("lint").err.strip() == "Summary: 1 object in 1 file - 0 errors, 0 warnings"
    ended = run("lint", "--today", "2027-02-01")
    assert (ended.code, "ALW003" in ended.out) == (1, True)
    monkeypatch.chdir("apps/below")
    assert run("lint").code == 0


def test_values_files_are_read_when_named_as_such(run: Run) -> None:
    Path("values.yaml").write_text("driver: {enabled: false}\n")
    Path("a.yaml").write_text(SOUND)
    ran = run("lint", "a.yaml", "--values", "gpu-operator=values.yaml")
    assert "Traceback" not in ran.err
    assert all(line.startswith("values.yaml") for line in ran.out.splitlines() if "[" in line.split(" ")[0])
    assert run("lint", "a.yaml", "--values", "gpu-operator=nowhere.yaml").code == 2
    stranger = run("lint", "a.yaml", "--values", "gpu-operater=values.yaml")
    assert (stranger.code, "LNT007" in stranger.out) == (1, True)
    for comment in ("", "  # gitgpu: ignore[STK033] for the next version"):
        Path("values.yaml").write_text(f"unheard: 1{comment}\n")
        ran = run("lint", "a.yaml", "--values", "gpu-operator=values.yaml")
        assert ("STK033" in ran.out) is not bool(comment)
    head = "apiVersion: gitgpu.dev/v1alpha1\nkind: Config\n"
    Path(".gitgpu.yaml").write_text(f"{head}lint: {{values: {{gpu-operator: [other.yaml]}}}}\n")
    Path("other.yaml").write_text("unknown: 1\n")
    assert "other.yaml:1" in run("lint", "a.yaml").out
    assert "other.yaml:1" not in run("lint", "a.yaml", "--values", "gpu-operator=values.yaml").out


@pytest.mark.parametrize("pair", ["gpu-operator", "gpu-operator=", "=values.yaml"])
def test_values_need_a_chart_and_a_file(run: Run, pair: str) -> None:
    Path("values.yaml").write_text("driver: {enabled: false}\n")
    Path("a.yaml").write_text(SOUND)
    ran = run("lint", "a.yaml", "--values", pair)
    expected = f"Invalid value for --values: '{pair}' is not CHART=FILE, such as gpu-operator=values.yaml"
    assert (ran.code, ran.out, expected in ran.err) == (2, "", True)


def test_a_version_that_is_not_bundled_is_reported(run: Run) -> None:
    Path("a.yaml").write_text(SOUND)
    assert "info[CNF010] Kubernetes 1.99 is not bundled" in run("lint", "a.yaml", "--kubernetes-version", "1.99").out


def test_the_overlays_record_the_kubernetes_version_of_a_cluster(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    flow = "apiVersion: flowcontrol.apiserver.k8s.io/v1beta3\nkind: FlowSchema\nmetadata: {name: a}\n"
    spec = "spec: {priorityLevelConfiguration: {name: exempt}}\n"
    for cluster, version in (("old", "1.31"), ("new", "1.36")):
        header = f"# {advice(f'{cluster}/nodes/flow.yaml')}\n"
        write(f"{header}{flow}{spec}", f"overlays/{cluster}/nodes/flow.yaml")
        write(flow.replace("name: a", "name: b") + spec, f"overlays/{cluster}/nodes/stray.yaml")
        index = f"# {BY}.\n# {advice(f'{cluster}/kustomization.yaml')}\n# Kubernetes {version}\n"
        write(f"{index}kind: Kustomization\nresources: [nodes]\n", f"overlays/{cluster}/kustomization.yaml")

    def files(*arguments: str) -> set[str]:
        report = json.loads(run("lint", "-o", "json", *arguments).out)
        return {result["file"] for result in report["results"] if result["code"] == "CNF016"}

    assert files("overlays/old/nodes/flow.yaml") == set()
    assert files("overlays/new") == {"overlays/new/nodes/flow.yaml", "overlays/new/nodes/stray.yaml"}
    assert files("overlays/old/nodes/flow.yaml", "--kubernetes-version", "1.36") == {"overlays/old/nodes/flow.yaml"}
    assert files("overlays/old/nodes/stray.yaml") == {"overlays/old/nodes/stray.yaml"}  # a foreign file
    monkeypatch.chdir("overlays/old/nodes")
    assert files("flow.yaml") == set()
    Path("../kustomization.yaml").write_text("{")
    assert files("flow.yaml") == {"flow.yaml"}


def test_a_broken_row_of_your_own_is_reported_and_not_used(run: Run) -> None:
    Path("cat/charts").mkdir(parents=True)
    Path("cat/charts/keda.yaml").write_text("name: keda\n")
    Path(".gitgpu.yaml").write_text("apiVersion: gitgpu.dev/v1alpha1\nkind: Config\ncatalog: [cat]\n")
    Path("v.yaml").write_text("a: 1\n")
    Path("a.yaml").write_text(SOUND.replace("v1", "v0"))
    for more in ([], ["--diff"], ["--values", "keda=v.yaml"]):
        ran = run("lint", "a.yaml", *more)
        assert (ran.code, "error[CAT004]" in ran.out, "CNF" in ran.out) == (1, True, False)
        assert ran.err.splitlines()[-1].startswith("Summary: 0 objects in ")
    report = json.loads(run("lint", "a.yaml", "-o", "json").out)
    assert (report["summary"]["objects"], report["summary"]["skipped"]) == (0, 0)


@pytest.mark.parametrize(
    ("version", "reported"),
    [("v2", "set apiVersion: v1"), ("V1", "set apiVersion: v1"), ("'\\0'", ""), ("apps/v1", "")],
)
def test_a_pod_of_another_version_is_not_a_pod_that_rules_look_into(run: Run, version: str, reported: str) -> None:
    spec = "spec: {containers: [{name: a, image: b, volumeMounts: [c]}]}"
    Path("a.yaml").write_text(f"apiVersion: {version}\nkind: Pod\nmetadata: {{name: a}}\n{spec}\n")
    ran = run("lint", "a.yaml")
    assert (ran.code, reported in ran.out, "bug" in ran.err) == (int(bool(ran.out)), True, False)
    deployment = f"apiVersion: apps/v2\nkind: Deployment\nmetadata: {{name: a}}\nspec: {{template: {{{spec}}}}}\n"
    Path("a.yaml").write_text(deployment)
    assert run("lint", "a.yaml").code == 0
    Path("a.yaml").write_text(deployment.replace("v2", "V1"))
    assert "set apiVersion: apps/v1" in run("lint", "a.yaml").out


def test_json_that_is_not_an_object_is_a_finding_where_it_is_named(run: Run) -> None:
    Path("runbook").mkdir()
    Path("runbook", "dashboard.json").write_text('{"panels": []}')
    Path("a.yaml").write_text("apiVersion: v1\nkind: Namespace\nmetadata: {name: a}\n")
    assert run("lint", "--strict", ".").code == 0
    assert run("lint", "--strict", "runbook/dashboard.json").code == 1
    Path("runbook", "values.yaml").write_text("a: 1\n")
    assert run("lint", "--strict", ".").code == 1


def test_crds_are_read_from_files_and_a_broken_one_is_reported(run: Run) -> None:
    Path("crd.yaml").write_text("apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec: {}\n")
    Path("a.yaml").write_text(SOUND)
    ran = run("lint", "a.yaml", "--crds", "crd.yaml")
    assert (ran.code, "CRD001" in ran.out) == (1, True)


def test_a_fleet_can_be_fixed_too(run: Run) -> None:
    Path("fleet.yaml").write_text(
        "apiVersion: gitgpu.dev/v1alpha1\nkind: Cluster\nmetadata: {name: a}\n"
        "spec: {region: swedencentral, kubernetesversion: '1.36'}  # west\n"
    )
    shown = run("validate", "--diff").out
    assert "+spec: {region: swedencentral, kubernetesVersion: '1.36'}" in shown
    assert "error[SHP" in shown
    assert "kubernetesversion" not in run("validate", "--fix").out
    assert "kubernetesVersion: '1.36'}  # west" in Path("fleet.yaml").read_text()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("env: [{name: A, value: yes}]", 'env: [{name: A, value: "yes"}]'),
        ("env: [{name: A, value: 0x1F}]", 'env: [{name: A, value: "0x1F"}]'),
        ("command: [echo, on]", 'command: [echo, "on"]'),
    ],
)
def test_quotes_go_around_what_was_written(run: Run, before: str, after: str) -> None:
    text = "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: m, image: 'x:1.0', %s}]}\n"
    Path("a.yaml").write_text(text % before)
    assert run("lint", "a.yaml", "--fix").code == 0
    assert Path("a.yaml").read_text() == text % after


@pytest.mark.parametrize(
    "disruption",
    ["{consolidationPolicy: whenEmpty, consolidateafter: 30s}", "{consolidateAfter: 30}"],
)
def test_a_fix_never_adds_findings(run: Run, disruption: str) -> None:
    pool = SLIPS.partition("---")[0]
    start = pool.index("  # how nodes go away")
    text = pool[:start] + f"  disruption: {disruption}\n" + pool[pool.index("  template:") :]
    Path("a.yaml").write_text(text)
    run("lint", "a.yaml", "--fix")
    assert "YML" not in run("lint", "a.yaml").out
    assert "consolidateAfter: 0s" not in Path("a.yaml").read_text()
    assert '"30"' not in Path("a.yaml").read_text()


def test_diff_has_priority_over_fix_and_reports_everything(run: Run) -> None:
    Path("pool.yaml").write_text(SLIPS)
    ran = run("lint", "pool.yaml", "--fix", "--diff", "-o", "json")
    assert Path("pool.yaml").read_text() == SLIPS
    assert json.loads(ran.out)["kind"] == "Findings"
    assert "+++ pool.yaml" in ran.err


def test_json_is_fixed_as_json(run: Run) -> None:
    pool = yaml.load(SLIPS.partition("---")[0], yaml.CSafeLoader)
    Path("pool.json").write_text(json.dumps(pool, indent=2))
    run("lint", "pool.json", "--fix")
    disruption = json.loads(Path("pool.json").read_text())["spec"]["disruption"]
    assert disruption["consolidationPolicy"] == "WhenEmptyOrUnderutilized"


def test_a_configuration_that_cannot_be_read_is_reported(run: Run) -> None:
    Path("a.yaml").write_text(SOUND)
    for text in ("[tool.gitgpu\n", '[tool.gitgpu]\nallow = [{code="CNF003", reason="x", until="2026-02-30"}]\n'):
        Path("pyproject.toml").write_text(text)
        assert "CFG001" in run("lint", "a.yaml").out


def test_other_pools_may_exist_unless_the_whole_cluster_is_linted(run: Run) -> None:
    (rule,) = (rule for rule in object_rules() if rule.name == "untolerated-nodepool-taint")
    Path("objects.yaml").write_text(rule.bad)

    def codes(*options: str) -> set[str]:
        return {
            result["code"] for result in json.loads(run("lint", *options, "-o", "json", "objects.yaml").out)["results"]
        }

    assert rule.code not in codes()
    assert rule.code in codes("--whole-cluster")
    Path(".gitgpu.yaml").write_text("apiVersion: gitgpu.dev/v1alpha1\nkind: Config\nlint: {wholeCluster: true}\n")
    assert rule.code in codes()


def test_crds_without_a_crd_are_reported(run: Run) -> None:
    Path("crds.yaml").write_text(SOUND)
    Path("pool.yaml").write_text(SOUND)
    ran = run("lint", "--crds", "crds.yaml", "-o", "json", "pool.yaml")
    assert ran.code == 1
    assert [result["code"] for result in json.loads(ran.out)["results"]] == ["CRD002"]


@pytest.mark.parametrize(
    "words",
    [
        ("lint", "--max-findings", "nine"),
        ("build", "--jobs", "x"),
        ("plan", "--minutes-per-node", "x"),
        ("simulate", "--budget-per-hour", "x"),
    ],
)
def test_a_word_in_place_of_a_number(run: Run, words: tuple[str, ...]) -> None:
    ran = run(*words)
    assert (ran.code, "range" in ran.err, "number" in ran.err) == (2, False, True)


def test_an_allowance_without_a_finding_is_reported_by_a_run_over_everything(run: Run) -> None:
    Path("a.yaml").write_text(SOUND)
    Path("fleet.yaml").write_text("")
    config = "apiVersion: gitgpu.dev/v1alpha1\nkind: Config\nallow: [{code: CNF003, reason: an old name}]\n"
    Path(".gitgpu.yaml").write_text(config)
    assert "ALW001" not in run("lint", "a.yaml").out
    assert "there is no CNF003 finding to suppress" in run("lint").out


def test_a_crd_whose_schema_cannot_be_read_is_reported_by_kind(run: Run) -> None:
    Path("a.yaml").write_text(SOUND)
    schema = "{openAPIV3Schema: {type: object, properties: {spec: 5}}}"
    Path("crd.yaml").write_text(
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: widgets.example.org}\n"
        "spec: {group: example.org, scope: Namespaced, names: {kind: Widget, plural: widgets},\n"
        f"  versions: [{{name: v1, served: true, storage: true, schema: {schema}}}]}}\n"
    )
    ran = run("lint", "a.yaml", "--crds", "crd.yaml")
    assert ran.code == 1
    assert ran.out == (
        "error[CRD001] the schema of the CRD of Widget cannot be read\n"
        "  = help: export it from a cluster: kubectl get crds -o yaml\n"
    )


@pytest.mark.parametrize("how", ["options", "configuration"])
def test_a_kind_without_a_schema_is_reported_only_if_asked(run: Run, how: str) -> None:
    Path("a.yaml").write_text("apiVersion: example.org/v1\nkind: Widget\nmetadata: {name: a}\n")
    codes = []
    for options, keys in (
        ((), "{}"),
        (("--strict",), "{strict: true}"),
        (("--strict", "--ignore-missing-schemas"), "{strict: true, ignoreMissingSchemas: true}"),
    ):
        lint = keys if how == "configuration" else "{}"
        Path(".gitgpu.yaml").write_text(f"apiVersion: gitgpu.dev/v1alpha1\nkind: Config\nlint: {lint}\n")
        codes.append(run("lint", "a.yaml", *(options if how == "options" else ())).code)
    assert codes == [0, 1, 0]


def test_values_of_a_chart_of_your_own_catalog(run: Run) -> None:
    row = data_text("catalog/charts/keda.yaml").replace("name: keda\nchart: keda\n", "name: mine\nchart: mine\n")
    write(row, "own/charts/mine.yaml")
    write("a: 1\n", "v.yaml")
    write(SOUND, "a.yaml")
    assert "unknown chart 'mine'" in run("lint", "a.yaml", "--values", "mine=v.yaml").out
    write("apiVersion: gitgpu.dev/v1alpha1\nkind: Config\ncatalog: [own]\n", ".gitgpu.yaml")
    assert run("lint", "a.yaml", "--values", "mine=v.yaml").code == 0


@pytest.mark.parametrize(
    ("code", "remedy"),
    [
        ("CNF03", "use CNF003"),
        ("cnf003", "use CNF003"),
        ("CNF", "use a code that `gitgpu rule list` lists, or remove it"),
        ("NSP015", "use NPS015"),
        ("XYZ", "use a code that `gitgpu rule list` lists, or remove it"),
        ("idle-replica-above-zero", "use idle-replicas-above-zero"),
    ],
)
def test_a_suppression_of_an_unknown_code_is_reported(run: Run, code: str, remedy: str) -> None:
    """The comment, the annotation and the configuration can contain a slip, which would be silent."""
    Path("a.yaml").write_text(f"{WRONG.rstrip()} # gitgpu: ignore[{code}] it is so\n")
    ran = run("lint", "a.yaml")
    assert f"warning[ALW005] unknown code {code}: it suppresses nothing" in ran.out
    assert f"= help: {remedy}\n" in ran.out
    Path("a.yaml").write_text(
        WRONG.replace("name: Gpu", f"name: gpu, annotations: {{gitgpu.dev/ignore: '{code}: why'}}")
    )
    assert "ALW005" in run("lint", "a.yaml").out


@pytest.mark.parametrize("code", ["CNF003", "SCH012", "YML001", "PAT008", "invalid-object-name", "retired-size"])
def test_a_suppression_of_a_code_of_any_command_is_not_unknown(run: Run, code: str) -> None:
    Path("a.yaml").write_text(f"{SOUND.rstrip()} # gitgpu: ignore[{code}] it is so\n")
    assert "ALW005" not in run("lint", "a.yaml").out
