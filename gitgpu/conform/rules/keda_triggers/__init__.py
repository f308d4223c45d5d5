"""KEDA triggers and their authentication."""

from gitgpu.conform.kinds import PODS, kinds

KINDS = kinds(
    about=[*PODS, "keda.sh/ClusterTriggerAuthentication", "keda.sh/ScaledObject", "keda.sh/TriggerAuthentication"],
)
