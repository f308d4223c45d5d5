"""Chart values in separate files: `$ref/FILE` of Argo CD, `helmCharts` of kustomizations, ApplicationSets."""

import pytest

from gitgpu.diagnostic import Diagnostic
from gitgpu.rule import FAILED
from gitgpu.runs.lint import LintOptions
from tests.helping.cases import for_each
from tests.lint.test_graph import ADDRESS, WHOLE, flux
from tests.lint.test_lint import ASKED, NAMESPACE, codes, linted

OPERATOR = "chart: gpu-operator, targetRevision: v26.7.0, repoURL: 'https://helm.ngc.nvidia.com/nvidia'"
BAD = "mig: {strateggy: single}\n"
GOOD = "mig: {strategy: single}\n"
SETTINGS = "apps/gpu/values.yaml"


def two_sources(helm: str, kind: str = "Application", more: str = "") -> str:
    """An Application or ApplicationSet whose chart uses values from the linted repository."""
    spec = (
        "{project: default, destination: {server: 'https://kubernetes.default.svc', namespace: gpu-operator},\n"
        f" sources: [{{{OPERATOR}, helm: {{{helm}}}}},\n"
        f"           {{repoURL: '{ADDRESS}.git', targetRevision: main, ref: values}}{more}]}}\n"
    )
    head = f"apiVersion: argoproj.io/v1alpha1\nkind: {kind}\nmetadata: {{name: gpu, namespace: argocd}}\n"
    if kind == "Application":
        return f"{head}spec: {spec}"
    made = f"template: {{metadata: {{name: gpu}}, spec: {spec}}}"
    return f"{head}spec: {{generators: [{{clusters: {{}}}}], {made}}}\n"


def diagnostics(files: dict[str, str], asked: LintOptions = ASKED) -> list[Diagnostic]:
    """The findings, without notes of lint itself."""
    return [reported for reported in linted(files, asked).diagnostics if not reported.code.startswith("LNT")]


@pytest.mark.parametrize("kind", ["Application", "ApplicationSet"])
def test_values_files_of_the_repository_are_checked_where_they_are(kind: str) -> None:
    files = {"argo/gpu.yaml": two_sources(f"valueFiles: [$values/{SETTINGS}]", kind), SETTINGS: "\n" + BAD}
    (reported,) = diagnostics(files)
    assert (reported.code, str(reported.span)) == ("STK033", f"{SETTINGS}:2:7")
    assert "mig.strateggy" in reported.message
    assert diagnostics(files | {SETTINGS: GOOD}) == []


def test_a_values_file_alone_is_not_a_release() -> None:
    assert diagnostics({SETTINGS: BAD}) == []
    assert diagnostics({"argo/gpu.yaml": two_sources("valueFiles: []"), SETTINGS: BAD}) == []


def test_inline_values_override_values_files() -> None:
    """A rule that reads the values of a release gets the merged values."""
    helm = "valueFiles: [$values/apps/gpu/values.yaml], valuesObject: {OBJECT}"
    clash = "cdi: {nriPluginEnabled: true, enabled: true}\ntoolkit: {enabled: false}\n"
    files = {"argo/gpu.yaml": two_sources(helm.replace("{OBJECT}", "{}")), SETTINGS: clash}
    assert [(reported.code, str(reported.span)) for reported in diagnostics(files)] == [("STK019", f"{SETTINGS}:1:25")]
    files["argo/gpu.yaml"] = two_sources(helm.replace("{OBJECT}", "{toolkit: {enabled: true}}"))
    assert diagnostics(files) == []


def test_a_parameter_may_override_the_values_of_a_file() -> None:
    clash = "cdi: {nriPluginEnabled: true, enabled: true}\ntoolkit: {enabled: false}\n"
    for more in ("parameters: [{name: toolkit.enabled, value: 'true'}]", "fileParameters: [{name: a, path: b}]"):
        helm = f"valueFiles: [$values/apps/gpu/values.yaml], {more}"
        assert diagnostics({"argo/gpu.yaml": two_sources(helm), SETTINGS: clash}) == []


