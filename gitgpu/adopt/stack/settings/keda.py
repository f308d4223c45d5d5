"""How KEDA is installed: the add-on of AKS, its chart, or not at all."""

from collections.abc import Iterator

from gitgpu.adopt.stack.evidence import Evidence
from gitgpu.adopt.stack.installed import by_aks, installed, workload
from gitgpu.adopt.stack.view import View
from gitgpu.conform.workload.autoscalers import KEDA

_PATH = ("keda",)
_KINDS = ("ScaledObject", "ScaledJob")


def infer(view: View) -> Iterator[Evidence]:
    """What Azure says of its add-on, then releases, then KEDA's operator, then that something needs KEDA."""
    addon = view.cluster.azure.addons.get("keda")
    if addon:
        yield Evidence(_PATH, "addon", "Azure says that the KEDA add-on is on", view.bare)
    charts = installed(view, "keda")
    for chart in charts:
        yield Evidence(_PATH, "helm", f"{chart.title} runs KEDA", chart.observed, chart.pointer)
    operator = workload(view, "keda-operator")
    if operator and by_aks(operator):
        yield Evidence(_PATH, "addon", f"{operator.name} is part of the add-on of AKS", operator)
    scaled = next((item for kind in _KINDS for item in view.objects.of(KEDA, kind)), None)
    if scaled and addon is None and not charts and operator is None:
        name = f"{scaled.identity.kind} {scaled.identity.name}"
        reason = f"{name} needs KEDA, and nothing that was read says how it is installed: the add-on is assumed"
        yield Evidence(_PATH, "addon", reason, view.observed(scaled))
    yield Evidence(_PATH, "none", "nothing that was read installs KEDA", view.bare)
