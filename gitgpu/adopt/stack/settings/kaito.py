"""How KAITO is installed: the add-on of AKS, its chart, or not at all."""

from collections.abc import Iterator

from gitgpu.adopt.stack.evidence import Evidence
from gitgpu.adopt.stack.installed import by_aks, installed, workload
from gitgpu.adopt.stack.view import View
from gitgpu.conform.workload.kaito_models import models

_PATH = ("kaito",)


def infer(view: View) -> Iterator[Evidence]:
    """What Azure says of its add-on, then releases, then KAITO's controller, then that a model needs KAITO."""
    addon = view.cluster.azure.addons.get("kaito")
    if addon:
        yield Evidence(_PATH, "addon", "Azure says that the AI toolchain operator (KAITO) is on", view.bare)
    charts = installed(view, "kaito-workspace")
    for chart in charts:
        yield Evidence(_PATH, "helm", f"{chart.title} runs KAITO", chart.observed, chart.pointer)
    controller = workload(view, "kaito-workspace")
    if controller and by_aks(controller):
        yield Evidence(_PATH, "addon", f"{controller.name} is part of the add-on of AKS", controller)
    model = next(models(view.objects), None)
    if model and addon is None and not charts and controller is None:
        way, title = ("addon", "the add-on") if model.size else ("helm", "its chart")
        name = f"{model.kind} {model.item.identity.name}"
        sized = "names a size" if model.size else "names no size"
        reason = f"{name} {sized}, and nothing that was read says how KAITO is installed: {title} is assumed"
        yield Evidence(_PATH, way, reason, view.observed(model.item))
