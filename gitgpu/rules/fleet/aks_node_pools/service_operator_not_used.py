"""Settings of Azure Service Operator where its objects are not written."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.spec.stack import ServiceOperator
from gitgpu.model.value_origins import stack_place
from gitgpu.rules.fleet_rule import Finding, Rule


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Clusters whose node pools are delivered in another form, with other settings than the default ones."""
    from_fleet = False  # several clusters may have it from the Fleet
    for cluster in inputs.clusters:
        form = cluster.delivery.azure
        if form is None or cluster.stack.aso == ServiceOperator():
            continue
        origin, where = stack_place(cluster, "aso")
        if origin is cluster.origin or not from_fleet:
            message = f"delivery.azure: {form} writes no object of Azure Service Operator, so aso has no effect"
            yield Finding(origin, where, message, "remove aso, or remove delivery.azure")
        from_fleet |= origin is not cluster.origin


RULE = Rule(
    code="AGP029",
    name="service-operator-not-used",
    severity=Severity.WARNING,
    summary="A cluster has stack.aso, and delivery.azure leaves no object that it applies to.",
    help="stack.aso sets the namespace and the API version of the objects that Azure Service Operator reads. With "
    "delivery.azure, node pools are written as scripts, as modules or for Terraform instead.",
    sources=(
        "https://github.com/Azure/azure-service-operator/blob/1edd62da93d56c9ca3cf041ad8deb8a70de25763/v2/api/containerservice/v20260501/arm/managed_clusters_agent_pool_spec_types_gen.go",
    ),
    check=_check,
)
