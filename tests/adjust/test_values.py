"""Faults in chart values: each finding, its location, and that its remedy works."""

import json
from functools import cache
from itertools import product
from typing import Any

import pytest

from gitgpu.diagnostic import Diagnostic, Severity, worst
from gitgpu.emit.chart.decisions import DECISIONS, INSTALLED_BY, decision_at, leaves, relied_values
from gitgpu.emit.chart.releases import releases
from gitgpu.load.catalog.folders import Folder
from gitgpu.load.configuration.fleet_options import FleetOptions
from gitgpu.load.spec.shape import KINDS, fleet_schema, shape
from gitgpu.load.text import Text
from gitgpu.model.link import link
from gitgpu.objects.gitops.value_keys import Keys
from gitgpu.plan.cluster_plan import plan
from gitgpu.plan.decided.cluster import ClusterPlan
from gitgpu.policy import Policy
from gitgpu.report.reference.field_search import Field, field_at
from gitgpu.rules.fleet_findings import fleet_findings
from gitgpu.runs.validate import settle_fleet, validate_texts
from tests.emit.fleets import CATALOG
from tests.helping.cases import for_each
from tests.patch.fleets import Result, compiled, compiled_text, text, under
from tools.support_matrix import PLACES, SYSTEMS, spec_of

SECRET = "hunter2"
SHARED = DECISIONS["network-operator"]  # of the charts that can bring Node Feature Discovery; not each has every value
SKU = {"key": "sku", "operator": "Equal", "value": "gpu", "effect": "NoSchedule"}


def with_values(values: dict[str, Any], chart: str = "gpu-operator", **how: str) -> Result:
    """The fleet with values of its cluster."""
    return compiled(cluster=under("stack", {"values": {chart: values}}), **{"driver": "operator", **how})


def with_shared(values: dict[str, Any], **how: str) -> Result:
    """The fleet with values of the Fleet, by chart."""
    return compiled(under("values", values, 3), **{"driver": "operator", **how})


def at(result: Result) -> list[tuple[str, str]]:
    """Code and pointer of each finding."""
    return [(finding.code, finding.pointer) for finding in result.findings]


def only(result: Result) -> Diagnostic:
    """The only finding."""
    [finding] = result.findings
    return finding


def source_of(result: Result, finding: Diagnostic) -> str:
    """The text at the place of a finding, to the end of its line."""
    [spec] = result.made.checked.texts
    return spec.content.splitlines()[finding.span.line - 1][finding.span.column - 1 :]


def test_a_key_that_the_version_does_not_have_is_an_error_at_its_line() -> None:
    empty_values: tuple[Any, ...] = ({}, [])
    for empty in empty_values:
        assert only(with_values({"operator": {"resorces": empty}})).code == "VAL002"
    assert with_values({"operator": {"resources": {}}}).codes == []
    result = with_values({"operator": {"resorces": {"limits": {"memory": "2Gi"}}}})
    finding = only(result)
    assert (finding.code, finding.severity, finding.object.kind) == ("VAL002", Severity.ERROR, "Cluster")
    assert finding.message == "version 26.7.0 of the chart gpu-operator has no value operator.resorces"
    assert finding.help == "use resources"
    assert source_of(result, finding) == "resorces:"
    assert result.files == {}


@pytest.mark.parametrize(
    ("values", "present"),
    [
        ({"operator": {"resorces": {"limits": {"cpu": "1"}}, "resources": {}}}, "operator.resources"),
        ({"operator": {"Resources": {"limits": {"cpu": "1"}}, "resources": {}}}, "operator.resources"),
    ],
)
def test_a_key_beside_the_one_that_was_meant_is_merged_or_removed(values: Any, present: str) -> None:
    finding = only(with_values(values))
    assert (finding.code, finding.help) == ("VAL002", f"merge it into {present}, which is also set, or remove it")


