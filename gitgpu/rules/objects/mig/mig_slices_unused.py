"""A MIG layout should use the whole GPU."""

from collections.abc import Iterator, Mapping

from gitgpu.diagnostic import Severity
from gitgpu.model.mig import misfit, profile_that_fits
from gitgpu.model.sku import Gpu
from gitgpu.objects.objects import Objects
from gitgpu.objects.software.mig_layouts import layouts
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    """Layouts that leave room on each GPU that supports them. The GPUs of a layout are those with its profiles."""
    gpus = [gpu for gpu in objects.catalog.gpus if gpu.mig]
    for layout in layouts(objects):
        for group in layout.groups:
            if profile := _spare(group, gpus):
                message = f"the MIG layout {layout.name} leaves room for one more instance of {profile} on each GPU"
                yield Finding(layout.item, layout.pointer, message, "add it, or use a larger profile")


def _spare(group: Mapping[str, int], gpus: list[Gpu]) -> str:
    """A profile for which every GPU that supports the layout has room; "" if one of them has none.

    A layout with one profile is for strategy single, which allows no other.
    """
    fitting_gpus = [gpu for gpu in gpus if not misfit(gpu, group)]
    spare = [profile_that_fits(gpu, group, single=len(group) == 1) for gpu in fitting_gpus]
    return spare[0] if spare and all(spare) else ""


RULE = Rule(
    code="SHR093",
    name="mig-slices-unused",
    twin="PRT004",
    severity=Severity.WARNING,
    summary="A MIG layout leaves room for another instance on each GPU.",
    help="No pod can use the rest of the GPU, and you pay for it. A layout with a single profile is compared with the "
    "maximum number of its instances; one with several profiles with any profile of the GPU.",
    sources=("https://docs.nvidia.com/datacenter/tesla/mig-user-guide/supported-mig-profiles.html",),
    check=_check,
)
