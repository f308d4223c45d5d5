"""A gated model without the Secret that holds a token."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.catalog import Facts
from gitgpu.model.inputs import Inputs
from gitgpu.model.software.kaito import needs
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.served_models import Fault, ServedModel, findings


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Each finding once, regardless of the number of clusters."""
    return findings(inputs, _faults)


def _faults(placed: ServedModel, row: Facts) -> Iterator[Fault]:
    """Gated models without a Secret. Older releases also reject a Secret that is not needed."""
    settings = placed.model.settings
    # Only inference has accessSecret in the spec.
    needed = needs(settings.get("preset", ""), row) if placed.model.task == "inference" else None
    if needed and needed.get("gated") and "accessSecret" not in settings:
        remedy = "set accessSecret to the name of a Secret in the workload's namespace that has the key HF_TOKEN"
        message = f"KAITO {row['name']} needs a token to download {settings['preset']}"
        yield placed.place("preset"), message, remedy
    elif needed and "accessSecret" in settings and not needed.get("gated") and not row["needlessSecret"]:
        message = f"KAITO {row['name']} rejects an access secret for {settings['preset']}, which does not need one"
        yield placed.place("accessSecret"), message, "remove accessSecret"


RULE = Rule(
    code="KTO004",
    name="gated-model-without-secret",
    twin="KAI019",
    severity=Severity.ERROR,
    summary="A model is gated, and the workload has no access Secret.",
    help="The licence of a gated model must be accepted on Hugging Face. KAITO downloads the model with the token of "
    "that account, HF_TOKEN in a Secret in the namespace of the workload, and its admission webhook rejects the object "
    "without one.",
    sources=(
        "https://github.com/kaito-project/kaito/blob/0894eb2b567d48cd2d66afe579acb1542b226af4/api/v1beta1/workspace_validation.go",
        "https://github.com/kaito-project/kaito/blob/0894eb2b567d48cd2d66afe579acb1542b226af4/presets/workspace/models/supported_models.yaml",
    ),
    check=_check,
)
