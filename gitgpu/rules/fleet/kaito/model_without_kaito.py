"""A model on a cluster without KAITO."""

from collections.abc import Iterator
from itertools import groupby

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.value_origins import stack_with_place
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.served_models import served_models
from gitgpu.spelling import join_names


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Models on clusters without KAITO."""
    # `served_models` yields all clusters of a model one after another.
    for model, placements in groupby(served_models(inputs), lambda placed: placed.model):
        without = [stack_with_place(placed.cluster, "kaito") for placed in placements if placed.row is None]
        if without:
            message = f"the model needs KAITO, but there is no KAITO on {join_names(without)}"
            remedy = "set stack: {kaito: helm} on the Cluster or in the Fleet's defaults"
            yield Finding(model.origin, ("spec", model.task), message, remedy)


RULE = Rule(
    code="KTO001",
    name="model-without-kaito",
    severity=Severity.ERROR,
    summary="A workload is a model for KAITO on a cluster without KAITO.",
    help="Without KAITO's custom resource definitions the API server does not know InferenceSet and Workspace, and the "
    "overlay does not apply.",
    sources=(
        "https://github.com/kaito-project/kaito/blob/0894eb2b567d48cd2d66afe579acb1542b226af4/api/v1beta1/workspace_types.go",
    ),
    facts=("kaito/*",),
    check=_check,
)
