"""AKSNodeClass, and the node images that it shares with AKS node pools."""

from gitgpu.model.names.kinds import AKS_NODE_CLASS
from gitgpu.rules.kinds import AGENT_POOLS, kinds

_WITH_IMAGE = (AKS_NODE_CLASS, *AGENT_POOLS)

PREFIX = "ANC"  # of the codes of new rules
KINDS = kinds(
    about=_WITH_IMAGE,
    first={
        "image_family_not_supported_by_kubernetes": _WITH_IMAGE,
        "removed_image": _WITH_IMAGE,
    },
)
