"""KAITO: the models that it runs, its release on a cluster, and what a model needs with that release."""

from math import ceil

from gitgpu.model.catalog import Catalog, Facts
from gitgpu.model.fleet import Cluster, Model
from gitgpu.model.syntax.version import minor, version

CHART = "kaito-workspace"
GIB = 2**30


def release(cluster: Cluster, catalog: Catalog) -> Facts | None:
    """The facts about the cluster's KAITO release, or None without KAITO."""
    names = {"helm": catalog.must("charts", CHART)["appVersion"], "addon": on_add_on(cluster.kubernetes, catalog)}
    return catalog.must("kaito", names[cluster.stack.kaito]) if cluster.stack.kaito in names else None


def on_add_on(kubernetes: str, catalog: Catalog) -> str:
    """The release that the AKS add-on runs; the newest known one if the catalog has none for a Kubernetes version."""
    settings = {name: str(row["kaito"] or "") for name, row in catalog.rows("kubernetes").items()}
    return settings.get(minor(kubernetes) if kubernetes else "") or max(filter(None, settings.values()), key=version)


def needs(model: str, row: Facts) -> Facts | None:
    """What a preset or a Hugging Face model needs; None if the release has no entry for it."""
    by_name = {name.lower(): facts for name, facts in {**row.get("models", {}), **row["presets"]}.items()}
    return by_name.get(model.lower())


def takes(model: str, row: Facts) -> bool:
    """Whether the release supports the model. Newer releases accept any Hugging Face model."""
    return needs(model, row) is not None or ("/" in model and "models" in row)


def gpus_needed(needed: Facts, row: Facts, gpus: int, memory: float) -> int | None:
    """The number of GPUs that a model needs on nodes with `gpus` GPUs of `memory` GiB; None if they are too small."""
    if "weightsGiB" not in needed:
        minimum = max(needed.get("gpus", 1), ceil(needed["totalGiB"] / memory))
        return minimum if memory >= needed.get("gpuGiB", 0) else None
    # As in estimator.go of pkg/workspace/estimator/nodesestimator in kaito-project/kaito.
    sums = row["estimate"]
    cache = sums["tokens"] * needed["tokenBytes"] / GIB / gpus
    room = (memory * sums["utilization"] - sums["baseGiB"] - cache) / (1 + sums["share"])
    return int(needed["weightsGiB"] * sums["growth"] / room) + 1 if room > 0 else None


def tuning_gpus(needed: Facts, memory: float) -> int | None:
    """The number of GPUs with `memory` GiB that tuning a model needs; None if the release cannot tune it."""
    return ceil(needed["tuningGiB"] / memory) if "tuningGiB" in needed else None


def used_images(model: Model, row: Facts | None) -> frozenset[str]:
    """The images that KAITO starts for a model, by their `use` in the catalog's charts."""
    settings, tuning = model.settings, model.task == "tuning"
    read = [adapter for adapter in settings.get("adapters", ()) if "image" in adapter]
    by_use = {
        "model": model.task != "rag",
        "weights": bool(tuning and weights_tag(model, row)),
        "image-source": bool(read or "image" in settings.get("input", {})),
        "image-output": "image" in settings.get("output", {}),
    }
    return frozenset(use for use, needed in by_use.items() if needed)


def weights_tag(model: Model, row: Facts | None) -> str:
    """The tag of the image with the weights that a model is tuned from; "" if there is none."""
    needed = needs(model.settings.get("preset", ""), row) if row and model.task == "tuning" else None
    return str(needed.get("weightsTag", "")) if needed else ""
