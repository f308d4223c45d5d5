"""The namespace and the version of Azure Service Operator's objects of node pools."""

from collections.abc import Iterator

from gitgpu.access import text_at
from gitgpu.adopt.adoption import Fate
from gitgpu.adopt.node.operator_objects import operator_namespace
from gitgpu.adopt.stack.evidence import Evidence, default_of
from gitgpu.adopt.stack.view import PoolNodes, View
from gitgpu.load.spec.shape import fleet_schema
from gitgpu.model.aks_api import operator_api

_NAMESPACE, _VERSION = ("aso", "namespace"), ("aso", "apiVersion")


def infer(view: View) -> Iterator[Evidence]:
    """The namespace of most of them and the newest of their versions that gitgpu writes, without defaults."""
    namespace = operator_namespace(view.cluster.objects, view.catalog)
    pools_there = [pool for pool in view.pools if pool.agent and _namespace(pool) == namespace]
    if pools_there and namespace != default_of(_NAMESPACE):
        first, place = pools_there[0].nodes, ("metadata", "namespace")
        yield Evidence(_NAMESPACE, namespace, f"{first.name} is in it", first, place, fate=Fate.ADOPTED)
    known_pools = [pool for pool in pools_there if _version(pool) in _known_versions()]
    newest = max(known_pools, key=lambda pool: operator_api(_version(pool)), default=None)
    if newest and _version(newest) != default_of(_VERSION):
        reason = f"{newest.nodes.name} has it"
        yield Evidence(_VERSION, _version(newest), reason, newest.nodes, ("apiVersion",), fate=Fate.ADOPTED)


def _namespace(pool: PoolNodes) -> str:
    return text_at(pool.nodes.body, "metadata", "namespace")


def _version(pool: PoolNodes) -> str:
    return text_at(pool.nodes.body, "apiVersion").rpartition("/")[2]


def _known_versions() -> frozenset[str]:
    keys = fleet_schema()["definitions"]["serviceOperator"]["properties"]
    return frozenset(keys["apiVersion"]["enum"])
