"""Custom layouts of the MIG manager without the layout that the GPU Operator uses by default."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.names.labels import MIG_CONFIG_LABEL
from gitgpu.objects.gitops.chart_values import effective_value
from gitgpu.objects.node.gpu_pools import GpuPool
from gitgpu.objects.objects import Objects
from gitgpu.objects.software.mig_layouts import OFF, custom, layouts
from gitgpu.objects.software.operator_drivers import operator_drivers
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    names = {layout.name for layout in layouts(objects)}
    if not names or OFF in names:
        return
    for release, pools, _ in operator_drivers(objects):
        # The operator labels nodes without a layout with this default.
        uses_default = effective_value(release, objects, "migManager", "config", "default") in (None, OFF)
        unlabelled = [pool.name for pool in pools if _has_mig(pool) and MIG_CONFIG_LABEL not in pool.pool.labels]
        if unlabelled and uses_default and custom(release):
            message = (
                f"nodes of NodePool {', '.join(unlabelled)} get the MIG layout {OFF}, which the custom layouts do "
                "not define"
            )
            remedy = f"add {OFF}: [{{devices: all, mig-enabled: false}}]"
            yield Finding(*release.locate("migManager", "config"), message, remedy)


def _has_mig(pool: GpuPool) -> bool:
    return any(sku.mig for sku in pool.skus)


RULE = Rule(
    code="SHR060",
    name="mig-layouts-without-all-disabled",
    severity=Severity.WARNING,
    summary="The custom layouts of the MIG manager do not include all-disabled, but some nodes select no layout.",
    help="The GPU Operator labels a node that supports MIG but selects no layout with all-disabled. A custom "
    "ConfigMap replaces all layouts of the MIG manager, including this one, so the state of the node becomes failed.",
    sources=(
        "https://github.com/NVIDIA/gpu-operator/blob/a22dbf671f2e26f9a1e342f8eea28e196235e110/controllers/nodelabeling_controller.go",
        "https://github.com/NVIDIA/mig-parted/blob/bd7160f43f16462eeb21e1eda5e67b5b6b03fd7d/pkg/mig/reconfigure/reconfigure.go",
    ),
    check=_check,
)
