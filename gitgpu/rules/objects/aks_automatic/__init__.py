"""What an AKS Automatic cluster refuses."""

from gitgpu.rules.kinds import PODS, RELEASES, kinds

PREFIX = "APL"  # of the codes of new rules
KINDS = kinds(
    about=[*PODS, *RELEASES],
    context=["containerservice.azure.com/ManagedCluster"],
    first={
        "pods_below_baseline_of_automatic": ("containerservice.azure.com/ManagedCluster",),
        "workload_in_protected_namespace": ("containerservice.azure.com/ManagedCluster",),
    },
)
