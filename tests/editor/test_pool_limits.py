"""What a pool is at its limits: the same from the spec as `plan` computes it from the objects that are built."""

from pathlib import Path

from gitgpu.compare.nodes import Context, pools
from gitgpu.compare.snapshot import clusters, objects_in
from gitgpu.editor.pool_limits import at_limits
from gitgpu.load.schemas import Schemas
from gitgpu.model.aks_node_pool import azure_name
from gitgpu.model.fleet import Pool
from gitgpu.objects.schema.contracts import Contracts
from gitgpu.runs.validate import validate

ROOT = Path(__file__).parents[2]


def object_name(pool: Pool) -> str:
    """The name of the object of a pool."""
    return pool.name if pool.by_karpenter else azure_name(pool)


def test_the_limits_of_the_example_fleet_are_those_of_plan() -> None:
    inputs = validate([str(ROOT / "fleet.yaml")]).inputs
    assert inputs
    files = {path.relative_to(ROOT / "overlays").as_posix(): path for path in (ROOT / "overlays").rglob("*.yaml")}
    texts = {name: path.read_text("utf-8") for name, path in files.items()}
    context = Context(inputs.catalog, Contracts(Schemas()))
    compared = set()
    for cluster in inputs.clusters:
        objects, _ = objects_in(texts, clusters(texts)[cluster.name], "")
        built = {name: pool for (_, name), pool in pools(objects.values(), cluster.region, context).items()}
        for pool in inputs.pools_on(cluster):
            if object_name(pool) in built:
                assert at_limits(pool, cluster.region, inputs.catalog) == built[object_name(pool)].limits
                compared.add(pool.name)
    assert len(compared) >= 15
