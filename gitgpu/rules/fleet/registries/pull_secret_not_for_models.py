"""A pull secret on a cluster whose KAITO does not pass it to the pods of models."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.registries import registry_place
from gitgpu.rules.inputs.served_models import served_models


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Each pull secret once, regardless of the number of models."""
    reported = set()
    for served in served_models(inputs):
        cluster = served.cluster
        origin, place = registry_place(inputs, cluster, "pullSecret")
        used = cluster.registry.mirror and cluster.registry.pull_secret and cluster.stack.kaito == "helm"
        if used and origin.span(place) not in reported:
            reported.add(origin.span(place))
            message = f"KAITO gives the pods of model {served.model.name} no pull secret"
            remedy = "let the nodes pull with their identity (az aks update --attach-acr), and remove pullSecret"
            yield Finding(origin, place, message, remedy, served.row)


RULE = Rule(
    code="REG005",
    name="pull-secret-not-for-models",
    severity=Severity.WARNING,
    summary="A cluster with models of KAITO's Helm chart relies on a pull secret.",
    help="The chart sets pull secrets only for KAITO's own pods, not for the pods of models. These can pull from a "
    "registry that requires credentials only if the identity of the nodes has access.",
    sources=(
        "https://github.com/kaito-project/kaito/blob/0894eb2b567d48cd2d66afe579acb1542b226af4/pkg/workspace/inference/preset_inferences.go",
        "https://github.com/kaito-project/kaito/blob/0894eb2b567d48cd2d66afe579acb1542b226af4/charts/kaito/workspace/templates/deployment.yaml",
    ),
    check=_check,
)
