"""Labels that only other clouds have on their nodes, and the labels for the same fact in AKS."""

from gitgpu.model.size.node_labels import GPU_NAME
from gitgpu.objects.node.candidate_sizes import accelerators, gpu_name_parts
from gitgpu.objects.objects import Objects


def azure_label(key: str, objects: Objects) -> str:
    """The label that Karpenter knows in AKS for the fact of another cloud's label; "" if the label is none of those."""
    return _instead(objects).get(key, "")


def azure_value(label: str, value: str, objects: Objects) -> str:
    """`label: VALUE` with the value that means the same; only the label if that is unknown."""
    names = {name.upper(): name for name in accelerators(objects)} if label == GPU_NAME else {}
    known = next((names[part] for part in gpu_name_parts(value) if part in names), "")
    return f"{label}: {known}" if known else label


def _instead(objects: Objects) -> dict[str, str]:
    return objects.once_per_run("labels of other clouds", lambda: _labels(objects))


def _labels(objects: Objects) -> dict[str, str]:
    labels: dict[str, str] = {}
    for row in objects.catalog.must("placement", "aks")["foreign"]:
        keys = [f"{domain}/{row['key']}" for domain in row["domains"]] or [row["key"]]
        labels |= dict.fromkeys(keys, row["instead"])
    return labels
