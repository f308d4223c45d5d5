"""A repository that Flux reads over SSH without a key."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.value_origins import is_written
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.source import Pointer

WHERE: Pointer = ("spec", "delivery", "repository")


def _check(inputs: Inputs) -> Iterator[Finding]:
    """One finding for each place that names such a repository, even if several clusters take it from the Fleet."""
    findings: dict[object, Finding] = {}
    for cluster in inputs.clusters:
        delivery = cluster.delivery
        # The schema allows ssh:// as the only form for SSH. Flux can read a public https:// repository without a
        # Secret.
        if delivery.engine == "flux" and delivery.repository.startswith("ssh://") and not delivery.secret:
            origin = cluster.origin if is_written(cluster.origin, WHERE) else inputs.fleet.origin
            remedy = "set delivery.secret to the name of a Secret with identity and known_hosts in Flux's namespace"
            findings[origin.ref] = Finding(origin, WHERE, "Flux needs a key to read a repository over SSH", remedy)
    yield from findings.values()


RULE = Rule(
    code="DLV003",
    name="ssh-without-secret",
    twin="GIT022",
    severity=Severity.ERROR,
    summary="Flux reads the repository over SSH, and delivery.secret is not set to a Secret with the key.",
    help="Without identity and known_hosts the GitRepository never becomes ready, and nothing below it is applied.",
    sources=(
        "https://github.com/fluxcd/source-controller/blob/118a10ef61efdca30947d3e5fb757e41f6516f7b/docs/spec/v1/gitrepositories.md",
    ),
    check=_check,
)