def test_own_values_that_cannot_be_read_may_override_those_of_a_file() -> None:
    clash = "cdi: {nriPluginEnabled: true, enabled: true}\ntoolkit: {enabled: false}\n"
    for own, number in (("cdi: {}", 1), ("[", 0)):
        helm = f"valueFiles: [$values/apps/gpu/values.yaml], values: '{own}'"
        assert len(diagnostics({"argo/gpu.yaml": two_sources(helm), SETTINGS: clash})) == number


PLUGIN_AGAIN = """
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: a, namespace: gpu-operator}
spec:
  interval: 1h
  chart: {spec: {chart: nvidia-device-plugin, version: 0.20.0, sourceRef: {kind: HelmRepository, name: nvidia}}}
"""


@for_each(
    ("inline", "settings", "place"),
    [
        ("{}", "devicePlugin: {enabled: true}\n", f"{SETTINGS}:1:25"),
        ("{}", "devicePlugin: {env: []}\n", f"{SETTINGS}:1:15"),  # the deepest part that is set
        ("{devicePlugin: {enabled: true}}", "devicePlugin: {enabled: false}\n", "argo/gpu.yaml:5:196"),
        ("{devicePlugin: {env: []}}", "devicePlugin: {enabled: true}\n", f"{SETTINGS}:1:25"),
    ],
)
def test_the_place_of_a_finding_is_the_file_that_sets_the_value(inline: str, settings: str, place: str) -> None:
    text = two_sources(f"valueFiles: [$values/{SETTINGS}], valuesObject: {inline}")
    files = {"argo/gpu.yaml": text, "argo/a.yaml": PLUGIN_AGAIN, SETTINGS: settings}
    assert place in [str(reported.span) for reported in diagnostics(files) if reported.code == "STK001"]


def test_later_files_override_earlier_ones() -> None:
    helm = "valueFiles: [$values/apps/gpu/values.yaml, $values/apps/gpu/prod.yaml]"
    clash = "cdi: {nriPluginEnabled: true, enabled: true}\ntoolkit: {enabled: false}\n"
    files = {"argo/gpu.yaml": two_sources(helm), SETTINGS: clash, "apps/gpu/prod.yaml": "toolkit: {enabled: true}\n"}
    assert diagnostics(files) == []
    files[SETTINGS], files["apps/gpu/prod.yaml"] = files["apps/gpu/prod.yaml"], files[SETTINGS]
    assert len(diagnostics(files)) == 1


@for_each(
    "name",
    [
        "$values/apps/gpu/{{cluster}}.yaml",  # parameter of an ApplicationSet
        "$other/apps/gpu/values.yaml",  # no source has this ref
        "values.yaml",  # a file of the chart
        "https://example.com/values.yaml",
    ],
)
def test_a_missing_values_file_means_unknown_values(name: str) -> None:
    clash = "cdi: {nriPluginEnabled: true, enabled: true}\ntoolkit: {enabled: false}\n"
    helm = f"valueFiles: ['{name}', $values/apps/gpu/values.yaml]"
    assert diagnostics({"argo/gpu.yaml": two_sources(helm), SETTINGS: clash}) == []


def test_a_ref_to_another_repository_is_elsewhere() -> None:
    text = two_sources(f"valueFiles: [$values/{SETTINGS}]").replace(ADDRESS, "https://github.com/other/values")
    own = f", {{repoURL: '{ADDRESS}', targetRevision: main, path: apps/more}}"
    files = {SETTINGS: BAD, "apps/more/a.yaml": NAMESPACE}
    assert diagnostics(files | {"argo/gpu.yaml": text.replace("ref: values}", "ref: values}" + own)}) == []


