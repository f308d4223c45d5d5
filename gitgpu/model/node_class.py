"""What a pool needs from its AKSNodeClass, to decide whether two pools can share one."""

from collections.abc import Mapping
from typing import Any

from gitgpu.load.spec.normalise import merge
from gitgpu.model.driver_owner import BY_AKS, driver_on
from gitgpu.model.fleet import Cluster, Pool

_OF_NODE_POOL = "ephemeralOSDisk"  # the key of `image` that becomes a requirement of the NodePool


def class_settings(pool: Pool, cluster: Cluster) -> Mapping[str, Any]:
    """The keys of the pool's spec that its AKSNodeClass on a cluster is made from, with their values."""
    driver = driver_on(cluster, pool)
    image = {f"image.{key}": value for key, value in pool.image.items() if key != _OF_NODE_POOL and value is not False}
    managed = {"driver": "managed"} if driver == "managed" else {}
    installed = {} if driver in BY_AKS else {"driver": "not installed by AKS"}
    explicit = pool.objects.explicit_defaults.get("nodeClass", {})
    kept = {
        "subnet": pool.objects.subnet or cluster.network.get("subnet"),
        "kubelet": pool.kubelet,
        "maxPods": pool.max_pods,
        "tags": pool.tags,
        **pool.settings,
    }
    written = merge({key: value for key, value in kept.items() if value}, explicit)
    return {**image, **written, **managed, **installed}
