"""A cluster should not run a preview of Kubernetes."""

from collections.abc import Iterator

from gitgpu.diagnostic import Problem, Severity
from gitgpu.model.catalog import Facts
from gitgpu.model.fleet import Cluster
from gitgpu.model.inputs import Inputs
from gitgpu.model.syntax.version import minor, version
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.kubernetes import is_preview, life_cycles, supported_versions, version_list

_REMEDY, _PLAN = "set a version that AKS supports: ", "KubernetesOfficial"  # the support plan that every cluster has


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Clusters with a Kubernetes version that is a preview on AKS, or that their region does not have yet."""
    for cluster in inputs.clusters:
        if fault := _preview(cluster, inputs):
            yield Finding(cluster.origin, ("spec", "kubernetesVersion"), *fault)


def _preview(cluster: Cluster, inputs: Inputs) -> Problem | None:
    """What is wrong, and the remedy. The list of the region decides; without one, the dates for all regions."""
    name = minor(cluster.kubernetes)
    here, life = version_list(inputs.catalog, cluster.region), life_cycles(inputs.catalog).get(name)
    if here is None:
        if not _early(life, inputs):
            return None
        return Problem(f"Kubernetes {name} is a preview on AKS", _REMEDY + supported_versions(inputs))
    offered = here["versions"]
    entry = offered.get(name)
    # A version with long-term support only needs the Premium tier.
    stable = [other for other, facts in offered.items() if not facts["preview"] and _PLAN in facts["support"]]
    remedy = _REMEDY + (", ".join(sorted(stable, key=version)) or supported_versions(inputs))
    if entry and entry["preview"]:
        return Problem(f"Kubernetes {name} is a preview in {cluster.region}", remedy)
    # An older version that the list lacks has ended, which CLU003 reports.
    if not entry and all(version(name) > version(other) for other in offered):
        return Problem(f"AKS did not list Kubernetes {name} in {cluster.region} on {here['date']}", remedy)
    return None


def _early(life: Facts | None, inputs: Inputs) -> bool:
    return life is not None and is_preview(life, inputs.today)


RULE = Rule(
    code="CLU006",
    name="preview-kubernetes",
    severity=Severity.WARNING,
    summary="The Kubernetes version of the cluster is a preview, or its region does not have it yet.",
    help="Previews have no service level agreement and limited support. Drivers, charts and add-ons are tested with "
    "them later. After `gitgpu catalog refresh`, gitgpu checks the list of versions for the region.",
    sources=("https://learn.microsoft.com/azure/aks/supported-kubernetes-versions",),
    check=_check,
)
