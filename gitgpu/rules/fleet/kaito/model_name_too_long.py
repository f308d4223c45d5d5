"""A model name that is too long for the names that KAITO and Kubernetes derive from it."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.catalog import Facts
from gitgpu.model.inputs import Inputs
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.served_models import Fault, ServedModel, findings

LABEL = 63  # characters of a label value
HASH = 11  # "-" and ten characters: the hash of the StatefulSet's revision
SUFFIX = 6  # "-" and five random characters: the Workspace of each replica


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Each finding once, regardless of the number of clusters."""
    return findings(inputs, _faults)


def _faults(placed: ServedModel, row: Facts) -> Iterator[Fault]:
    """Names that lead to a label value of more than 63 characters."""
    del row
    maximum = LABEL - HASH - (0 if placed.on_add_on or placed.model.task != "inference" else SUFFIX)
    length = len(placed.model.name)
    if length > maximum:
        reason = "because KAITO and Kubernetes append to it"
        message = f"the name has {length} characters; at most {maximum} are allowed, {reason}"
        yield ("metadata", "name"), message, f"use a name of at most {maximum} characters"


RULE = Rule(
    code="KTO016",
    name="model-name-too-long",
    severity=Severity.ERROR,
    summary="The name of a model is too long for the names derived from it.",
    help="KAITO creates a Workspace and a StatefulSet for each replica, named after the model with six more "
    "characters. Kubernetes puts the name of the StatefulSet with eleven more characters into a label of its pods, "
    "which allows 63.",
    sources=(
        "https://github.com/kaito-project/kaito/blob/0894eb2b567d48cd2d66afe579acb1542b226af4/pkg/utils/inferenceset/inferenceset.go",
        "https://github.com/kubernetes/kubernetes/issues/64023",
    ),
    check=_check,
)
