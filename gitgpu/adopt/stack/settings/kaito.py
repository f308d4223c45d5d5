"""How KAITO is installed: as the AKS add-on, from its chart, or not at all."""

from collections.abc import Iterator

from gitgpu.adopt.stack.addons import Addon, installers, is_unseen
from gitgpu.adopt.stack.evidence import Evidence
from gitgpu.adopt.stack.view import View
from gitgpu.objects.workload.kaito_models import models

_ADDON = Addon("kaito", "KAITO", "the AI toolchain operator (KAITO)", "kaito-workspace", "kaito-workspace")
_PATH = (_ADDON.key,)


def infer(view: View) -> Iterator[Evidence]:
    """Evidence from the add-on that Azure reports, then from releases, KAITO's controller, and a model of KAITO."""
    yield from installers(view, _ADDON)
    model = next(models(view.objects), None)
    if model and is_unseen(view, _ADDON):
        value, title = ("addon", "the add-on") if model.size else ("helm", "its chart")
        name = f"{model.kind} {model.item.identity.name}"
        sized = "sets a size" if model.size else "does not set a size"
        reason = f"{name} {sized}, and the input does not show how KAITO is installed: {title} is assumed"
        yield Evidence(_PATH, value, reason, view.original(model.item))
