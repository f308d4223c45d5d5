"""The namespaces that must exist before the workloads, as a script that reports missing ones."""

from shlex import join

from gitgpu.emit.namespaces import created_namespaces, foreign
from gitgpu.emit.page import Page
from gitgpu.plan.decided.cluster import ClusterPlan

TEXT = """\
# The overlays have objects in these namespaces, but do not create them. Flux and Argo CD stop at the first missing one.
# This script reports every missing one. To create them with the overlays, set delivery: {{namespaces: create}}.
set -eu
missing=0
for name in {names}; do
  kubectl get namespace "$name" --output name || missing=1
done
exit $missing
"""


def write(plan: ClusterPlan) -> str:
    """A script; "" if the overlays need no such namespace, or create it."""
    names = [] if created_namespaces(plan) else foreign(plan)
    return TEXT.format(names=join(names)) if names else ""


PAGE = Page("namespaces.sh", write)
