"""A second ClusterPolicy."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import CLUSTER_POLICY
from gitgpu.objects.gitops.chart_values import effective_value, operators, title
from gitgpu.objects.gitops.releases import Release
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    first_of: dict[str, Release] = {}
    for second in (operator for operator in operators(objects) if _creates_policy(operator, objects)):
        is_policy = second.item.identity.kind == CLUSTER_POLICY.kind  # STK003 reports two releases
        with_all = first_of.get("")
        first = with_all or first_of.setdefault(objects.application_key(second.item) if is_policy else "", second)
        if is_policy and first is not second:
            message = f"{title(first)} already creates a ClusterPolicy, and the GPU Operator uses only the oldest"
            remedy = "merge the settings into one of them; with clusterPolicy.deployCR: false the chart creates none"
            yield Finding(second.item, ("metadata", "name"), message, remedy)


def _creates_policy(operator: Release, objects: Objects) -> bool:
    """Whether it creates a ClusterPolicy on this cluster. Values that are not known may turn that off."""
    is_known = operator.whole or operator.value("clusterPolicy", "deployCR") is True
    return is_known and not operator.cluster and effective_value(operator, objects, "clusterPolicy", "deployCR") is True


RULE = Rule(
    code="STK018",
    name="duplicate-cluster-policy",
    severity=Severity.WARNING,
    summary="A cluster has two ClusterPolicies, or one in addition to that of the GPU Operator chart.",
    help="The GPU Operator uses the oldest ClusterPolicy and sets the others to ignored. Which one is the oldest "
    "depends on the order of installation.",
    sources=(
        "https://github.com/NVIDIA/gpu-operator/blob/a22dbf671f2e26f9a1e342f8eea28e196235e110/controllers/clusterpolicy_controller.go",
        "https://github.com/NVIDIA/gpu-operator/blob/a22dbf671f2e26f9a1e342f8eea28e196235e110/deployments/gpu-operator/values.yaml",
    ),
    check=_check,
)
