"""A revision that is not the short name of a branch, which Flux needs."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.value_origins import is_written
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.source import Pointer

WHERE: Pointer = ("spec", "delivery", "revision")
# What the name of a branch must not contain, as `git check-ref-format` lists it.
NEVER = (" ", "\t", "..", "~", "^", ":", "?", "*", "[", "\\", "@{", "//")
HEX = set("0123456789abcdef")


def _check(inputs: Inputs) -> Iterator[Finding]:
    """One finding for each place that sets such a revision, regardless of how many clusters take it from the Fleet."""
    findings: dict[object, Finding] = {}
    for cluster in inputs.clusters:
        delivery = cluster.delivery
        # Argo CD also follows tags and commits.
        fault = _fault(delivery.revision) if delivery.engine == "flux" else ""
        if fault:
            origin = cluster.origin if is_written(cluster.origin, WHERE) else inputs.fleet.origin
            message = f"Flux needs the name of a branch, and '{delivery.revision}' is {fault}"
            findings[origin.ref] = Finding(origin, WHERE, message, "use the short name of a branch, such as main")
    yield from findings.values()


def _fault(revision: str) -> str:
    """What a revision is if it is not the name of a branch; "" otherwise."""
    if revision.startswith("refs/"):
        return "the full name of a reference"
    # The length of a full SHA-1; a shorter one may be the name of a branch.
    if len(revision) == 40 and set(revision.lower()) <= HEX:
        return "a commit"
    if revision == "HEAD":
        return "not a branch"
    forbidden_parts = [part for part in NEVER if part in revision]
    ends = revision.startswith(("-", "/", ".")) or revision.endswith(("/", ".", ".lock"))
    return "not a name that Git allows" if forbidden_parts or ends else ""


RULE = Rule(
    code="DLV004",
    name="revision-not-a-branch",
    severity=Severity.ERROR,
    summary="delivery.revision is not the name of a branch, and Flux follows a branch.",
    help="gitgpu writes the revision as the branch of the GitRepository. A full reference, a commit or a name that Git "
    "does not allow cannot be a branch: the GitRepository never becomes ready, and nothing is applied.",
    sources=(
        "https://github.com/fluxcd/source-controller/blob/118a10ef61efdca30947d3e5fb757e41f6516f7b/docs/spec/v1/gitrepositories.md",
    ),
    check=_check,
)
