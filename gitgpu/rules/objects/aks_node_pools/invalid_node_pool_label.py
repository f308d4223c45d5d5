"""A node label of an AKS node pool that AKS rejects."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.objects.node.agent_pools import agent_pools
from gitgpu.objects.objects import Objects
from gitgpu.objects.syntax import is_label_value, is_qualified_name
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    reserved = objects.catalog.must("pools", "aks")["reservedLabels"]
    for pool in agent_pools(objects):
        for key, value in (pool.spec.get("nodeLabels") or {}).items():
            domain, place = key.rpartition("/")[0], pool.place("nodeLabels", key)
            if domain in reserved:
                message = f"the label '{key}' is reserved: only AKS sets labels in {domain}"
                yield Finding(pool.item, place, message, "remove it, or use a key in your own domain", at_key=True)
            elif not is_qualified_name(key):
                remedy = "use letters, digits, '-', '_' and '.', at most 63, after an optional DNS prefix and '/'"
                yield Finding(pool.item, place, f"'{key}' is not a valid label key", remedy, at_key=True)
            elif isinstance(value, str) and not is_label_value(value):  # null is an empty value
                remedy = "use at most 63 letters, digits, '-', '_' and '.', starting and ending with a letter or digit"
                yield Finding(pool.item, place, f"'{value}' is not a valid label value", remedy)


RULE = Rule(
    code="APL008",
    name="invalid-node-pool-label",
    twin="AGP012",
    severity=Severity.ERROR,
    summary="An AKS node pool sets a label in a domain reserved for AKS, or one that Kubernetes does not allow.",
    help="AKS sets the labels in its own domains, such as kubernetes.azure.com/accelerator, and rejects them from you.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/use-labels.md",
        "https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#syntax-and-character-set",
    ),
    facts=("pools/aks",),
    check=_check,
)
