"""Objects that some releases of a project accept and others refuse."""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
import yaml

from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.objects.schema.release_list import ReleaseList
from gitgpu.rules.object_findings import OWN_CODES, object_findings
from tests.helping.cases import for_each
from tests.rules.objects.samples import shared_norms, somewhere
from tools.contract_releases import projects
from tools.contracts import ROOT

OBJECTS = ROOT.parent / "shared" / "upstream" / "objects"
VERDICTS = OBJECTS / "verdicts.txt"
# The script behind the verdicts does not check that a value is text: KEDA wants the text of an identifier here.
TEXTS = {".spec.azureServicePrincipal.clientId", ".spec.azureServicePrincipal.tenantId"}
FOLDERS = {
    folder: (project.key, release.number)
    for project in projects()
    for release in project.releases
    for folder in release.folders
}


def verdicts() -> list[tuple[str, str, str]]:
    """The objects, each with a folder of CRDs and the verdict by them: "ok", or what is wrong."""
    found, name = [], ""
    for line in VERDICTS.read_text("utf-8").splitlines() if VERDICTS.is_file() else ():
        if line[0] != " ":
            name = line
        elif line.split()[0] in FOLDERS:
            folder, verdict = line.split(maxsplit=1)
            found.append((name, folder, verdict.strip()))
    return found


def findings(body: Mapping[str, Any], today: str = "2026-11-29", **versions: str) -> list[Diagnostic]:
    """What contracts report about an object on a cluster with these releases."""
    known = tuple((project, (version,)) for project, version in versions.items())
    norms = replace(shared_norms(), versions=known, today=today)
    found = object_findings(somewhere(dict(body)), "1.34", norms, closed=False)
    return [finding for finding in found if finding.code in OWN_CODES]


def place(pointer: str) -> str:
    """A pointer as the verdicts write it: .spec.budgets[0]."""
    return re.sub(r"\.(\d+)(?=\.|$)", r"[\1]", pointer.replace("/", "."))


@pytest.mark.skipif(not VERDICTS.is_file(), reason="the objects with verdicts are not next to the project")
@for_each(("name", "folder", "verdict"), verdicts())
def test_each_object_gets_the_verdict_of_each_release(name: str, folder: str, verdict: str) -> None:
    body = yaml.load((OBJECTS / f"{name}.yaml").read_text("utf-8"), yaml.CSafeLoader)
    project, number = FOLDERS[folder]
    found = findings(body, **{project: number})
    # The verdicts are about structure only, and gitgpu has no contract of the preview version of agent pools.
    found = [finding for finding in found if finding.code not in ("CNF018", "CNF002")]
    assert all(finding.severity is Severity.ERROR for finding in found)
    wanted = set(re.findall(r"(\.[\w.\[\]]+?)(?=[:;]|$)", "" if verdict == "ok" else verdict))
    assert {place(finding.pointer) for finding in found} - TEXTS == wanted


def pool(**spec: Any) -> dict[str, Any]:
    """A NodePool with these keys in its spec."""
    template = {
        "spec": {
            "nodeClassRef": {"group": "karpenter.azure.com", "kind": "AKSNodeClass", "name": "gpu"},
            "requirements": [],
        }
    }
    return {
        "apiVersion": "karpenter.sh/v1",
        "kind": "NodePool",
        "metadata": {"name": "gpu"},
        "spec": {"disruption": {"consolidateAfter": "5m"}, "template": template, **spec},
    }


BALANCED = {"consolidateAfter": "5m", "consolidationPolicy": "Balanced"}


def texts(found: list[Diagnostic]) -> list[str]:
    """The findings in short."""
    return [f"{finding.severity} {finding.code} {finding.pointer}: {finding.message}" for finding in found]


def test_refused_by_all_is_an_error() -> None:
    assert texts(findings(pool(weight="x"))) == [
        "error CNF001 /spec/weight: must be a whole number; found the text 'x'"
    ]


