"""A pool's name leaves room for the names that are made of it."""

from collections.abc import Iterator

from gitgpu.check.rule import Finding, Rule
from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs

KEPT, DRAWN = 58, 5  # of a name that the API server completes: what it keeps, what it adds
MACHINE, HASH = 34, 6  # the longest name of an AKS machine, and what stands for a part that is cut
BAD = """\
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: h100poolfortheresearchdepartmentincontososwedencentralregion}
spec: {clusters: [prod-swc], sku: Standard_NC40ads_H100_v5, limits: {gpus: 8}}
"""
GOOD = BAD.replace("h100poolfortheresearchdepartmentincontososwedencentralregion", "h100-research")


def check(inputs: Inputs) -> Iterator[Finding]:
    """Pools from whose name Karpenter cannot make that of a machine."""
    for pool in inputs.nodepools:
        if not _works(pool.name):
            message = f"Karpenter can make no machine's name of one with {len(pool.name)} characters"
            yield Finding(pool.origin, ("metadata", "name"), message, f"write at most {KEPT - 1} characters")


def _works(name: str) -> bool:
    """A NodeClaim is <pool>-<drawn>, cut before what is drawn; a machine's name keeps all from the last hyphen."""
    claim = f"{name}-"[:KEPT] + "x" * DRAWN
    suffix = len(claim) - claim.rfind("-")
    return "-" in claim and suffix + HASH <= MACHINE


RULE = Rule(
    code="SCH021",
    name="pool-name-without-machine-name",
    severity=Severity.ERROR,
    summary="The pool's name is so long that no machine can be named after it.",
    help="The API server cuts a long name before it adds its own five characters, and then the hyphen between them is "
    "gone. Karpenter looks for that hyphen when it names the machine, and fails without one near the end.",
    sources=(
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/providers/instance/aksmachineinstanceutils.go",
        "https://github.com/kubernetes-sigs/karpenter/blob/1b4b3e8c829dea93c8a0429e0e27aa68edc98ed7/pkg/controllers/provisioning/scheduling/nodeclaimtemplate.go",
        "https://github.com/kubernetes/kubernetes/blob/78fc8e44052f699bf598f84b697b41e5a328c9c5/staging/src/k8s.io/apiserver/pkg/storage/names/generate.go",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)