@pytest.mark.parametrize("odd", ["5", "{a: b}", "[5]", "[[a]]", "text", "[null]"])
def test_odd_shapes_of_value_files(odd: str) -> None:
    for files in (
        {"argo/gpu.yaml": two_sources(f"valueFiles: {odd}"), SETTINGS: BAD},
        {"argo/gpu.yaml": two_sources("{}").replace("sources: [", "sources: 5, other: ["), SETTINGS: BAD},
        {"kustomization.yaml": f"helmCharts: [{{name: gpu-operator, additionalValuesFiles: {odd}}}]\n"},
        {"kustomization.yaml": f"helmCharts: {odd}\n"},
        {SETTINGS: odd, "argo/gpu.yaml": two_sources(f"valueFiles: [$values/{SETTINGS}]")},
    ):
        assert FAILED not in codes(files)


CHART = "name: gpu-operator, repo: 'https://helm.ngc.nvidia.com/nvidia', version: v26.7.0, releaseName: gpu"


def inflated(more: str, **files: str) -> dict[str, str]:
    """A kustomization that inflates the GPU Operator."""
    return {"gpu/kustomization.yaml": f"namespace: gpu-operator\nhelmCharts:\n- {{{CHART}, {more}}}\n", **files}


def test_inline_values_of_helm_charts_are_checked() -> None:
    (reported,) = diagnostics(inflated("\n  valuesInline:\n   {mig: {strateggy: single}}"))
    assert str(reported.span) == "gpu/kustomization.yaml:5:11"
    assert "mig.strateggy" in reported.message
    assert diagnostics(inflated("valuesInline: {mig: {strategy: single}}")) == []


def test_the_place_of_a_chart_that_was_renamed_is_its_name() -> None:
    text = "helmCharts:\n- version: 25.12.0\n  name: nvidia-dra-driver-gpu\n  namespace: dra\n"
    (reported,) = (each for each in diagnostics({"a/kustomization.yaml": text}) if each.code == "STK024")
    assert str(reported.span) == "a/kustomization.yaml:3:9"


def test_the_values_file_of_helm_charts_is_checked() -> None:
    files = inflated("valuesFile: values.yaml", **{"gpu/values.yaml": "\n\n" + BAD})
    (reported,) = diagnostics(files)
    assert str(reported.span).startswith("gpu/values.yaml:3:")
    files = inflated("additionalValuesFiles: [../values.yaml]", **{"values.yaml": BAD})
    assert [reported.span.file for reported in diagnostics(files)] == ["values.yaml"]


CLASH = "{cdi: {nriPluginEnabled: true, enabled: true}, toolkit: {enabled: false}}"
TOOLKIT = "{toolkit: {enabled: true}}"


@for_each(
    ("merge", "inline", "file", "count"),
    [
        ("override", TOOLKIT, CLASH, 0),
        ("override", CLASH, TOOLKIT, 1),
        ("merge", CLASH, TOOLKIT, 0),
        ("merge", TOOLKIT, CLASH, 1),
        ("replace", CLASH, TOOLKIT, 1),
        ("replace", TOOLKIT, CLASH, 0),
    ],
)
def test_how_kustomize_merges_values(merge: str, inline: str, file: str, count: int) -> None:
    more = f"valuesInline: {inline}, valuesFile: values.yaml, valuesMerge: {merge}"
    assert len(diagnostics(inflated(more, **{"gpu/values.yaml": file}))) == count


@pytest.mark.parametrize(("merge", "file"), [("override", "gpu/kustomization.yaml"), ("merge", "gpu/values.yaml")])
def test_a_finding_about_a_value_is_where_the_value_that_counts_is_written(merge: str, file: str) -> None:
    values = "{toolkit: {repository: 'https://nvcr.io/nvidia/k8s', version: v1.18.0}}"
    more = f"valuesInline: {values}, valuesFile: values.yaml, valuesMerge: {merge}"
    every = diagnostics(inflated(more, **{"gpu/values.yaml": values}))
    (reported,) = (each for each in every if "https" in each.message)
    assert reported.span.file == file