def test_refused_by_some_is_a_warning_that_names_the_others() -> None:
    [finding] = findings(pool(disruption=BALANCED), today="2026-07-16")
    assert (finding.severity, finding.code) == (Severity.WARNING, "CNF023")
    accepted = "accepted only as of Karpenter 1.14; node auto-provisioning runs 1.12.1"
    assert finding.message.endswith(f"found 'Balanced'; {accepted}")
    assert findings(pool(disruption=BALANCED), today="2026-07-17") == []
    assert findings(pool(disruption=BALANCED), today="2026-07-16", karpenter="1.14") == []
    [finding] = findings(pool(disruption=BALANCED), karpenter="1.13")
    assert finding.severity is Severity.ERROR


def test_a_key_of_other_releases_is_an_error_on_a_cluster_without_it() -> None:
    disruption = {"consolidateAfter": "5m", "budgets": [{"nodes": "1", "reasons": ["Unhealthy"]}]}
    assert findings(pool(disruption=disruption), karpenter="1.15.0") == []
    assert [finding.code for finding in findings(pool(disruption=disruption), karpenter="1.14.0")] == ["CNF001"]


def test_no_release_accepts_two_changes_that_exclude_each_other() -> None:
    zero = {"apiVersion": "keda.sh/v1alpha1", "kind": "ScaledObject", "metadata": {"name": "a", "namespace": "a"}}
    fallback = {"failureThreshold": 1, "replicas": 1, "behavior": "scalingModifiers"}
    trigger = {"type": "cpu", "metricType": "Utilization", "metadata": {"value": "50"}}
    spec = {"scaleTargetRef": {"name": "a"}, "maxReplicaCount": 0, "triggers": [trigger]}
    assert [finding.severity for finding in findings(zero | {"spec": spec})] == [Severity.WARNING]
    both = findings(zero | {"spec": spec | {"fallback": fallback}})
    assert [(finding.code, finding.severity) for finding in both] == [("CNF023", Severity.ERROR)] * 2


def test_an_unknown_key_may_be_newer_than_an_old_contract() -> None:
    unknown = pool(zzz=1)
    [finding] = findings(unknown, today="2026-11-01")
    assert finding.help.startswith("remove it")
    [finding] = findings(unknown, today="2026-12-31")
    assert finding.severity is Severity.WARNING
    assert finding.message == "unknown key 'zzz': Karpenter 1.15.0 of 2026-10-10 is the newest release known here"
    assert "remove" not in finding.help
    assert "--crds" in finding.help
    [finding] = findings(unknown, today="2026-12-31", karpenter="1.15.0")
    assert finding.severity is Severity.ERROR
    [finding] = findings(unknown, today="2026-11-01", karpenter="1.17")
    assert finding.severity is Severity.WARNING


def test_a_misspelled_key_or_value_stays_an_error() -> None:
    [finding] = findings(pool(wieght=1), today="2027-12-31")
    assert (finding.severity, finding.message) == (Severity.ERROR, "unknown key 'wieght'; did you mean 'weight'?")
    policy = {"consolidateAfter": "5m", "consolidationPolicy": "WhenEmpy"}
    assert [finding.severity for finding in findings(pool(disruption=policy), today="2027-12-31")] == [Severity.ERROR]
    policy["consolidationPolicy"] = "Oracle"
    [finding] = findings(pool(disruption=policy), today="2027-12-31")
    assert finding.severity is Severity.WARNING


LIST = ReleaseList(
    "X", {"1.6.1": "", "1.6.3": "2025-09-17", "1.7.1": "2025-10-18", "1.14.0": "2026-07-10", "1.14.3": ""}
)


@for_each(
    ("version", "numbers"),
    [
        ("1.6", {"1.6.1", "1.6.3"}),
        ("1.6.2", {"1.6.1"}),
        ("v1.6.3", {"1.6.3"}),
        ("1.6.0", {"1.6.1"}),
        ("1.7.9", {"1.7.1"}),
        ("1.9", {"1.7.1"}),
        ("1.14.1", {"1.14.0"}),
        ("1.15", {"1.14.3"}),
        ("0.1", {"1.6.1"}),
    ],
)
def test_a_version_is_the_nearest_known_release_before_it(version: str, numbers: set[str]) -> None:
    assert LIST.matching(version) == numbers
    assert LIST.is_newer(version) is (version == "1.15")


