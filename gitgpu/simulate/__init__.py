"""Would this pod get a node, which one, and at what price? Karpenter's decision, without a cluster.

Node pools become `NodeGroup`s (`karpenter`, `agents`), sizes a `Shelf` (sets as bits), pods `Shape`s (`shape`), and
`pack` puts one onto the other as Karpenter's scheduler does. `blocked` says why a pod gets nothing, `doubts` what no
file can settle, `bill` what it costs. Everything is read from Kubernetes objects, whoever wrote them.
"""

from gitgpu.simulate.engine import simulate
from gitgpu.simulate.setup import Setup

__all__ = ["Setup", "simulate"]
