"""AKSNodeClass, and the node images that it shares with AKS node pools."""

from gitgpu.rules.kinds import AGENT_POOLS, kinds

_WITH_IMAGE = ("karpenter.azure.com/AKSNodeClass", *AGENT_POOLS)

PREFIX = "ANC"  # of the codes of new rules
KINDS = kinds(
    about=_WITH_IMAGE,
    first={
        "image_family_not_supported_by_kubernetes": _WITH_IMAGE,
        "removed_image": _WITH_IMAGE,
    },
)
