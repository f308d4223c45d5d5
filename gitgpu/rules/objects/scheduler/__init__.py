"""Scheduler: profiles of the scheduler of AKS."""

from gitgpu.model.names.kinds import SCHEDULER_CONFIGURATION
from gitgpu.rules.kinds import kinds

PREFIX = "SDL"  # of the codes of new rules
KINDS = kinds(about=[SCHEDULER_CONFIGURATION])
