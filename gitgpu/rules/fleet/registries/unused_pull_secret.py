"""A pull secret that nothing uses."""

from collections.abc import Iterator
from operator import attrgetter

from gitgpu.diagnostic import Severity
from gitgpu.model.fleet import Cluster
from gitgpu.model.inputs import Inputs
from gitgpu.rules.fleet.registries._unused import unused_places
from gitgpu.rules.fleet_rule import Finding, Rule


def _check(inputs: Inputs) -> Iterator[Finding]:
    for origin, place in unused_places(inputs, "pullSecret", attrgetter("registry.pull_secret"), _is_used):
        message = "pullSecret has no effect: neither mirror nor charts that Flux pulls are set"
        yield Finding(origin, place, message, "set registry.mirror, or remove pullSecret")


def _is_used(cluster: Cluster) -> bool:
    """Whether something on the cluster uses it. Argo CD has the credentials of its repositories in its own Secrets."""
    return bool(cluster.registry.mirror or (cluster.registry.charts and cluster.delivery.engine == "flux"))


RULE = Rule(
    code="REG001",
    name="unused-pull-secret",
    severity=Severity.WARNING,
    summary="registry.pullSecret is set, but no image or chart comes from a registry.",
    help="The pull secret is for the copies of images in registry.mirror, and for Flux where charts come from "
    "registry.charts. Argo CD reads the credentials of a chart repository from its own Secrets.",
    sources=(
        "https://github.com/fluxcd/source-controller/blob/118a10ef61efdca30947d3e5fb757e41f6516f7b/docs/spec/v1/ocirepositories.md",
        "https://github.com/argoproj/argo-cd/blob/f8f448b1a8a3df161cdc37f4ae1b6dc73b2b7280/docs/operator-manual/declarative-setup.md",
    ),
    check=_check,
)
