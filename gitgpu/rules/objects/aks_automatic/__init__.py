"""What an AKS Automatic cluster refuses or changes."""

from gitgpu.model.names.kinds import (
    MANAGED_CLUSTER,
    NODE,
    NODE_POOL,
    SERVICE,
    STORAGE_CLASS,
    VALIDATING_ADMISSION_POLICY,
)
from gitgpu.rules.kinds import AGENT_POOLS, PODS, RELEASES, kinds

PREFIX = "APL"  # of the codes of new rules
KINDS = kinds(
    about=[*PODS, *RELEASES, *AGENT_POOLS, NODE_POOL, SERVICE, STORAGE_CLASS],
    context=[MANAGED_CLUSTER, NODE, VALIDATING_ADMISSION_POLICY],
    first={
        "in_tree_storage_class_on_automatic": [STORAGE_CLASS],
        "services_with_same_selector_on_automatic": [SERVICE],
    },
)
