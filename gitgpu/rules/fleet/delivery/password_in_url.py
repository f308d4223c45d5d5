"""A password in a URL of the spec."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.fleet import Cluster
from gitgpu.model.inputs import Inputs
from gitgpu.model.spec.origin import SpecPlace
from gitgpu.model.value_origins import is_written, stack_place
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.source import Pointer

REPOSITORY: Pointer = ("delivery", "repository")
SERVER: Pointer = ("stack", "metrics", "server")
REMEDIES = {
    REPOSITORY: "keep passwords out of URLs: set delivery.secret for Flux, or use an Argo CD Secret",
    SERVER: "remove the password from the URL, and change it, because it is readable in the repository",
}


def _check(inputs: Inputs) -> Iterator[Finding]:
    """One finding for each place, even if several clusters take it from the Fleet; it does not repeat the password."""
    findings: dict[object, Finding] = {}
    for cluster in inputs.clusters:
        for field, url in ((REPOSITORY, cluster.delivery.repository), (SERVER, cluster.stack.metrics.server)):
            if url and _has_password(url):
                origin, where = _place(inputs, cluster, field)
                message = f"the URL in {'.'.join(map(str, field))} contains a password, which is copied to the overlays"
                findings[origin.ref, where] = Finding(origin, where, message, REMEDIES[field])
    yield from findings.values()


def _has_password(url: str) -> bool:
    rest = url.partition("://")[2]
    # A user without a password, as in ssh://git@host, is not a secret.
    user = rest.partition("/")[0].rpartition("@")[0]
    return bool(user.partition(":")[2])


def _place(inputs: Inputs, cluster: Cluster, field: Pointer) -> SpecPlace:
    if field == SERVER:
        return stack_place(cluster, *field[1:])
    own: Pointer = ("spec", *field)
    return SpecPlace(cluster.origin if is_written(cluster.origin, own) else inputs.fleet.origin, own)


RULE = Rule(
    code="DLV005",
    name="password-in-url",
    twin="GIT024",
    severity=Severity.ERROR,
    summary="A URL in the spec contains a password.",
    help="The spec and the overlays are text in Git, and the objects created from them can be read by every user who "
    "may list them. Credentials belong in a Secret.",
    sources=(
        "https://github.com/fluxcd/source-controller/blob/118a10ef61efdca30947d3e5fb757e41f6516f7b/docs/spec/v1/gitrepositories.md",
        "https://kubernetes.io/docs/concepts/security/secrets-good-practices/",
    ),
    check=_check,
)