@pytest.mark.parametrize(
    ("row", "codes"),
    [
        ({"appVersion": "v26.7.0"}, ["VAL002"]),
        ({"version": "v26.99.0"}, []),  # the values of these versions and charts are not known
        ({"version": "v26.7.0-rc.1"}, []),
        ({"chart": "contoso-gpu-operator"}, []),
    ],
)
def test_keys_are_compared_with_those_of_a_known_version_of_the_chart(row: Any, codes: list[str]) -> None:
    head = {"name": "gpu-operator", "extends": "gitgpu", "source": ["https://example.com"], "verified": "2026-11-01"}
    own = Folder("mine", "mine", {"charts/gpu-operator.yaml": json.dumps({**head, **row})})
    values = under("stack", {"values": {"gpu-operator": {"operator": {"resorces": {}}}}})
    spec = Text("fleet.yaml", text(cluster=values, driver="operator"), "fleet.yaml")
    diagnostics = validate_texts([spec], FleetOptions((own,))).diagnostics
    assert [finding.code for finding in diagnostics if finding.severity is Severity.ERROR] == codes


def test_a_key_for_an_anchor_is_not_judged() -> None:
    content = text(driver="operator").replace(
        '  kubernetesVersion: "1.34"\n',
        '  kubernetesVersion: "1.34"\n'
        "  stack: {values: {gpu-operator: {x-a: &small {memory: 1Gi}, operator: {resources: {limits: *small}}}}}\n",
    )
    result = compiled_text(content)
    assert result.codes == []
    values = result.body("controllers/helmrelease-gpu-operator.yaml")["spec"]["values"]
    assert values["operator"]["resources"]["limits"] == {"memory": "1Gi"}


@pytest.mark.parametrize(
    ("values", "pointer", "key"),
    [
        ({"driver": {"enabled": False}}, "driver/enabled", "Cluster.spec.stack.driver"),
        ({"toolkit": {"enabled": False}}, "toolkit/enabled", "Cluster.spec.stack.driver"),
        ({"devicePlugin": {"enabled": False}}, "devicePlugin/enabled", "Cluster.spec.stack.allocation"),
        ({"dcgmExporter": {"enabled": False}}, "dcgmExporter/enabled", "Cluster.spec.stack.metrics.exporter"),
        (
            {"dcgmExporter": {"serviceMonitor": {"enabled": True}}},
            "dcgmExporter/serviceMonitor/enabled",
            "metrics.scrape",
        ),
        ({"daemonsets": {"tolerations": []}}, "daemonsets/tolerations", "GpuPool.spec.taints"),
        ({"daemonsets": None}, "daemonsets", "GpuPool.spec.taints"),
        ({"nfd": {"enabled": True}}, "nfd/enabled", "Cluster.spec.stack.nodeSelection"),
        ({"dcgmExporter": {"config": {"name": "mine"}}}, "dcgmExporter/config/name", "metrics.counters"),
    ],
)
def test_a_value_that_undoes_a_decision_names_the_key_that_decides(values: Any, pointer: str, key: str) -> None:
    [finding] = (finding for finding in with_values(values).findings if finding.code == "VAL003")
    assert finding.severity is Severity.WARNING
    assert finding.pointer == f"/spec/stack/values/gpu-operator/{pointer}"
    assert "overrides a gitgpu setting" in finding.message
    assert key in finding.help


@pytest.mark.parametrize(
    "values",
    [
        {"driver": {"enabled": True}},
        {"dcgmExporter": {"serviceMonitor": {"enabled": False, "interval": "30s"}}},
        {"daemonsets": {"labels": {"team": "ml"}}},
        {
            "daemonsets": {
                "tolerations": [
                    {"key": "k", "operator": "Exists"},
                    {"key": "sku", "operator": "Equal", "value": "gpu", "effect": "NoSchedule"},
                ]
            }
        },
        {"daemonsets": {"tolerations": [{"operator": "Exists"}]}},
        {"operator": {"logging": {"develMode": True}}},
    ],
)
def test_a_value_that_keeps_the_decisions_is_not_a_finding(values: Any) -> None:
    assert with_values(values).codes == []