def test_a_values_file_that_is_not_there_leaves_the_values_open() -> None:
    assert len(diagnostics(inflated(f"valuesInline: {CLASH}"))) == 1
    assert diagnostics(inflated(f"valuesInline: {CLASH}, valuesFile: other.yaml")) == []


def test_helm_charts_are_noted_once_and_nothing_is_missed() -> None:
    files = inflated("valuesInline: {}") | {"b/kustomization.yaml": "helmCharts: [{name: keda}]\n"}
    notes = [reported.code for reported in linted(files, WHOLE).diagnostics]
    assert notes.count("LNT008") == 1
    assert codes(files, WHOLE) == []


def test_helm_charts_below_flux_are_checked_once() -> None:
    files = inflated("valuesInline: {mig: {strateggy: single}}")
    for name in ("dev", "prod"):
        files[f"clusters/{name}/gpu.yaml"] = flux("gpu", "./gpu")
    assert len({reported.span for reported in diagnostics(files)}) == 1


def test_a_fix_is_applied_to_the_values_file() -> None:
    values = "migManager: {env: [{name: WITH_REBOOT, value: true}]}\n"
    files = {"argo/gpu.yaml": two_sources(f"valueFiles: [$values/{SETTINGS}]"), SETTINGS: values}
    edits = [reported.edit for reported in linted(files).diagnostics if reported.edit]
    assert [edit.at.file for edit in edits] == [SETTINGS]


SET = two_sources("valuesObject: {VALUES}", "ApplicationSet")


@for_each(
    ("values", "count"),
    [
        (CLASH, 1),
        ("{toolkit: {enabled: '{{gpu}}'}, cdi: {nriPluginEnabled: true, enabled: true}}", 0),
        ("{cdi: {nriPluginEnabled: true, enabled: true}, toolkit: {enabled: false}, driver: '{{ .driver }}'}", 0),
        ("{mig: {strateggy: '{{ .mig }}'}}", 0),
        ("{mig: {strateggy: single}}", 1),
    ],
)
def test_chart_rules_read_application_sets(values: str, count: int) -> None:
    assert len(diagnostics({"set.yaml": SET.replace("{VALUES}", values)})) == count


def test_an_application_set_with_a_template_patch_is_open() -> None:
    text = SET.replace("{VALUES}", CLASH).replace("spec: {generators", "spec: {templatePatch: 'spec: {}', generators")
    assert diagnostics({"set.yaml": text}) == []


@pytest.mark.parametrize("part", ["chart: gpu-operator", "targetRevision: v26.7.0"])
def test_a_chart_or_version_that_is_filled_in_is_not_known(part: str) -> None:
    key = part.partition(":")[0]
    text = SET.replace("{VALUES}", "{mig: {strateggy: single}}").replace(part, f"{key}: '{{{{ .values.{key} }}}}'")
    assert diagnostics({"set.yaml": text}) == []


def test_two_kedas_for_two_clusters_are_not_two_servers() -> None:
    keda = (
        "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: NAME, namespace: argocd}\nspec:\n"
        "  project: default\n  destination: {name: NAME, namespace: keda}\n"
        "  source: {repoURL: 'https://kedacore.github.io/charts', chart: keda, targetRevision: 2.20.2}\n"
        "  syncPolicy: {syncOptions: [ServerSideApply=true, CreateNamespace=true]}\n"
    )
    files = {f"{name}.yaml": keda.replace("NAME", name) for name in ("dev", "prod")}
    assert "KED027" not in codes(files, WHOLE)
    files = {
        name: text.replace("name: prod, namespace: keda", "name: dev, namespace: keda") for name, text in files.items()
    }
    assert "KED027" in codes(files, WHOLE)
    assert "KED027" not in codes(files)  # part of a repository: which cluster a file is for is unknown
