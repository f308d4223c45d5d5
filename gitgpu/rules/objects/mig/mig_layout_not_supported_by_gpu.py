"""A MIG layout that the GPUs of the pool do not support."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.mig import misfit
from gitgpu.model.names.labels import MIG_CONFIG_LABEL
from gitgpu.model.sku import Gpu
from gitgpu.objects.gitops.chart_values import operators
from gitgpu.objects.node.gpu_pools import GpuPool, gpu_pools
from gitgpu.objects.node.node_pools import LABELS
from gitgpu.objects.objects import Objects
from gitgpu.objects.software.mig_layouts import Layout, chosen_layout, custom, layouts, profile_of
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    may_be_custom = [custom(entry) or not entry.whole for entry in operators(objects)]
    for pool in gpu_pools(objects):
        layout, gpus = chosen_layout(pool), _gpus(pool)
        if not layout:
            continue
        reasons = [_reason(gpu, layout, may_be_custom, objects) for gpu in gpus]
        if reasons and all(reasons):
            message = f"{gpus[0].model} does not support the MIG layout {layout}: {reasons[0]}"
            profiles = [entry for entry in gpus[0].mig or {} if "+" not in entry]
            remedy = f"use a layout of its profiles: {', '.join(profiles)}"
            yield Finding(pool.pool.item, (*LABELS, MIG_CONFIG_LABEL), message, remedy)


def _gpus(pool: GpuPool) -> list[Gpu]:
    """The different GPUs that the pool can get; empty if one of them has no MIG or is unknown."""
    gpus: dict[str, Gpu] = {}
    for sku in pool.skus:
        # SHR009 reports pools whose GPUs all have no MIG; of several sizes, Karpenter may choose one that fits.
        if not sku.gpu or not sku.gpu.mig:
            return []
        if sku.mig is not False:
            gpus[sku.gpu.name] = sku.gpu
    return list(gpus.values())


def _reason(gpu: Gpu, asked: str, may_be_custom: list[bool], objects: Objects) -> str:
    written_layouts = [layout for layout in layouts(objects) if layout.name == asked]
    if written_layouts:
        reasons = (_unsupported(gpu, layout) for layout in written_layouts)
        return next(filter(None, reasons), "")
    # A custom layout can have the name of a default one and other profiles.
    profile = "" if any(may_be_custom) else profile_of(asked)
    return f"it has no profile {profile}" if profile and profile not in (gpu.mig or {}) else ""


def _unsupported(gpu: Gpu, layout: Layout) -> str:
    """Why the GPU supports none of the groups of the layout. A single group can be meant for other GPUs."""
    reasons = [misfit(gpu, group) for group in layout.groups]
    return reasons[0] if reasons and all(reasons) else ""


RULE = Rule(
    code="SHR010",
    name="mig-layout-not-supported-by-gpu",
    twin="PRT002",
    severity=Severity.ERROR,
    summary="A NodePool selects a MIG layout with profiles, or counts of them, that its GPUs do not support.",
    help="The names of profiles depend on the memory of the GPU: 1g.5gb exists on an A100 with 40 GB, 1g.10gb on one "
    "with 80 GB. The MIG manager reports failed, and the node has whole GPUs or none.",
    sources=(
        "https://docs.nvidia.com/datacenter/tesla/mig-user-guide/supported-mig-profiles.html",
        "https://github.com/NVIDIA/gpu-operator/blob/a22dbf671f2e26f9a1e342f8eea28e196235e110/assets/state-mig-manager/0400_configmap.yaml",
    ),
    check=_check,
)
