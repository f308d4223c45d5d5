"""GPU nodes that Flux deletes when a file is removed."""

from collections.abc import Iterator

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.model.names.annotations import FLUX_PRUNE_ANNOTATION
from gitgpu.model.names.kinds import FLUX_KUSTOMIZATION
from gitgpu.objects.gitops.references import applied_objects
from gitgpu.objects.node.agent_pools import agent_pools
from gitgpu.objects.node.node_pools import node_pools
from gitgpu.objects.objects import Identity, Objects
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    pruning_items = [item for item in objects.of(*FLUX_KUSTOMIZATION) if reach(item.body, "spec", "prune") is True]
    gpus = set(_gpu_pools(objects)) if pruning_items else set()
    for kustomization in pruning_items:
        for item in applied_objects(kustomization, objects):
            fields = (reach(item.body, "metadata", field) or {} for field in ("annotations", "labels"))
            # Flux ignores case.
            guarded = any(str(field.get(FLUX_PRUNE_ANNOTATION)).lower() == "disabled" for field in fields)
            if item.identity in gpus and not guarded:
                message = (
                    f"Kustomization {kustomization.identity.name} deletes these nodes when the file is moved or removed"
                )
                yield Finding(item, ("metadata",), message, f"add the annotation {FLUX_PRUNE_ANNOTATION}: disabled")


def _gpu_pools(objects: Objects) -> Iterator[Identity]:
    yield from (pool.item.identity for pool in node_pools(objects) if pool.for_gpus)
    for pool in agent_pools(objects):
        if any(sku and sku.gpu for *_, sku in pool.sizes(objects)):
            yield pool.item.identity


RULE = Rule(
    code="GIT014",
    name="gpu-nodes-pruned-by-flux",
    severity=Severity.INFO,
    summary="A Flux Kustomization with prune: true applies a GPU NodePool or AKS node pool that is not protected.",
    help="When the file is moved or removed, Flux deletes the object, and with it the nodes and their pods.",
    sources=(
        "https://github.com/fluxcd/kustomize-controller/blob/186fb3b29138ce82ff61ba1a9370b96a3dd598fe/docs/spec/v1/kustomizations.md#prune",
        "https://karpenter.sh/docs/concepts/disruption/",
    ),
    check=_check,
)
