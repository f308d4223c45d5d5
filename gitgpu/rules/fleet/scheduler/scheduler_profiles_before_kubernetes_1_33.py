"""AKS offers profiles of the scheduler from one Kubernetes version on."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.syntax.version import minor, version
from gitgpu.model.value_origins import with_place
from gitgpu.rules.fleet_rule import Finding, Rule

VERSION = ("spec", "kubernetesVersion")


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Clusters with a profile whose Kubernetes version is older."""
    row = inputs.catalog.must("features", "scheduler-profiles")
    for cluster in inputs.clusters:
        if cluster.binpack and version(cluster.kubernetes)[:2] < version(row["since"])[:2]:
            own = with_place(f"Kubernetes {cluster.kubernetes}", cluster.origin, VERSION)
            message = f"AKS offers profiles of the scheduler from Kubernetes {minor(row['since'])} on, not with {own}"
            yield Finding(cluster.origin, ("spec", "scheduler", "gpus"), message, "use a newer version, or set default")


RULE = Rule(
    code="SDL001",
    name="scheduler-profiles-before-kubernetes-1-33",
    severity=Severity.ERROR,
    summary="A cluster sets scheduler.gpus: binpack, but its Kubernetes version has no profiles of the scheduler.",
    help="AKS turns on profiles of the scheduler on clusters with Kubernetes 1.33 or newer. On an older one there is "
    "no SchedulerConfiguration, and pods that select its profile stay Pending.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/configure-aks-scheduler.md",
    ),
    facts=("features/scheduler-profiles",),
    check=_check,
)
