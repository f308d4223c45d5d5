"""Would this pod get a node, which one, and at what price? Karpenter's decision, without a cluster.

`node` turns node pools into `NodeGroup`s, `instance` sizes into `InstanceTypes` (sets of sizes as bits), `pod` pods
into `Shape`s, and `place` puts the pods onto nodes as Karpenter's scheduler does. `explain` says what comes of it: why
a pod is unschedulable, what a file cannot settle, what it costs. Everything is read from Kubernetes objects.
"""

from gitgpu.simulate.engine import possible_pools, simulate
from gitgpu.simulate.setup import Setup

__all__ = ["Setup", "possible_pools", "simulate"]
