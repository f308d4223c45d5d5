"""KAITO: its charts, what it runs where, and what brings up the first node of a pool.

KAITO from Helm creates no nodes. If it did, each model would have its own static NodePool without limits, in addition
to the pools of the fleet. It looks for ready nodes before it creates a pod, so a pool that starts nodes only for pods
would stay empty indefinitely: a pod that holds a node solves this. The add-on can only create nodes itself.
"""

from collections.abc import Iterator, Sequence

from gitgpu.model.aks_node_pool import azure_name, bounds
from gitgpu.model.catalog import Catalog, Facts
from gitgpu.model.driver_owner import AKS_ONLY, driver_on, has_our_plugin
from gitgpu.model.fleet import Cluster, Model, Pool
from gitgpu.model.names.kinds import INFERENCE_SET, RAG_ENGINE, WORKSPACE
from gitgpu.model.names.labels import AGENTPOOL_LABEL, NODEPOOL_LABEL, WORKSPACE_LABEL
from gitgpu.model.software.kaito import CHART, release
from gitgpu.plan.chart import chart
from gitgpu.plan.decided.charts import Chart, Kaito
from gitgpu.plan.decided.cluster import PoolPlan
from gitgpu.plan.decided.models import Holder, ModelPlan
from gitgpu.plan.driver import OPT_OUT
from gitgpu.plan.image import image
from gitgpu.plan.placement import daemon_placement

KINDS = {"inference": INFERENCE_SET.kind, "tuning": WORKSPACE.kind, "rag": RAG_ENGINE.kind}
SET_LABEL = "inferenceset.kaito.sh/created-by"


def models(
    all_models: Sequence[Model], pools: Sequence[PoolPlan], cluster: Cluster, catalog: Catalog
) -> Iterator[ModelPlan]:
    """The plan of each model that has a pool on the cluster."""
    row = release(cluster, catalog)
    for model in all_models:
        where = [pool for pool in pools if pool.name in model.pools]
        if where and row:
            # KTO005 ensures that there is only one pool.
            yield _model(model, where[0].pool, row, own_nodes=cluster.stack.kaito == "helm")


def _model(model: Model, pool: Pool, row: Facts, *, own_nodes: bool) -> ModelPlan:
    kind = KINDS[model.task] if KINDS[model.task] in row["kinds"] else WORKSPACE.kind
    names_size = not own_nodes or model.task == "rag"  # a RAGEngine names a size, even if Karpenter creates the nodes
    return ModelPlan(
        model=model,
        kind=kind,
        version=row["kinds"][kind][-1],  # the newest that this release serves
        pool=pool.name,
        size=pool.skus[0].name if names_size else "",
        selector=_nodes(pool) if own_nodes else _own_nodes(model),
        pods={SET_LABEL if kind == INFERENCE_SET.kind else WORKSPACE_LABEL: model.name},
        port=row["metricsPort"],
    )


def _own_nodes(model: Model) -> dict[str, str]:
    """The labels that the add-on gives to nodes that it creates; it uses any node that has them.

    So they name one model, and keep the GPU Operator away, as on other nodes whose driver AKS installs.
    """
    return {"apps": model.name, "gitgpu.dev/namespace": model.namespace, **OPT_OUT}


def _nodes(pool: Pool) -> dict[str, str]:
    return {NODEPOOL_LABEL: pool.name} if pool.by_karpenter else {AGENTPOOL_LABEL: azure_name(pool)}


def kaito(planned: Sequence[ModelPlan], cluster: Cluster, catalog: Catalog) -> Kaito | None:
    """KAITO's charts; None if AKS installs KAITO, or the cluster has none."""
    if cluster.stack.kaito != "helm":
        return None
    engines = any(model.model.task == "rag" for model in planned)
    scaled = any("scaling" in model.model.settings for model in planned)
    return Kaito(
        chart(CHART, catalog),
        chart("kaito-ragengine", catalog) if engines else None,
        _beside_keda(catalog) if scaled else None,
    )


def _beside_keda(catalog: Catalog) -> Chart:
    """In KEDA's namespace, because KEDA reads the scaler's secrets only there."""
    return chart("keda-kaito-scaler", catalog)._replace(namespace=chart("keda", catalog).namespace)


def holders(planned: Sequence[ModelPlan], pools: Sequence[PoolPlan], catalog: Catalog) -> Iterator[Holder]:
    """The pods that hold nodes: a permanent one in each pool that serves, a temporary one for each model that is tuned.

    A pool that always has nodes needs neither, and one that retires must become empty.
    """
    kept = {pool.name for pool in pools if bounds(pool.pool).minimum or pool.pool.retire}
    empty = [model for model in planned if model.pool not in kept]
    for pool in sorted({model.pool for model in empty if model.model.task != "tuning"}):
        holder = _holder(pool, pools, catalog)
        yield holder._replace(name=f"{pool}-first-node", namespace=chart(CHART, catalog).namespace, lasting=True)
    for model in empty:
        if model.model.task == "tuning":
            name, namespace, task = model.model.name, model.model.namespace, model.model.settings
            holder = _holder(model.pool, pools, catalog)
            yield holder._replace(name=f"{name}-node", namespace=namespace, task=task)


def _holder(pool: str, pools: Sequence[PoolPlan], catalog: Catalog) -> Holder:
    """A temporary pod that holds a node of a pool, without a name and a task."""
    return Holder(
        name="",
        namespace="",
        pool=pool,
        placement=daemon_placement(planned for planned in pools if planned.name == pool),
        image=image(catalog.must("containers", "pause")),
        lasting=False,
        task={},
        rows=catalog.own("containers", "pause"),
    )


def gpu_labels(pool: Pool, cluster: Cluster) -> dict[str, str]:
    """The labels of GPU Feature Discovery for a pool: KAITO reads them, and rejects models if a node has none.

    Empty where GPU Feature Discovery runs, from the GPU Operator, another owner or gitgpu, because it sets them itself,
    and for AMD GPUs, which it does not label (a model on them is an error that can be suppressed).
    """
    sku = pool.skus[0]
    ours = cluster.stack.discovery == "gfd" and has_our_plugin(cluster, pool)
    if ours or driver_on(cluster, pool) in ("operator", AKS_ONLY) or sku.gpu is None or sku.manufacturer != "nvidia":
        return {}
    major, _, low = (sku.gpu.compute_capability or "").partition(".")
    labels = {
        "nvidia.com/gpu.product": sku.gpu.name,
        "nvidia.com/gpu.count": str(sku.gpus),
        "nvidia.com/gpu.memory": str(int(sku.gpu.memory_gib * 1024)),  # in MiB
        "nvidia.com/cuda.compute.major": major,
        "nvidia.com/cuda.compute.minor": low,
    }
    return {key: value for key, value in labels.items() if value}