def test_a_decision_is_reported_where_the_last_layer_decides() -> None:
    shared = {"gpu-operator": {"driver": {"enabled": False}}}
    finding = only(with_shared(shared))
    assert (finding.object.kind, finding.pointer) == (
        "Fleet",
        "/spec/defaults/stack/values/gpu-operator/driver/enabled",
    )
    own = under("stack", {"values": {"gpu-operator": {"driver": {"enabled": True}}}})
    assert compiled(under("values", shared, 3), own, driver="operator").codes == []


def test_a_chart_that_the_cluster_does_not_get() -> None:
    finding = only(with_values({"image": {}}, "cert-manager"))
    assert (finding.code, finding.severity) == ("VAL001", Severity.ERROR)
    charts = "gpu-operator, keda, node-feature-discovery"
    assert finding.message == f"cluster prod does not install a chart 'cert-manager'; the charts are: {charts}"
    assert only(with_values({}, "gpu-operater")).help == "use gpu-operator"
    assert (
        only(with_values({}, "gpu-operator", driver="aks")).help
        == "remove it, or set Cluster.spec.stack.driver: operator"
    )
    assert only(with_values({}, "kaito-workspce")).help == "use kaito-workspace, and set Cluster.spec.stack.kaito: helm"
    assert (
        only(with_values({}, "gpu-operator-charts")).help
        == "use amd-gpu-operator, and set GpuPool.spec.driver: operator on a pool with AMD GPUs"
    )
    assert only(with_values({}, "kaito-ragengine")).help == (
        "remove it, or set Cluster.spec.stack.kaito: helm, and GpuWorkload.spec.rag"
    )
    assert only(with_values({}, "keda-kaito-scaler")).help == (
        "remove it, or set Cluster.spec.stack.kaito: helm, and GpuWorkload.spec.inference.scaling"
    )
    assert only(with_values({}, "prometheus-adapter")).help == (
        "remove it, or set Cluster.spec.stack.adapter: helm, and GpuWorkload.spec.scaling.engine: hpa"
    )
    followed = under("stack", {"kaito": "helm", "values": {"kaito-workspace": {}}})
    assert "VAL001" not in compiled(cluster=followed, driver="operator").codes


def test_a_chart_that_plain_objects_replace() -> None:
    finding = only(with_values({}, "nvidia-device-plugin", driver="aks"))
    assert finding.help == (
        "remove it, and patch DaemonSet nvidia-device-plugin (target: {kind: DaemonSet, name: nvidia-device-plugin}), "
        "which gitgpu generates instead of this chart"
    )


def test_values_of_the_fleet_need_one_cluster_with_the_chart() -> None:
    other = """---
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {name: bare}
spec: {region: swedencentral, kubernetesVersion: "1.34", stack: {keda: addon}}
"""
    keda = under("values", {"keda": {"logging": {"operator": {"level": "debug"}}}}, 3)
    assert compiled_text(text(keda) + other).codes == []
    result = compiled_text(text(under("values", {"gpu-operator": {}}, 3)) + other)
    assert only(result).message == "no cluster installs a chart 'gpu-operator'; the charts are: keda"
    none = text(under("values", {"gpu-operator": {}}, 3)).replace("      keda: helm\n", "")
    assert (
        only(compiled_text(none)).message
        == "cluster prod does not install a chart 'gpu-operator'; the charts are: none"
    )


def test_a_null_has_to_remove_a_value_on_one_cluster_only() -> None:
    own = under("stack", {"values": {"keda": {"logging": {"operator": {"level": "debug"}}}}})
    shared = under("values", {"keda": {"logging": {"operator": {"level": None}}}}, 3)
    other = """---
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {name: bare}
spec: {region: swedencentral, kubernetesVersion: "1.34"}
"""
    assert compiled_text(text(shared, own) + other).codes == ["VAL005"]  # the Cluster's value comes after the null
    below = under("values", {"keda": {"logging": {"operator": {"level": "debug"}}}}, 3)
    null = under("stack", {"values": {"keda": {"logging": {"operator": {"level": None}}}}})
    assert compiled_text(text(below, null) + other).codes == []


