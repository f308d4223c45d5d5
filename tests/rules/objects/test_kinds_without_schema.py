"""Kinds without a schema: a typo in the name, a wrong version, or a kind that is not checked."""

import pytest

from gitgpu.diagnostic import Severity
from tests.helping.cases import for_each
from tests.rules.objects.samples import conformed

TEXT = "apiVersion: {}\nkind: {}\nmetadata: {{name: a, namespace: b}}\n"


@for_each(
    ("api_version", "kind", "meant"),
    [
        ("apps/v1", "Deploymnet", "Deployment"),
        ("apps/v1", "DaemonSets", "DaemonSet"),
        ("v1", "ConfigMapp", "ConfigMap"),
        ("karpenter.sh/v1", "NodePol", "NodePool"),
        ("nvidia.com/v1", "ClusterPolicies", "ClusterPolicy"),
    ],
)
def test_a_typo_in_a_kind_can_be_fixed(api_version: str, kind: str, meant: str) -> None:
    (finding,) = [diagnostic for diagnostic in conformed(TEXT.format(api_version, kind)) if diagnostic.code == "CNF019"]
    assert (finding.help, finding.pointer) == (f"set kind: {meant}", "/kind")
    assert (finding.span.line, finding.span.column) == (2, 7)
    assert finding.edit is not None
    assert finding.edit.text == meant


@for_each(
    ("api_version", "kind"),
    [
        ("apps/v1", "Machine"),
        ("monitoring.coreos.com/v1", "Prometheus"),
        ("v1", "Definitions"),
        ("keda.sh/v1alpha1", "ScaledObjectSet"),
    ],
)
def test_a_similar_existing_kind_is_not_a_typo(api_version: str, kind: str) -> None:
    assert "CNF019" not in {finding.code for finding in conformed(TEXT.format(api_version, kind))}


@pytest.mark.parametrize(("api_version", "kind"), [("v2", "Event"), ("events.k8s.io", "Event"), ("v1beta9", "Pod")])
def test_a_version_that_kubernetes_does_not_have_is_replaced_by_one_that_it_serves(api_version: str, kind: str) -> None:
    text = f"kind: {kind}\napiVersion: {api_version}\nmetadata: {{name: a, namespace: b}}\n"
    (finding,) = [diagnostic for diagnostic in conformed(text) if diagnostic.code == "CNF016"]
    assert (finding.message, finding.help) == (f"there is no {kind} of {api_version!r}", "set apiVersion: v1")
    assert (finding.span.line, finding.span.column) == (2, 13)


@for_each(
    ("api_version", "kind", "valid"),
    [
        ("v1", "Deployment", "apps/v1"),
        ("v2", "Deployment", "apps/v1"),
        ("apps/v1", "Job", "batch/v1"),
        ("batch/v1", "DaemonSet", "apps/v1"),
        ("extensions/v1", "Ingress", "networking.k8s.io/v1"),
        ("apps/v1", "Pod", "v1"),
        ("policy/v1", "HorizontalPodAutoscaler", "autoscaling/v1"),
        ("networking.k8s.io/v1", "Deployment", "apps/v1"),
        ("rbac.authorization.k8s.io/v1", "ServiceAccount", "v1"),
        ("v1", "MutatingAdmissionPolicy", "admissionregistration.k8s.io/v1beta1"),  # not v1alpha1
    ],
)
def test_a_built_in_kind_of_another_group_is_rejected(api_version: str, kind: str, valid: str) -> None:
    (finding,) = [finding for finding in conformed(TEXT.format(api_version, kind)) if finding.code == "CNF016"]
    assert (finding.message, finding.help) == (f"there is no {kind} of {api_version!r}", f"set apiVersion: {valid}")
    assert (finding.severity, finding.pointer, finding.span.line) == (Severity.ERROR, "/apiVersion", 1)


@for_each(
    ("api_version", "kind"),
    [
        ("serving.example.com/v1", "Deployment"),  # a CRD can define it
        ("networking.k8s.io/v9", "Deployment"),  # a CRD, or a newer Kubernetes, can serve it
        ("networking.k8s.io/v1", "Machine"),
        ("metrics.k8s.io/v1beta1", "Node"),  # an extension API server can serve the group
        ("snapshot.storage.k8s.io/v1", "Role"),
        ("networking.istio.io/v1", "Service"),
        ("v1", "Machine"),
        ("apps/v3", "Deployment"),  # a newer Kubernetes can serve it
    ],
)
def test_a_kind_that_a_cluster_can_have_is_not_rejected(api_version: str, kind: str) -> None:
    assert "CNF016" not in {finding.code for finding in conformed(TEXT.format(api_version, kind))}


def test_the_version_of_a_patch_is_not_judged_if_its_group_does_not_have_the_kind() -> None:
    assert [finding.code for finding in conformed(TEXT.format("v1", "Deployment"), patch=True)] == ["CNF002"]


@for_each(
    ("api_version", "kind", "valid"),
    [
        ("karpenter.sh/v1", "AKSNodeClass", "karpenter.azure.com/v1beta1"),
        ("karpenter.k8s.aws/v1", "AKSNodeClass", "karpenter.azure.com/v1beta1"),  # no other group can have it
        ("karpenter.azure.com/v1beta1", "NodePool", "karpenter.sh/v1"),
        ("kaito.sh/v1beta1", "NodePool", "karpenter.sh/v1"),
        ("nvidia.com/v1alpha1", "NicClusterPolicy", "mellanox.com/v1alpha1"),
        ("v1", "ScaledObject", "keda.sh/v1alpha1"),
        ("helm.toolkit.fluxcd.io/v2", "HelmRepository", "source.toolkit.fluxcd.io/v1"),
    ],
)
def test_a_custom_resource_in_the_group_of_another_is_rejected(api_version: str, kind: str, valid: str) -> None:
    (finding,) = [finding for finding in conformed(TEXT.format(api_version, kind)) if finding.code == "CNF016"]
    own, group = api_version.rpartition("/")[0] or "the core group", valid.partition("/")[0]
    assert (finding.message, finding.help) == (f"{kind} is a kind of {group}, not of {own}", f"set apiVersion: {valid}")


def test_a_kind_of_two_other_groups_is_rejected() -> None:
    (finding,) = conformed(TEXT.format("keda.sh/v1alpha1", "PodMonitor"))
    groups = "azmonitoring.coreos.com and monitoring.coreos.com"
    assert finding.message == f"PodMonitor is a kind of {groups}, not of keda.sh"
    assert finding.help == "set apiVersion: azmonitoring.coreos.com/v1 or monitoring.coreos.com/v1"


@pytest.mark.parametrize(
    ("api_version", "kind"),
    [
        ("app.terraform.io/v1alpha2", "Workspace"),  # a group that is not known can have a kind of this name
        ("visibility.kueue.x-k8s.io/v1beta2", "ClusterQueue"),
    ],
)
def test_a_kind_that_another_group_can_have_is_not_rejected(api_version: str, kind: str) -> None:
    assert "CNF016" not in {finding.code for finding in conformed(TEXT.format(api_version, kind))}
