"""What an AKS Automatic cluster refuses or changes."""

from gitgpu.model.names.kinds import MANAGED_CLUSTER, NODE, VALIDATING_ADMISSION_POLICY
from gitgpu.rules.kinds import AGENT_POOLS, PODS, RELEASES, kinds

PREFIX = "APL"  # of the codes of new rules
KINDS = kinds(
    about=[*PODS, *RELEASES, *AGENT_POOLS],
    context=[MANAGED_CLUSTER, NODE, VALIDATING_ADMISSION_POLICY],
)