@for_each(
    ("values", "message"),
    [
        ({"toolkit": {"enabled": "false"}}, "toolkit.enabled must be true or false; found 'false'"),
        ({"nfd": True}, "nfd must be a mapping; found true"),
        ({"operator": []}, "operator must be a mapping; found an empty list"),
        ({"daemonsets": {"tolerations": {"key": "a"}}}, "daemonsets.tolerations must be a list; found a mapping"),
    ],
)
def test_a_value_of_the_wrong_type(values: Any, message: str) -> None:
    finding = only(with_values(values))
    assert (finding.code, finding.severity, finding.message) == ("VAL004", Severity.ERROR, message)


def test_a_null_that_removes_nothing() -> None:
    finding = only(with_values({"operator": {"upgradeCRD": None}}))
    assert (finding.code, finding.severity) == ("VAL005", Severity.WARNING)
    own = under("stack", {"values": {"gpu-operator": {"operator": {"upgradeCRD": None}}}})
    shared = under("values", {"gpu-operator": {"operator": {"upgradeCRD": False}}}, 3)
    assert compiled(shared, own, driver="operator").codes == []


@pytest.mark.parametrize(
    "values",
    [
        {"driver": {"licensingConfig": {"password": SECRET}}},
        {"driver": {"env": [{"name": "NGC_API_KEY", "value": SECRET}]}},
        {"driver": {"repository": f"https://user:{SECRET}@contoso.azurecr.io"}},
    ],
)
def test_a_secret_is_an_error_that_does_not_repeat_it(values: Any) -> None:
    result = with_values(values)
    secret = [finding for finding in result.findings if finding.code == "VAL006"]
    assert len(secret) == 1
    assert all(SECRET not in f"{finding.message}{finding.help}" for finding in result.findings)


@pytest.mark.parametrize(
    "entry",
    [
        {"name": "NGC_API_KEY", "value": "$(KEY)"},
        {"name": "TOKEN_FILE", "value": "/var/run/token"},
        {"name": "API_TOKEN", "value": "/var/run/token"},
        {"name": "PASSWORD", "valueFrom": {"secretKeyRef": {"name": "a", "key": "b"}}},
        {"name": "PASSWORD", "value": ""},
    ],
)
def test_references_to_secrets_are_none(entry: Any) -> None:
    assert with_values({"driver": {"env": [entry]}}).codes == []


def test_rules_about_releases_point_at_the_values() -> None:
    result = with_values({"migManager": {"env": [{"name": "WITH_REBOOT", "value": True}]}})
    finding = only(result)
    assert (finding.code, source_of(result, finding)) == ("STK037", "true")
    assert finding.span.file == "fleet.yaml"


def test_a_warning_of_a_rule_about_a_value_of_the_user_is_reported() -> None:
    result = with_values({"driver": {"useOpenKernelModules": True}})
    assert [(finding.code, source_of(result, finding)) for finding in result.findings] == [("STK023", "true")]


@pytest.mark.parametrize("engine", ["flux", "argocd"])
def test_both_engines_find_the_same(engine: str) -> None:
    result = with_values({"driver": {"enabled": False, "useOpenKernelModules": True}, "foo": 1}, engine=engine)
    assert result.codes == ["VAL003", "STK023", "VAL002"]


def test_what_follows_from_a_changed_decision_is_reported_too() -> None:
    result = with_values({"daemonsets": {"tolerations": []}})
    assert [(finding.code, finding.object.kind) for finding in result.findings] == [
        ("STK004", "NodePool"),
        ("VAL003", "Cluster"),
    ]
    assert source_of(result, result.findings[0]) == "daemonsets:"


def test_a_warning_can_be_suppressed_at_its_line() -> None:
    result = with_values({"driver": {"enabled": False}})
    [finding] = result.findings
    [spec] = result.made.checked.texts
    lines = spec.content.splitlines()
    lines[finding.span.line - 1] += "  # gitgpu: ignore[VAL003] the image of the nodes has the driver"
    path = Text("fleet.yaml", "\n".join(lines), "fleet.yaml")
    assert settle_fleet(validate_texts([path]), Policy()).diagnostics == ()


