"""A public registry as a mirror."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.software.registries import public_hosts
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.registries import registry_place


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Each place once. A path below the host may be a namespace of the user's own."""
    reported = set()
    for cluster in inputs.clusters:
        for key, value in (("mirror", cluster.registry.mirror), ("charts", cluster.registry.charts)):
            host = (value or "").removeprefix("oci://")
            origin, place = registry_place(inputs, cluster, key)
            if host and host in public_hosts(inputs.catalog) and origin.span(place) not in reported:
                reported.add(origin.span(place))
                message = f"{host} is a public registry: you cannot copy to it without your own namespace"
                yield Finding(origin, place, message, f"use your own registry in {key}, or remove {key}")


RULE = Rule(
    code="REG002",
    name="public-registry-as-mirror",
    severity=Severity.ERROR,
    summary="registry.mirror or registry.charts is a public registry.",
    help="The copy of nvcr.io/nvidia/driver has the name MIRROR/nvcr.io/nvidia/driver. A public registry has no such "
    "repository, and you cannot create it: no pod could start.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-management-docs/blob/0161e50c1106bff81fc4316084231440da4a1d51/articles/container-registry/artifact-cache-overview.md",
    ),
    facts=("registries",),
    check=_check,
)
