"""The releases of operators that a cluster of the fleet runs, as far as the spec and the catalog say."""

from collections.abc import Hashable, Mapping
from typing import NamedTuple

from gitgpu.model.fleet import Cluster
from gitgpu.model.inputs import Inputs
from gitgpu.model.software.installed import installed_software
from gitgpu.model.software.run_by_aks import run_by_aks
from gitgpu.model.syntax.version import numbers_in

# The charts that install the operators of a project, by the name of the project.
_CHARTS: Mapping[str, str] = {
    "dra-driver": "dra-driver-nvidia-gpu",
    "gpu-operator": "gpu-operator",
    "kaito": "kaito-workspace",
    "keda": "keda",
    "network-operator": "network-operator",
}


class ClusterReleases(NamedTuple):
    """What a cluster runs. `key` is equal for clusters that run the same."""

    inputs: Inputs
    cluster: Cluster

    @property
    def key(self) -> Hashable:
        """What the releases depend on."""
        stack = self.cluster.stack
        return self.cluster.karpenter, stack.keda, stack.kaito, frozenset(stack.versions.items())

    def versions(self, project: str) -> tuple[str, ...]:
        """The versions of a project that the cluster may run; () if that is unknown."""
        if project == "karpenter" and self.cluster.karpenter:
            return (self.cluster.karpenter,)
        if project == "keda" and self.cluster.stack.keda == "addon":
            aks = run_by_aks(self.inputs.catalog, project, self.inputs.today, self.cluster.kubernetes)
            return aks.releases if aks else ()
        software = _CHARTS.get(project, "")
        if software not in installed_software(self.inputs, self.cluster):
            return ()
        return (numbers_in(self.inputs.catalog_for(self.cluster).version(software)),)