def test_calendar_versions_are_older_than_those_of_the_new_scheme() -> None:
    driver = ReleaseList("the DRA driver", {"25.8.1": "", "25.12.0": "", "0.4.1": "2026-06-30"})
    assert driver.matching("25.9.0") == {"25.8.1"}
    assert driver.matching("0.5.0") == {"0.4.1"}
    assert driver.is_newer("0.5.0")
    assert not driver.is_newer("25.12.5")


def test_releases_that_were_replaced_long_ago_are_not_in_use() -> None:
    assert LIST.in_use("2026-08-01") == set(LIST.dates)
    assert LIST.in_use("0001-01-01") == set(LIST.dates)
    assert LIST.in_use("2026-10-30") == {"1.7.1", "1.14.0", "1.14.3"}
    assert LIST.in_use("2030-01-01") == {"1.14.0", "1.14.3"}


def scaler(kind: str, **spec: Any) -> dict[str, Any]:
    """An object of KEDA with a trigger, and these keys in its spec."""
    pods = {"spec": {"restartPolicy": "Never", "containers": [{"name": "a", "image": "x:1"}]}}
    target = {"scaleTargetRef": {"name": "a"}} if kind == "ScaledObject" else {"jobTargetRef": {"template": pods}}
    triggers = [{"type": "cpu", "metricType": "Utilization", "metadata": {"value": "50"}}]
    body = {"apiVersion": "keda.sh/v1alpha1", "kind": kind, "metadata": {"name": "a", "namespace": "a"}}
    return body | {"spec": {**target, "triggers": triggers, **spec}}


@pytest.mark.parametrize("versions", [{}, {"keda": "2.14.1"}, {"keda": "2.20.2"}])
def test_what_the_operator_refuses_in_every_release_is_an_error(versions: dict[str, str]) -> None:
    for body in (
        scaler("ScaledObject", triggers=[]),
        scaler("ScaledJob", triggers=[]),
        scaler("ScaledObject", maxReplicaCount=-1),
    ):
        [finding] = findings(body, **versions)
        assert (finding.code, finding.severity) == ("CNF001", Severity.ERROR)
        assert "accepted only" not in finding.message


@for_each("versions", [{}, {"flux": "2.7.5"}, {"flux": "2.10.0"}])
@for_each("missing", ["url", "interval"])
def test_a_field_that_a_cel_rule_requires_is_required(missing: str, versions: dict[str, str]) -> None:
    spec = {"url": "oci://example.com/charts/a", "interval": "10m", "ref": {"tag": "1.0.0"}}
    head = {"apiVersion": "source.toolkit.fluxcd.io/v1", "kind": "OCIRepository"}
    body: dict[str, Any] = {**head, "metadata": {"name": "a", "namespace": "a"}, "spec": spec}
    assert findings(body, **versions) == []
    del spec[missing]
    [finding] = findings(body, **versions)
    assert (finding.code, finding.severity) == ("CNF001", Severity.ERROR)
    assert missing in finding.message


def test_a_kind_of_later_releases_is_an_error_on_a_cluster_without_it() -> None:
    head = {"apiVersion": "nvidia.com/v1alpha1", "kind": "GPUCluster", "metadata": {"name": "gpu-cluster"}}
    cluster = head | {"spec": {"draDriver": {}}}
    expected = "error CNF023 /kind: nvidia.com/v1alpha1 GPUCluster exists only as of GPU Operator 26.7"
    assert texts(findings(cluster, **{"gpu-operator": "25.10.1"})) == [expected]
    assert findings(cluster, **{"gpu-operator": "26.7"}) == []
    assert findings(cluster) == []
    norms = replace(shared_norms(), versions=(("gpu-operator", ("26.3.3", "26.7.0")),), today="2026-11-29")
    found = object_findings(somewhere(cluster), "1.34", norms, closed=False)
    assert [str(finding.severity) for finding in found if finding.code == "CNF023"] == ["warning"]


def test_a_kind_that_other_projects_install_too_is_not_reported() -> None:
    buffer = {"apiVersion": "autoscaling.x-k8s.io/v1beta1", "kind": "CapacityBuffer"}
    body = buffer | {
        "metadata": {"name": "a", "namespace": "a"},
        "spec": {"replicas": 1, "podTemplateRef": {"name": "a"}},
    }
    assert findings(body, karpenter="1.12.1") == []


