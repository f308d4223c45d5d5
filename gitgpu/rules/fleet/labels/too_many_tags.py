"""A machine has a maximum number of tags, and some are set by AKS and Karpenter."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.driver_owner import MANAGED_TAG, driver_on
from gitgpu.model.inputs import Inputs
from gitgpu.model.value_origins import pool_place
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.clusters import pools_with_clusters
from gitgpu.spelling import count_text


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Pools whose tags, with those that AKS or Karpenter adds, exceed the maximum of a machine."""
    row = inputs.catalog.must("tags", "azure")
    for pool, clusters in pools_with_clusters(inputs):
        # gitgpu tags the machines of Karpenter; an AKS node pool has a property for managed GPUs.
        managed = pool.by_karpenter and any(driver_on(cluster, pool) == "managed" for cluster in clusters)
        reserved = row["karpenter" if pool.by_karpenter else "nodePools"]
        # Azure tag names are not case-sensitive.
        added = {*reserved, MANAGED_TAG.lower()} if managed else {*reserved}
        total = len(added.union(key.lower() for key in pool.tags))
        if total > row["most"]:
            message = f"a machine would have {total} tags ({len(added)} are added); at most {row['most']} are allowed"
            remedy = f"remove {count_text(total - row['most'], 'tag')}, or combine several values in one tag"
            yield Finding(*pool_place(pool, "tags"), message, remedy)


RULE = Rule(
    code="SCH017",
    name="too-many-tags",
    severity=Severity.ERROR,
    of_running_nodes=True,
    summary="A pool has more tags than Azure allows on a machine, including those that are added.",
    help="Azure rejects a machine with more than 50 tags. Karpenter and AKS add some to identify their machines.",
    sources=(
        "https://github.com/Azure/AgentBaker/blob/06836ee2301e362039418c3a7ed0fe6004a641fd/staging/cse/windows/kubeletfunc.tests.suites/IMDS.Instance.TagDoesNotExist.json",
        "https://learn.microsoft.com/azure/azure-resource-manager/management/tag-resources",
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/providers/launchtemplate/tags.go",
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/providers/instance/aksmachineinstancehelpers.go",
    ),
    facts=("tags/azure",),
    check=_check,
)
