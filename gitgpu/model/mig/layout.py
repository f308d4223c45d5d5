"""How MIG divides a GPU into instances: what a layout holds, whether a GPU supports it, and what pods request.

A GPU has seven slices (some have four) and eight parts of memory. A profile takes some of both; the part of the memory
follows from the size in its name, against that of the profile that is the whole GPU.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from gitgpu.model.sku import Gpu

WHOLE = "nvidia.com/gpu"
PARTS = 8  # of a GPU's memory

Layout = Mapping[str, int]  # profiles and how many instances of each one GPU holds; {} leaves it whole


class Mig(NamedTuple):
    """What a pool says about MIG. `layouts` holds one for every GPU of a node, or one for each of them in order."""

    strategy: str
    layouts: tuple[Layout, ...]

    @property
    def single(self) -> bool:
        """Are instances advertised as GPUs?"""
        return self.strategy == "single"

    @property
    def instances(self) -> int:
        """How many instances the first GPU is divided into; with single that is so for each of them."""
        return sum(self.layouts[0].values())

    @property
    def resources(self) -> frozenset[str]:
        """What pods may ask for: single hides the profiles, mixed also advertises GPUs that are left whole."""
        if self.single:
            return frozenset({WHOLE})
        names: set[str] = set()
        for layout in self.layouts:
            names.update(layout or [""])  # a GPU without instances is advertised whole
        return frozenset(map(resource, names))

    def offered(self, gpus: int, profile: str) -> int:
        """How many instances of a profile a node with so many GPUs has; of no profile, GPUs or what passes for them."""
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
        """What the layout is called: a label's value, and another one for another layout, so that nodes are renewed."""
        if len(self.layouts) > 1:
            from hashlib import sha256  # noqa: PLC0415  loads OpenSSL, and few nodes have GPUs with different layouts

            text = repr([sorted(layout.items()) for layout in self.layouts])
            return f"layout-{sha256(text.encode()).hexdigest()[:8]}"
        return "_".join(f"{count}x{_plain(name)}" for name, count in sorted(self.layouts[0].items()))


def resource(profile: str) -> str:
    """The extended resource of a profile under the strategy mixed; of no profile that of a whole GPU."""
    return f"nvidia.com/mig-{_plain(profile)}" if profile else WHOLE


def base(profile: str) -> str:
    """The profile of the GPU instance: 3g.40gb for 1c.3g.40gb and 3g.40gb+me."""
    plain = profile.partition("+")[0].partition("-")[0]
    return plain.partition(".")[2] if plain[:1].isdigit() and plain[1:3] == "c." else plain


def misfit(gpu: Gpu, layout: Layout) -> str:
    """Why a GPU does not support a layout; "" when it does. Instances that compute instances share are left out."""
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
    # Slices alone are not enough: seven 1g.20gb take seven slices, but fourteen parts of memory.
    parts = sum(layout[name] * _parts(fact, of_gpu) for name, fact in facts.items())
    return f"it has {PARTS} memory slices, but the layout needs {parts}" if parts > PARTS else ""


def fullest(gpu: Gpu, profile: str) -> int:
    """How many instances of a profile alone a GPU holds at most; 0 when it does not have the profile."""
    facts = (gpu.mig or {}).get(profile)
    return int(facts["max"]) if facts else 0


def profiles(gpus: Sequence[Gpu]) -> list[str]:
    """The profiles that all these GPUs have, without those that add an attribute."""
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