def test_what_only_clusters_with_long_term_support_accept_is_a_warning() -> None:
    head = {"apiVersion": "keda.sh/v1alpha1", "kind": "ClusterTriggerAuthentication", "metadata": {"name": "a"}}
    body = head | {"spec": {"podIdentity": {"provider": "aws-kiam"}}}
    [finding] = findings(body)
    assert (finding.code, finding.severity) == ("CNF023", Severity.WARNING)
    aks = "the KEDA add-on runs 2.17.2 or 2.19.0 (with long-term support, 2.14.1 or 2.16.1)"
    assert finding.message.endswith(f"accepted only before KEDA 2.16; {aks}")
    [finding] = findings(body, today="2027-12-01")
    assert finding.severity is Severity.ERROR


def test_clusters_with_long_term_support_still_count_when_no_other_release_is_known() -> None:
    body = scaler("ScaledObject", maxReplicaCount=0)
    [finding] = findings(body, today="2028-01-01")  # the add-on of 1.37, the only supported version, is not known
    assert (finding.code, finding.severity) == ("CNF023", Severity.WARNING)
    aks = "with long-term support, the KEDA add-on runs 2.17.2 or 2.19.0"
    assert finding.message.endswith(f"accepted only before KEDA 2.20; {aks}")
    [finding] = findings(body, today="2029-01-01")
    assert finding.severity is Severity.ERROR


def test_what_only_clusters_with_long_term_support_refuse_is_not_reported() -> None:
    fallback = {"failureThreshold": 1, "replicas": 1, "behavior": "static"}
    triggers = [
        {
            "type": "cron",
            "metadata": {"timezone": "UTC", "start": "0 1 * * *", "end": "0 2 * * *", "desiredReplicas": "1"},
        }
    ]
    assert findings(scaler("ScaledObject", fallback=fallback, triggers=triggers)) == []


@for_each(
    ("api_version", "today", "severity"),
    [
        ("karpenter.sh/v2", "2026-11-01", Severity.ERROR),
        ("karpenter.sh/v2", "2027-03-01", Severity.WARNING),
        ("karpenter.sh/v2alpha1", "2027-03-01", Severity.WARNING),
        ("karpenter.sh/v1beta9", "2027-03-01", Severity.ERROR),
        ("karpenter.sh/version2", "2027-03-01", Severity.ERROR),
    ],
)
def test_a_later_version_may_be_of_a_newer_release_if_the_newest_known_one_is_old(
    api_version: str, today: str, severity: Severity
) -> None:
    [found] = findings({**pool(), "apiVersion": api_version}, today)
    assert (found.severity, found.pointer) == (severity, "/apiVersion")
    assert ("Karpenter 1.15.0 of 2026-10-10" in found.message) == (severity is Severity.WARNING)


def test_a_contract_of_one_release_names_the_date_of_the_release() -> None:
    policy = {"apiVersion": "mellanox.com/v1alpha1", "kind": "NicNodePolicy", "metadata": {"name": "a"}}
    [found] = findings(policy | {"spec": {"zebra": 1}})
    assert "Mellanox/network-operator v26.4.1 of 2026-07-24" in found.message
    [young] = findings(policy | {"spec": {"zebra": 1}}, "2026-08-01")
    assert "v26.4.1 of" not in young.message
    assert young.severity is Severity.WARNING


FLUX_2_7: list[tuple[str, dict[str, Any], str]] = [
    ("helm.toolkit.fluxcd.io/v2 HelmRelease", {"commonMetadata": {"labels": {"a": "b"}}}, "/spec/commonMetadata"),
    ("helm.toolkit.fluxcd.io/v2 HelmRelease", {"install": {"strategy": {"name": "RetryOnFailure"}}}, "/strategy"),
    ("kustomize.toolkit.fluxcd.io/v1 Kustomization", {"ignoreMissingComponents": True}, "/ignoreMissingComponents"),
    ("source.toolkit.fluxcd.io/v1 GitRepository", {"serviceAccountName": "a"}, "/spec/serviceAccountName"),
]
FLUX_BASES: dict[str, dict[str, Any]] = {
    "HelmRelease": {"interval": "1h", "chartRef": {"kind": "OCIRepository", "name": "a"}},
    "Kustomization": {"interval": "1h", "prune": True, "sourceRef": {"kind": "GitRepository", "name": "a"}},
    "GitRepository": {"interval": "1h", "url": "https://contoso.com/a", "provider": "azure"},
}