def test_every_value_that_gitgpu_sets_or_relies_on_is_part_of_a_decision() -> None:
    unexplained = set()
    for decided in plans():
        for release in releases(decided):
            both = [*leaves(release.own), *leaves(relied_values(decided, release.chart))]
            name, paths = release.chart.release, {path for path, _ in both} - release.copied
            unexplained |= {(name, path) for path in paths if decision_at(name, path) is None}
    assert unexplained == set()


def test_decisions_are_about_values_that_the_charts_read() -> None:
    unknown = set()
    for name, decisions in DECISIONS.items():
        chart = CATALOG.must("charts", name)
        keys = Keys(CATALOG.must("values", chart["chart"]), chart["version"].removeprefix("v"))
        paths = (tuple(decision.at.split(".")) for decision in decisions if decision not in SHARED)
        for path in paths:
            names = keys.below(path[:-1])
            unknown |= {(name, path)} if names and path[-1] not in names else set()
    assert unknown == set()


@cache
def plans() -> tuple[ClusterPlan, ...]:
    """The plans of all systems in all places."""
    decided: list[ClusterPlan] = []
    for name, place in product(SYSTEMS, PLACES):
        documents, misshapen = shape([spec_of(name, place)])
        inputs, unlinked = link(documents, CATALOG, "")  # parses the catalog once, unlike `validated`
        if inputs and worst((*misshapen, *unlinked, *fleet_findings(inputs))) is not Severity.ERROR:
            decided += (plan(inputs, cluster) for cluster in inputs.clusters)
    return tuple(decided)


def test_the_keys_of_decisions_exist() -> None:
    keys = {key for decisions in DECISIONS.values() for decision in decisions for key in decision.keys}
    keys |= {part.partition(":")[0] for how in INSTALLED_BY.values() for part in how.split(", and ")}
    for key in keys:
        kind, *words = key.split(".")
        schema = fleet_schema()
        field, unknown = field_at(Field((kind,), schema["definitions"][KINDS[kind]], schema), words)
        assert (field is not None, unknown) == (True, None), key


def test_every_chart_that_gitgpu_installs_says_what_brings_it() -> None:
    installed = {release.chart.release for plan in plans() for release in releases(plan)}
    assert installed
    assert installed <= set(INSTALLED_BY) <= set(CATALOG.rows("charts"))


@pytest.mark.parametrize(("repository", "codes"), [("fabrikam.azurecr.io/nvidia", []), ("nvcr.io/nvidia", ["REG003"])])
def test_another_registry_than_the_mirror_undoes_no_decision(repository: str, codes: list[str]) -> None:
    registry = under("registry", {"mirror": "contoso.azurecr.io/mirror"})
    stack = under("stack", {"values": {"gpu-operator": {"driver": {"manager": {"repository": repository}}}}})
    result = compiled(cluster=f"{registry}\n{stack}", driver="operator")
    assert result.codes == codes


def test_a_value_that_undoes_the_driver_of_infiniband() -> None:
    values = under("stack", {"values": {"gpu-operator": {"driver": {"rdma": {"enabled": False}}}}})
    content = text(cluster=values, pool="  rdma: shared", driver="operator")
    result = compiled_text(content.replace("NC24ads_A100_v4", "ND96isr_H100_v5").replace("gpus: 4", "gpus: 8"))
    [finding] = [finding for finding in result.findings if finding.code == "VAL003"]
    assert finding.message == (
        "driver.rdma.enabled: false overrides a gitgpu setting: the driver lets InfiniBand NICs read GPU memory"
    )
    assert finding.help.endswith(", and use GpuPool.spec.rdma to change this")


def test_a_null_over_several_decisions_is_reported_once_for_each() -> None:
    result = with_values({"dcgmExporter": None})
    assert [finding.message.partition(": ")[2] for finding in result.findings] == [
        "which counters are exported",
        "how often GPUs are measured",
        "gitgpu generates the scrape object",
    ]
    assert {finding.pointer for finding in result.findings} == {"/spec/stack/values/gpu-operator/dcgmExporter"}
    nulled = with_values({"dcgmExporter": {"config": None}})
    assert [finding.help.partition(",")[0] for finding in nulled.findings] == ["remove dcgmExporter.config"]
