"""Objects as they are applied: after the patches, images and variables of the Kustomization or Application."""

from typing import Any

from gitgpu.objects.delivery.kustomize import Part
from gitgpu.objects.delivery.patches import apply_patches
from gitgpu.objects.delivery.substitution import Substituted, substitute


def deliver(body: dict[str, Any], part: Part) -> Substituted | None:
    """The object as it is applied; None if a patch deletes it. Flux patches before it substitutes."""
    patched = apply_patches(body, part.changes, part.namespace) if part.changes else body
    if patched is None:
        return None
    return substitute(patched, part.by.fill) if part.by and part.by.fill else Substituted(patched)
