"""The namespaces that must be there before the workloads, as one command that says which are missing."""

from shlex import join

from gitgpu.emit.namespaces import created, foreign
from gitgpu.emit.page import Page
from gitgpu.plan.decided.cluster import ClusterPlan

TEXT = """\
# The overlays put objects into these namespaces, and do not make them. An engine stops at the first that is missing.
# This reports each one. Their owners make them, or the overlays do: delivery: {{namespaces: create}} in the spec.
set -eu
missing=0
for name in {names}; do
  kubectl get namespace "$name" --output name || missing=1
done
exit $missing
"""


def write(plan: ClusterPlan) -> str:
    """A script; "" where the overlays need no such namespace, or bring them."""
    names = [] if created(plan) else foreign(plan)
    return TEXT.format(names=join(names)) if names else ""


PAGE = Page("namespaces.sh", write)
