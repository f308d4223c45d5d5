"""The MIG layout that AKS creates on a node pool, as a key of a GpuPool."""

from collections.abc import Mapping
from typing import Any

from gitgpu.access import reach
from gitgpu.model.catalog import Catalog
from gitgpu.model.mig import fullest, profiles
from gitgpu.model.sku import Gpu, Sku


def mig_keys(spec: Mapping[str, Any], sku: Sku, catalog: Catalog) -> dict[str, Any] | None:
    """`partition` for the GPU instance profile of a node pool; None if there is none or its GPU does not support it."""
    wanted = catalog.must("pools", "aks")["migProfiles"].get(spec.get("gpuInstanceProfile"))
    if not wanted or not sku.gpu:
        return None
    profile = profile_of_aks(sku.gpu, wanted)
    if not profile:
        return None
    mig: dict[str, Any] = {"profiles": {profile: wanted["instances"]}}
    strategy = str(reach(spec, "gpuProfile", "nvidia", "migStrategy") or "Single").lower()
    if strategy != "single":
        mig = {"strategy": strategy, **mig}
    return {"mig": mig}


def profile_of_aks(gpu: Gpu, wanted: Mapping[str, int]) -> str:
    """The profile with the wanted `slices` that fits on a GPU as often as `instances` says; "" if there is none."""
    facts = gpu.mig or {}
    equal_profiles = (name for name in profiles([gpu]) if facts[name]["slices"] == wanted.get("slices"))
    return next((name for name in equal_profiles if fullest(gpu, name) == wanted.get("instances")), "")
