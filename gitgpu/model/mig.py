"""How MIG divides a GPU into instances: the content of a layout, whether a GPU supports it, and what pods request.

A GPU has seven compute slices (some have four) and eight memory slices. A profile takes some of both. Its memory slices
follow from the size in its name, compared with the profile for the whole GPU.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from gitgpu.model.names.resources import NVIDIA_GPU
from gitgpu.model.sku import Gpu

PARTS = 8  # memory slices of a GPU

Layout = Mapping[str, int]  # the number of instances of each profile on one GPU; {} leaves it whole


class Mig(NamedTuple):
    """The MIG settings of a pool. `layouts` has one layout for all GPUs of a node, or one for each of them in order."""

    strategy: str
    layouts: tuple[Layout, ...]

    @property
    def single(self) -> bool:
        """Whether instances are advertised as GPUs."""
        return self.strategy == "single"

    @property
    def instances(self) -> int:
        """The number of instances of the first GPU; with the single strategy, all GPUs have the same."""
        return sum(self.layouts[0].values())

    @property
    def resources(self) -> frozenset[str]:
        """The resources that pods can request. Single hides the profiles; mixed also advertises whole GPUs."""
        if self.single:
            return frozenset({NVIDIA_GPU})
        names: set[str] = set()
        for layout in self.layouts:
            names.update(layout or [""])  # a GPU without instances is advertised whole
        return frozenset(map(resource, names))

    def count_instances(self, gpus: int, profile: str) -> int:
        """The number of instances of a profile on a node with so many GPUs; without a profile, of nvidia.com/gpu."""
        layouts = self.layouts * gpus if len(self.layouts) == 1 else self.layouts
        if self.single:
            return sum(sum(layout.values()) for layout in layouts)
        if not profile:
            return sum(not layout for layout in layouts)
        total = 0
        for layout in layouts:
            total += sum(count for name, count in layout.items() if resource(name) == resource(profile))
        return total

    @property
    def name(self) -> str:
        """The name of the layout, for a label. Each layout has another one, so that a change replaces the nodes."""
        if len(self.layouts) > 1:
            from hashlib import sha256  # noqa: PLC0415  loads OpenSSL, and few nodes have GPUs with different layouts

            text = repr([sorted(layout.items()) for layout in self.layouts])
            return f"layout-{sha256(text.encode()).hexdigest()[:8]}"
        return "_".join(f"{count}x{_plain(name)}" for name, count in sorted(self.layouts[0].items()))


def resource(profile: str) -> str:
    """The extended resource of a profile with the mixed strategy; without a profile, the resource of a whole GPU."""
    return f"nvidia.com/mig-{_plain(profile)}" if profile else NVIDIA_GPU


def base(profile: str) -> str:
    """The profile of the GPU instance: 3g.40gb for 1c.3g.40gb and 3g.40gb+me."""
    plain = profile.partition("+")[0].partition("-")[0]
    return plain.partition(".")[2] if plain[:1].isdigit() and plain[1:3] == "c." else plain


def misfit(gpu: Gpu, layout: Layout) -> str:
    """Why a GPU does not support a layout; "" if it does. Compute instances are not counted: they share an instance."""
    of_gpu = gpu.mig or {}
    absent = next((name for name in layout if base(name) not in of_gpu), "")
    if absent:
        return f"it has no profile {absent}"
    facts = {name: of_gpu.get(name) or of_gpu[base(name)] for name in layout if "c." not in name}
    many = next((name for name, fact in facts.items() if layout[name] > fact["max"]), "")
    if many:
        return f"it supports {many} at most {facts[many]['max']} times, not {layout[many]}"
    slices = sum(layout[name] * fact["slices"] for name, fact in facts.items())
    if gpu.instances is not None and slices > gpu.instances:
        return f"it has {gpu.instances} compute slices, but the layout needs {slices}"
    # Compute slices are not enough: seven 1g.20gb take seven of them, but fourteen memory slices.
    parts = sum(layout[name] * _parts(fact, of_gpu) for name, fact in facts.items())
    return f"it has {PARTS} memory slices, but the layout needs {parts}" if parts > PARTS else ""


def profile_that_fits(gpu: Gpu, layout: Layout, *, single: bool) -> str:
    """A profile for which the GPU has room next to a layout; "" if there is none, or it does not support the layout.

    With strategy `single`, only the profiles of the layout count. The number of instances with an attribute such as
    +me is known only if the catalog has that profile.
    """
    is_known = all(name in (gpu.mig or {}) for name in layout)
    if not is_known or misfit(gpu, layout):
        return ""
    # The catalog lists small profiles first, and the largest that fits is named.
    candidates = layout if single else reversed(profiles([gpu]))
    for profile in candidates:
        if not misfit(gpu, {**layout, profile: layout.get(profile, 0) + 1}):
            return profile
    return ""


def fullest(gpu: Gpu, profile: str) -> int:
    """The maximum number of instances of one profile on a GPU; 0 if the GPU does not have the profile."""
    facts = (gpu.mig or {}).get(profile)
    return int(facts["max"]) if facts else 0


def profiles(gpus: Sequence[Gpu]) -> list[str]:
    """The profiles that all these GPUs have, without those with an attribute such as +me."""
    if not gpus:
        return []
    shared = list(gpus[0].mig or {})
    for gpu in gpus[1:]:
        shared = [name for name in shared if name in (gpu.mig or {})]
    return [name for name in shared if "+" not in name]


def _plain(profile: str) -> str:
    """The profile as labels and resources spell it."""
    return profile.replace("+", ".")


def _parts(fact: Mapping[str, Any], of_gpu: Mapping[str, Any]) -> int:
    whole: float = max(entry["memoryGiB"] for entry in of_gpu.values())
    # Rounded, because names give gigabytes without fractions, such as 18 of 141 for an eighth.
    return round(PARTS * float(fact["memoryGiB"]) / whole)
