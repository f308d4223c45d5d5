"""Simulates Karpenter without a cluster: whether a pod gets a node, which one, and at what price.

`node` turns node pools into `NodeGroup`s, `instance` sizes into `InstanceTypes` (sets of sizes as bits), `pod` pods
into `Shape`s, and `place` puts the pods onto nodes as Karpenter's scheduler does. `explain` describes the result: why a
pod is unschedulable, what is uncertain, what it costs. The only input is Kubernetes objects.
"""

from gitgpu.simulate.engine import possible_pools, simulate
from gitgpu.simulate.setup import Setup

__all__ = ["Setup", "possible_pools", "simulate"]
