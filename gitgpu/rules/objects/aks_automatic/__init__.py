"""What an AKS Automatic cluster refuses."""

from gitgpu.model.names.kinds import MANAGED_CLUSTER
from gitgpu.rules.kinds import PODS, RELEASES, kinds

PREFIX = "APL"  # of the codes of new rules
KINDS = kinds(
    about=[*PODS, *RELEASES],
    context=[MANAGED_CLUSTER],
    first={
        "pods_below_baseline_of_automatic": (MANAGED_CLUSTER,),
        "workload_in_protected_namespace": (MANAGED_CLUSTER,),
    },
)
