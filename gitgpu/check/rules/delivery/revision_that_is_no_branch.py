"""Flux follows a branch, by its short name."""

from collections.abc import Iterator

from gitgpu.check.rule import Finding, Rule
from gitgpu.check.value_origins import is_written
from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.source import Pointer

WHERE: Pointer = ("spec", "delivery", "revision")
NEVER = (" ", "\t", "..", "~", "^", ":", "?", "*", "[", "\\", "@{", "//")  # what Git allows in no name of a branch
HEX = set("0123456789abcdef")
BAD = """\
apiVersion: gitgpu.dev/v1alpha1
kind: Fleet
metadata: {name: contoso-ai}
spec:
  delivery:
    repository: https://github.com/contoso/gpu-fleet
    revision: refs/heads/main
"""
GOOD = BAD.replace("refs/heads/main", "main")


def check(inputs: Inputs) -> Iterator[Finding]:
    """Each place that names such a revision once, however many clusters take it from the fleet."""
    found: dict[object, Finding] = {}
    for cluster in inputs.clusters:
        delivery = cluster.delivery
        fault = _fault(delivery.revision) if delivery.engine == "flux" else ""
        if fault:
            origin = cluster.origin if is_written(cluster.origin, WHERE) else inputs.fleet.origin
            message = f"Flux looks for a branch named '{delivery.revision}', and that is {fault}"
            found[origin.ref] = Finding(origin, WHERE, message, "write the short name of a branch, such as main")
    yield from found.values()


def _fault(revision: str) -> str:
    if revision.startswith("refs/"):
        return "the full name of a reference"
    if len(revision) == 40 and set(revision.lower()) <= HEX:
        return "a commit"
    if revision == "HEAD":
        return "no branch"
    wrong = [part for part in NEVER if part in revision]
    ends = revision.startswith(("-", "/", ".")) or revision.endswith(("/", ".", ".lock"))
    return "no name that Git allows" if wrong or ends else ""


RULE = Rule(
    code="DLV004",
    name="revision-that-is-no-branch",
    severity=Severity.ERROR,
    summary="delivery.revision is not the name of a branch, and Flux follows a branch.",
    help="gitgpu writes the revision as the branch of the GitRepository. A reference, a commit or a name that Git does "
    "not allow is a branch that does not exist: the GitRepository never becomes ready, and nothing is applied.",
    sources=(
        "https://github.com/fluxcd/source-controller/blob/118a10ef61efdca30947d3e5fb757e41f6516f7b/docs/spec/v1/gitrepositories.md",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)
