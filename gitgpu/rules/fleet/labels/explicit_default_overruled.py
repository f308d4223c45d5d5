"""explicitDefaults applies where the pool has no value."""

from collections.abc import Collection, Iterator, Mapping
from functools import partial
from typing import Any

from gitgpu.diagnostic import Severity
from gitgpu.load.spec.normalise import merge
from gitgpu.model.driver_owner import BY_AKS
from gitgpu.model.fleet import Pool
from gitgpu.model.inputs import Inputs
from gitgpu.rules.fleet.labels._added_labels import drivers, is_labelled
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.unused_values import unused_values
from gitgpu.source import Pointer

KEYS = (
    *(("nodePool", key) for key in ("taints", "startupTaints", "labels", "annotations")),
    *(("nodeClass", key) for key in ("fipsMode", "gpu", "artifactStreaming", "kubelet", "linuxOSConfig", "security")),
)


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Explicit defaults that add nothing to what the objects of the pool already contain."""
    written = frozenset().union(*(pool.objects.explicit_defaults for pool in inputs.pools))  # mostly none
    for part, key in KEYS:
        if part not in written:
            continue
        path: Pointer = ("explicitDefaults", part, key)
        for origin, where in unused_values(inputs, path, partial(_adds_nothing, inputs, part, key)):
            reason = _REASONS.get(key, f"the pool has {key}")
            yield Finding(origin, where, f"{'.'.join(map(str, path))} has no effect: {reason}", REMEDY)


REMEDY = "remove it, and each mapping that this leaves empty"
_REASONS: Mapping[str, str] = {
    "taints": "the NodePool has taints",
    "labels": "the NodePool has labels",
    "fipsMode": "image.fips is true",
    "gpu": "AKS does not install the driver",
    "artifactStreaming": "image.artifactStreaming is true",
}


def _adds_nothing(inputs: Inputs, part: str, key: str, pool: Pool) -> bool:
    pool_drivers = drivers(inputs, pool)
    own = (_node_pool_values(pool, pool_drivers) if part == "nodePool" else _node_class_values(pool, pool_drivers))[key]
    written = pool.objects.explicit_defaults.get(part, {})
    return bool(own) and key in written and merge(own, written[key]) == own


def _node_pool_values(pool: Pool, drivers_: Collection[str]) -> dict[str, Any]:
    labelled = all(is_labelled(pool, driver) for driver in drivers_)
    return {
        "taints": list(pool.taints) or pool.has_spot_taint,
        "startupTaints": list(pool.startup_taints),
        "labels": labelled,
        "annotations": dict(pool.objects.annotations),
    }


def _node_class_values(pool: Pool, drivers_: Collection[str]) -> dict[str, Any]:
    return {
        "fipsMode": pool.image.get("fips"),
        "gpu": not any(driver in BY_AKS for driver in drivers_),
        "artifactStreaming": pool.image.get("artifactStreaming"),
        "kubelet": dict(pool.kubelet),
        "linuxOSConfig": pool.settings.get("linuxOSConfig"),
        "security": pool.settings.get("security"),
    }


RULE = Rule(
    code="SCH032",
    name="explicit-default-overruled",
    severity=Severity.WARNING,
    summary="explicitDefaults lists a default although the pool has a different value.",
    help="explicitDefaults writes defaults into the NodePool and the AKSNodeClass, as existing objects have them. A "
    "value that follows from other keys of the pool is written instead of the default.",
    sources=(
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/apis/crds/karpenter.azure.com_aksnodeclasses.yaml",
    ),
    check=_check,
)
