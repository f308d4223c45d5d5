"""Software that is an add-on of AKS or a chart: what says which of the two runs."""

from collections.abc import Iterator
from typing import NamedTuple

from gitgpu.adopt.stack.evidence import Evidence
from gitgpu.adopt.stack.installed import by_aks, installed, workload
from gitgpu.adopt.stack.view import View


class Addon(NamedTuple):
    """`key` is that of the stack and of `Azure.addons`; `title` is what Azure says is on. `chart` is a catalog row."""

    key: str
    name: str
    title: str
    chart: str
    controller: str


def installers(view: View, addon: Addon) -> Iterator[Evidence]:
    """What Azure says of the add-on, then releases, then the controller."""
    path = (addon.key,)
    if view.cluster.azure.addons.get(addon.key):
        yield Evidence(path, "addon", f"Azure reports that {addon.title} is on", view.bare)
    for chart in installed(view, addon.chart):
        yield Evidence(path, "helm", f"{chart.title} runs {addon.name}", chart.observed, chart.pointer)
    controller = workload(view, addon.controller)
    if controller and by_aks(controller):
        yield Evidence(path, "addon", f"{controller.name} is part of the AKS add-on", controller)
    elif controller:
        reason = f"{controller.name} runs {addon.name}, but is not part of the add-on or the chart: it stays as it is"
        yield Evidence(path, "none", reason, controller)


def is_unseen(view: View, addon: Addon) -> bool:
    """Does nothing that was read say whether it runs, and how?"""
    is_recorded = view.cluster.azure.addons.get(addon.key) is not None
    return not is_recorded and not installed(view, addon.chart) and workload(view, addon.controller) is None
