"""Placeholders in the triggers of a workload."""

from gitgpu.model.fleet import Cluster, Workload

PLACEHOLDERS = ("cluster", "namespace", "name")


def fill(text: str, workload: Workload, cluster: Cluster) -> str:
    """The text of a trigger with names in the places of `{cluster}`, `{namespace}` and `{name}`.

    These are not valid in PromQL, nor in names of Azure.
    """
    names = (cluster.aks_name, workload.namespace, workload.name)
    for place, name in zip(PLACEHOLDERS, names, strict=True):
        text = text.replace(f"{{{place}}}", name)
    return text
