"""A preset that the KAITO of the cluster does not know."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.catalog import Facts
from gitgpu.model.inputs import Inputs
from gitgpu.model.software.kaito import needs, takes
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.served_models import Fault, ServedModel, findings
from gitgpu.spelling import first_names, nearest, one_of


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Each finding once, regardless of the number of clusters."""
    return findings(inputs, _faults)


def _faults(placed: ServedModel, row: Facts) -> Iterator[Fault]:
    """Presets that the release does not have, or cannot tune."""
    preset = placed.model.settings.get("preset", "")
    # A RAGEngine has no preset.
    if preset and not takes(preset, row):
        closest = nearest(preset, row["presets"])
        others = "a Hugging Face model as OWNER/NAME" if "models" in row else "another of its presets"
        listing = f"use one of {first_names(sorted(row['presets']))}, or {others}"
        remedy = f"did you mean {closest}?" if closest else listing
        yield placed.place("preset"), f"KAITO {row['name']} has no preset '{preset}'", remedy
    elif placed.model.task == "tuning" and "tuningGiB" not in (needs(preset, row) or {}):
        tunable = sorted(name for name, facts in row["presets"].items() if "tuningGiB" in facts)
        yield placed.place("preset"), f"KAITO {row['name']} cannot tune {preset}", f"use {one_of(tunable)}"


RULE = Rule(
    code="KTO002",
    name="unknown-kaito-preset",
    twin="KAI011",
    severity=Severity.ERROR,
    summary="The KAITO of a cluster does not know a preset, or cannot tune it.",
    help="KAITO's admission webhook rejects a name that is not a preset of that release or, for newer releases, a "
    "Hugging Face model as OWNER/NAME.",
    sources=(
        "https://github.com/kaito-project/kaito/blob/0894eb2b567d48cd2d66afe579acb1542b226af4/pkg/utils/plugin/plugin.go",
        "https://github.com/kaito-project/kaito/blob/461f75cd536b9ede07667b44bcc3e31ff7d6f13a/presets/workspace/models/supported_models.yaml",
    ),
    check=_check,
)
