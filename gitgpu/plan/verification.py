"""The tests of a cluster's pools: one pod for each pool, which takes all GPUs of its smallest node."""

from collections.abc import Iterator, Sequence

from gitgpu.model.catalog import Catalog
from gitgpu.model.driver_owner import BY_AKS
from gitgpu.model.fleet import Pool
from gitgpu.model.sku import Sku
from gitgpu.model.software.drivers import operator_driver
from gitgpu.model.software.installed import SAMPLES
from gitgpu.model.spec.stack import Stack
from gitgpu.model.syntax.version import version
from gitgpu.plan.claims import claim_of_any
from gitgpu.plan.decided.cluster import PoolPlan
from gitgpu.plan.decided.verification import Sample
from gitgpu.plan.image import image
from gitgpu.plan.placement import nodes, tolerations

CUDA = "12"  # the version that the sample is built with


def samples(pools: Sequence[PoolPlan], stack: Stack, catalog: Catalog) -> tuple[Sample, ...]:
    """A sample for each pool that a Job can verify; () if verification is off."""
    return tuple(_samples(pools, catalog)) if stack.verify else ()


def _samples(pools: Sequence[PoolPlan], catalog: Catalog) -> Iterator[Sample]:
    for planned in pools:
        if not planned.pool.provable or planned.pool.retire:
            continue  # a Job would not get a node there
        maker = planned.pool.manufacturer
        row = catalog.must("containers", SAMPLES[maker])
        gpus = _gpus(planned.pool)
        yield Sample(
            pool=planned.name,
            mark=planned.pool.origin.mark,
            manufacturer=maker,
            image=image(row),
            resource=min(planned.pool.mig.resources) if planned.pool.mig else planned.resource,
            gpus=gpus,
            claim=claim_of_any(planned.name, gpus, catalog) if planned.claimed else None,
            driver=_driver(planned, catalog) if maker == "nvidia" else "",
            nodes=nodes([planned]),
            tolerations=tolerations([planned]),
            rows=catalog.own("containers", SAMPLES[maker]),
        )


def _gpus(pool: Pool) -> int:
    """All GPUs of the smallest node; of a shared or partitioned GPU one part, as more parts are not more GPUs."""
    if pool.sharing.way or pool.mig:
        return 1
    return min(sku.gpus or 1 for sku in pool.provable)


def _driver(pool: PoolPlan, catalog: Catalog) -> str:
    """The oldest driver branch that its nodes may have, not the release: a new node image brings a new release."""
    versions = [
        _release(pool, sku, catalog) or catalog.must("cuda", CUDA)["minimumDriver"] for sku in pool.pool.provable
    ]
    return str(min(versions, key=version)).partition(".")[0]


def _release(pool: PoolPlan, sku: Sku, catalog: Catalog) -> str | None:
    """The driver version in the catalog; None if it is chosen elsewhere, or by Azure Linux to match its kernel."""
    if pool.driver == "operator":
        row = operator_driver(pool.pool.branch, catalog)
        return str(row["version"]) if row else None
    pinned = pool.driver in BY_AKS and sku.driver and pool.pool.image.get("family") != "AzureLinux"
    return str(catalog.must("drivers", str(sku.driver))["version"]) if pinned else None
