"""Images in objects that are not references: the kubelet, or what pulls or pushes them, rejects them."""

from typing import Any

from gitgpu.diagnostic import Problem
from gitgpu.model.syntax.image import image_fault
from gitgpu.model.syntax.templates import is_template

_BUILT = "ko://"  # `ko resolve` builds the Go package, and replaces it with the image
_REMEDY = "write it as HOST/REPOSITORY:TAG, such as contoso.azurecr.io/chat:1.4"


def reference_problem(image: Any) -> Problem | None:
    """What is wrong with an image; None if it is a reference, is missing, or is replaced before it is applied."""
    if not isinstance(image, str) or not image or _is_filled_in(image):
        return None
    fault = image_fault(image)
    return Problem(f"'{image[:80]}' is not an image reference: {fault}", _REMEDY) if fault else None


def _is_filled_in(image: str) -> bool:
    """Whether something replaces it before it is applied: a template, a variable, a placeholder, a build."""
    return (
        is_template(image)
        or image.startswith(_BUILT)
        or any(mark in image for mark in ("$", "<", ">", "{", "}", "[[", "%"))
    )
