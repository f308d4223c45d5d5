"""Placeholders in the triggers of a workload."""

from gitgpu.model.fleet import Cluster, Workload


def fill(text: str, workload: Workload, cluster: Cluster) -> str:
    """The text of a trigger with names in the places of `{cluster}`, `{namespace}` and `{name}`.

    These are not valid in PromQL, nor in names of Azure.
    """
    named = {"cluster": cluster.aks_name, "namespace": workload.namespace, "name": workload.name}
    for place, name in named.items():
        text = text.replace(f"{{{place}}}", name)
    return text