@for_each(("kind", "keys", "end"), FLUX_2_7)
def test_the_first_release_of_flux_that_aks_ran_lacks_what_the_next_one_added(
    kind: str, keys: dict[str, Any], end: str
) -> None:
    version, _, name = kind.partition(" ")
    metadata = {"name": "a", "namespace": "a"}
    body = {"apiVersion": version, "kind": name, "metadata": metadata, "spec": {**FLUX_BASES[name], **keys}}
    assert findings(body, flux="2.7") == []
    [refused] = findings(body, flux="2.6")
    assert refused.severity is Severity.ERROR
    assert refused.pointer.endswith(end)
    assert "as of Flux 2.7" in refused.message
    assert findings(body) == []  # AKS updates its extension by default, and the newest has 2.7.5
    assert findings({**body, "spec": FLUX_BASES[name]}, flux="2.6") == []


def workspace(preset: Mapping[str, Any]) -> dict[str, Any]:
    """A Workspace of KAITO with this preset."""
    size = {"instanceType": "Standard_NC24ads_A100_v4", "labelSelector": {"matchLabels": {"apps": "chat"}}}
    head: dict[str, Any] = {"apiVersion": "kaito.sh/v1beta1", "kind": "Workspace", "metadata": {"name": "chat"}}
    return {**head, "resource": size, "inference": {"preset": preset}}


@for_each(("release", "accepted"), [("0.4.5", False), ("0.4.6", True), ("0.5.1", True), ("0.6.0", True)])
def test_the_releases_of_the_kaito_add_on_have_contracts(release: str, *, accepted: bool) -> None:
    preset = {"name": "llama-3.1-8b-instruct", "presetOptions": {"modelAccessSecret": "token"}}
    messages = [finding.message for finding in findings(workspace(preset), kaito=release)]
    assert messages == ([] if accepted else ["unknown key 'modelAccessSecret'; accepted only as of KAITO 0.4.6"])


@for_each(("release", "since"), [("0.6.0", "0.9"), ("0.9", ""), ("0.12.0", "")])
def test_a_version_of_a_kind_that_an_older_kaito_does_not_have(release: str, since: str) -> None:
    spec: dict[str, Any] = {"embedding": {"local": {"modelID": "BAAI/bge-small-en-v1.5"}}}
    spec |= {"inferenceService": {"url": "http://chat", "contextWindowSize": 4096}}
    spec |= {"compute": {"instanceType": "Standard_NC24ads_A100_v4", "labelSelector": {"matchLabels": {"a": "b"}}}}
    head: dict[str, Any] = {"apiVersion": "kaito.sh/v1beta1", "kind": "RAGEngine", "metadata": {"name": "docs"}}
    messages = [finding.message for finding in findings({**head, "spec": spec}, kaito=release)]
    assert messages == ([f"kaito.sh/v1beta1 RAGEngine exists only as of KAITO {since}"] if since else [])


def test_a_value_of_a_newer_release_is_not_taken_for_a_misspelt_one() -> None:
    body = pool()
    operator = {"key": "karpenter.azure.com/sku-gpu-count", "operator": "Gte", "values": ["1"]}
    body["spec"]["template"]["spec"]["requirements"] = [operator]
    (finding,) = findings(body, karpenter="1.8")
    assert finding.message.endswith("found 'Gte'; accepted only as of Karpenter 1.9")
    assert (finding.help, finding.edit) == ("correct the value", None)  # Gt is similar, but has another meaning


def test_a_key_of_a_newer_release_is_not_taken_for_a_misspelt_one() -> None:
    spec = {"chartRef": {"kind": "OCIRepository", "name": "chat"}, "interval": "1m", "waitStrategy": {"name": "poller"}}
    body: dict[str, Any] = {
        "apiVersion": "helm.toolkit.fluxcd.io/v2",
        "kind": "HelmRelease",
        "metadata": {"name": "a"},
        "spec": spec,
    }
    (finding,) = findings(body, flux="2.7")
    assert finding.edit is None
    assert finding.help.startswith("remove it")
