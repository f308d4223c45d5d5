"""The MIG layout that AKS creates on a node pool, as a key of a GpuPool."""

from collections.abc import Mapping
from typing import Any

from gitgpu.compare.snapshot import at
from gitgpu.model.catalog import Catalog
from gitgpu.model.mig.layout import fullest, profiles
from gitgpu.model.sku import Sku


def mig_keys(spec: Mapping[str, Any], sku: Sku, catalog: Catalog) -> dict[str, Any] | None:
    """`partition` for the GPU instance profile of a node pool; None if there is none or its GPU does not support it."""
    wanted = catalog.must("pools", "aks")["migProfiles"].get(spec.get("gpuInstanceProfile"))
    if not wanted or not sku.gpu:
        return None
    known = sku.gpu.mig or {}
    as_large = [name for name in profiles([sku.gpu]) if known[name]["slices"] == wanted["slices"]]
    profile = next((name for name in as_large if fullest(sku.gpu, name) == wanted["instances"]), None)
    if not profile:
        return None
    mig: dict[str, Any] = {"profiles": {profile: wanted["instances"]}}
    strategy = str(at(spec, "gpuProfile", "nvidia", "migStrategy") or "Single").lower()
    if strategy != "single":
        mig = {"strategy": strategy, **mig}
    return {"mig": mig}
