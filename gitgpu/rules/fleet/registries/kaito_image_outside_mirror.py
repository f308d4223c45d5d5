"""A KAITO image that no value of the chart can take from the mirror."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.catalog import Facts
from gitgpu.model.inputs import Inputs
from gitgpu.model.software.kaito import CHART, used_images
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.served_models import Fault, ServedModel, findings

PURPOSES = {
    "weights": "to download the weights of the preset",
    "image-source": "to read an image",
    "image-output": "to push the result",
}


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Each image once for each model, regardless of the number of clusters."""
    return findings(inputs, _faults)


def _faults(placed: ServedModel, row: Facts) -> Iterator[Fault]:
    if placed.on_add_on or not placed.cluster.registry.mirror:
        return
    used = used_images(placed.model, row)
    for image in placed.inputs.catalog_for(placed.cluster).must("charts", CHART).get("images", ()):
        # With a key in registry, gitgpu sets the chart value of the image.
        if not image["registry"] and image.get("use") in used:
            started = f"{image['image']}:{image['tag']} {PURPOSES[image['use']]}"
            message = f"KAITO {row['name']} starts {started}, and no chart value overrides it"
            remedy = f"let the nodes pull from {image['image'].partition('/')[0]}, and suppress this finding"
            yield placed.place(), message, remedy


RULE = Rule(
    code="REG004",
    name="kaito-image-outside-mirror",
    severity=Severity.WARNING,
    summary="KAITO starts an image for a model that cannot be pulled from the mirror.",
    help="The images that read or push an adapter and that download the weights for a tuning are fixed in KAITO's "
    "code, so they always come from their public registry. The KAITO add-on for AKS is not affected: AKS pulls its "
    "images from the registry of a network isolated cluster.",
    sources=(
        "https://github.com/kaito-project/kaito/blob/0894eb2b567d48cd2d66afe579acb1542b226af4/pkg/utils/common_preset.go",
        "https://github.com/kaito-project/kaito/blob/0894eb2b567d48cd2d66afe579acb1542b226af4/pkg/workspace/image/puller.go",
        "https://github.com/kaito-project/kaito/blob/0894eb2b567d48cd2d66afe579acb1542b226af4/pkg/workspace/image/pusher.go",
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/0a967aab98e517f223a5ec28d4acd8040dea7d6e/articles/aks/concepts-network-isolated.md",
    ),
    check=_check,
)
