"""Azure VM sizes of a NodePool."""

from gitgpu.model.names.kinds import AKS_NODE_CLASS, NODE_CLAIM, NODE_POOL, RESOURCE_FLAVOR
from gitgpu.rules.kinds import PODS, kinds

PREFIX = "NPS"  # of the codes of new rules
KINDS = kinds(
    about=[
        *PODS,
        AKS_NODE_CLASS,
        NODE_CLAIM,
        NODE_POOL,
        RESOURCE_FLAVOR,
    ],
    first={
        "mixed_gpu_fractions": (NODE_POOL,),
        "misspelt_size": (NODE_POOL,),
        "mixed_architectures": (NODE_POOL,),
        "mixed_manufacturers": (NODE_POOL,),
        "never_offered_size": (NODE_POOL,),
        "retired_size": (NODE_POOL,),
        "retired_size_selected": (*PODS, NODE_CLAIM, RESOURCE_FLAVOR),
        "shared_node_class": (NODE_POOL,),
        "os_disk_larger_than_local_disk": (NODE_POOL,),
        "size_excluded_by_node_class": (NODE_POOL,),
        "size_excluded_by_karpenter": (NODE_POOL,),
        "size_not_in_zone": (NODE_POOL,),
        "size_without_reported_gpus": (NODE_POOL,),
        "unknown_size": (NODE_POOL,),
        "unpriced_size": (NODE_POOL,),
    },
)
