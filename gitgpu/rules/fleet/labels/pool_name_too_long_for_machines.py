"""A pool name must leave room for the names that Karpenter generates from it."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.rules.fleet_rule import Finding, Rule

KEPT_LENGTH, RANDOM = 58, 5  # generateName: the API server keeps 58 characters and appends 5 (names/generate.go)
MACHINE, HASH = 34, 6  # the longest AKS machine name, and the hash that replaces a cut part


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Pools from whose name Karpenter cannot generate a machine name."""
    for pool in inputs.nodepools:
        if not _has_machine_name(pool.name):
            message = f"Karpenter cannot generate machine names from a name with {len(pool.name)} characters"
            yield Finding(
                pool.origin, ("metadata", "name"), message, f"shorten the name to {KEPT_LENGTH - 1} characters"
            )


def _has_machine_name(name: str) -> bool:
    """Whether Karpenter can generate a machine name.

    A NodeClaim is <pool>-<random>, cut before the random part; a machine name keeps all from the last hyphen.
    """
    claim = f"{name}-"[:KEPT_LENGTH] + "x" * RANDOM
    suffix = len(claim) - claim.rfind("-")
    return suffix + HASH <= MACHINE


RULE = Rule(
    code="SCH021",
    name="pool-name-too-long-for-machines",
    severity=Severity.ERROR,
    of_running_nodes=True,
    summary="The pool name is too long for Karpenter to generate machine names.",
    help="The API server cuts a long name before it appends five random characters, which removes the hyphen between "
    "them. Karpenter looks for that hyphen when it names the machine, and fails without one near the end.",
    sources=(
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/providers/instance/aksmachineinstanceutils.go",
        "https://github.com/kubernetes-sigs/karpenter/blob/1b4b3e8c829dea93c8a0429e0e27aa68edc98ed7/pkg/controllers/provisioning/scheduling/nodeclaimtemplate.go",
        "https://github.com/kubernetes/kubernetes/blob/78fc8e44052f699bf598f84b697b41e5a328c9c5/staging/src/k8s.io/apiserver/pkg/storage/names/generate.go",
    ),
    check=_check,
)
