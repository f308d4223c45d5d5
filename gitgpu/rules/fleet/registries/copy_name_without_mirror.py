"""A name for the copies of images without a mirror."""

from collections.abc import Iterator
from operator import attrgetter

from gitgpu.diagnostic import Severity
from gitgpu.model.fleet import Cluster
from gitgpu.model.inputs import Inputs
from gitgpu.rules.fleet.registries._unused import unused_places
from gitgpu.rules.fleet_rule import Finding, Rule


def _check(inputs: Inputs) -> Iterator[Finding]:
    for origin, place in unused_places(inputs, "name", attrgetter("registry.name"), _has_mirror):
        message = "name has no effect: without mirror, images come from the public registries"
        yield Finding(origin, place, message, "set registry.mirror, or remove name")


def _has_mirror(cluster: Cluster) -> bool:
    return bool(cluster.registry.mirror)


RULE = Rule(
    code="REG007",
    name="copy-name-without-mirror",
    severity=Severity.WARNING,
    summary="registry.name is set, but no mirror.",
    help="registry.name says how the mirror names the copies of images. Without registry.mirror, no image is copied.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/0a967aab98e517f223a5ec28d4acd8040dea7d6e/articles/aks/concepts-network-isolated.md",
    ),
    check=_check,
)
