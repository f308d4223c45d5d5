"""A MIG layout that no GPU supports."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.mig import base, misfit
from gitgpu.model.sku import Gpu
from gitgpu.objects.objects import Objects
from gitgpu.objects.software.mig_layouts import Layout, layouts
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    gpus = [gpu for gpu in objects.catalog.gpus if gpu.mig]
    for layout in layouts(objects):
        for what in _faults(layout, gpus):
            message = f"no GPU supports the MIG layout {layout.name} ({what})"
            yield Finding(layout.item, layout.pointer, message, "use profiles and counts that one GPU supports")


def _faults(layout: Layout, gpus: list[Gpu]) -> Iterator[str]:
    for group in layout.groups:
        profiles = [_with_profile(profile, gpus) for profile in group]
        if not all(profiles):
            continue  # a profile of a GPU that the catalog does not have
        common = frozenset.intersection(*profiles)
        if not common:
            yield f"no GPU has all of {', '.join(group)}"
            continue
        reasons = [misfit(gpu, group) for gpu in gpus if gpu.name in common]
        if all(reasons):  # one GPU with the profiles and the slices is enough
            yield f"{min(common)}: {reasons[0]}"


def _with_profile(profile: str, gpus: list[Gpu]) -> frozenset[str]:
    """The names of the GPUs that have a profile."""
    return frozenset(gpu.name for gpu in gpus if base(profile) in (gpu.mig or {}))


RULE = Rule(
    code="SHR012",
    name="impossible-mig-layout",
    severity=Severity.ERROR,
    summary="A MIG layout mixes profiles of different GPUs, or needs more slices than a GPU has.",
    help="A GPU has a fixed number of slices, each profile uses some of them, and the memory in the name of a "
    "profile belongs to one GPU type. The MIG manager cannot apply such a layout on any node.",
    sources=(
        "https://docs.nvidia.com/datacenter/tesla/mig-user-guide/supported-mig-profiles.html",
        "https://github.com/NVIDIA/gpu-operator/blob/a22dbf671f2e26f9a1e342f8eea28e196235e110/assets/state-mig-manager/0400_configmap.yaml",
    ),
    check=_check,
)
