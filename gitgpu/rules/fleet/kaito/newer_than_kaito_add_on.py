"""A model that needs a newer KAITO than the AKS add-on runs."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.catalog import Facts
from gitgpu.model.inputs import Inputs
from gitgpu.model.value_origins import stack_place, with_place
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.served_models import Fault, ServedModel, findings


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Each finding once, regardless of the number of clusters."""
    return findings(inputs, _faults)


def _faults(placed: ServedModel, row: Facts) -> Iterator[Fault]:
    """Scaling, replicas and RAGEngines on the add-on."""
    if not placed.on_add_on:
        return
    remedy = "set stack: {kaito: helm}"
    add_on = with_place("the AKS add-on", *stack_place(placed.cluster, "kaito"))
    if placed.model.task == "rag":
        yield ("spec", "rag"), f"{add_on} has no RAGEngine with KAITO {row['name']}", remedy
    for key in ("scaling", "replicas"):
        if key in placed.model.settings:
            message = f"{add_on} runs KAITO {row['name']}, which has no InferenceSet: {key} has no effect"
            yield placed.place(key), message, f"{remedy}, or remove {key}"


RULE = Rule(
    code="KTO008",
    name="newer-than-kaito-add-on",
    twin="KAI016",
    severity=Severity.ERROR,
    summary="A model needs a feature that the older KAITO of the AKS add-on does not have.",
    help="The add-on runs a release without InferenceSet and RAGEngine, so it cannot scale models, run several "
    "replicas or serve RAG.",
    sources=(
        "https://learn.microsoft.com/azure/aks/ai-toolchain-operator",
        "https://github.com/kaito-project/kaito/blob/461f75cd536b9ede07667b44bcc3e31ff7d6f13a/api/v1beta1/workspace_types.go",
    ),
    check=_check,
)
