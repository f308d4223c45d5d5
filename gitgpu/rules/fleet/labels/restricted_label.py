"""Labels in the domains of Karpenter and AKS are restricted."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.catalog import Facts
from gitgpu.model.inputs import Inputs
from gitgpu.model.labels import closed_domain
from gitgpu.model.value_origins import pool_place
from gitgpu.rules.fleet_rule import Finding, Rule


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Labels of pools that a NodePool does not accept."""
    # AGP012 reports labels of AKS node pools.
    for pool in inputs.nodepools:
        for key in sorted(pool.labels):
            if why := _why_restricted(key, inputs.catalog.must("labels", "karpenter")):
                remedy = f"use your own domain, such as contoso.com/{key.rpartition('/')[2]}"
                yield Finding(*pool_place(pool, "labels", key), f"a NodePool cannot set label {key}: {why}", remedy)


def _why_restricted(key: str, row: Facts) -> str | None:
    if key in row["refused"]:
        return "the key belongs to AKS or Kubernetes"
    if key in row["neverReady"]:
        return "the NodePool would never become Ready"
    closed = closed_domain(key, row)
    return f"only certain keys of {closed['domain']} are allowed" if closed else None


RULE = Rule(
    code="SCH003",
    name="restricted-label",
    twin="CNF011",
    severity=Severity.ERROR,
    of_running_nodes=True,
    summary="A pool sets a label that Karpenter restricts.",
    help="The validation of the NodePool CRD allows only certain keys under karpenter.sh, karpenter.azure.com and "
    "kubernetes.azure.com, and rejects a few more by name. The API server then rejects the object.",
    sources=(
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/apis/crds/karpenter.sh_nodepools.yaml",
        "https://github.com/kubernetes-sigs/karpenter/blob/1b4b3e8c829dea93c8a0429e0e27aa68edc98ed7/pkg/apis/v1/labels.go",
    ),
    facts=("labels/karpenter",),
    check=_check,
)
