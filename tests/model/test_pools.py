"""Pools of a linked fleet and their clusters."""

from gitgpu.model.fleet import Pool
from gitgpu.model.inputs import Inputs
from tests.rules.fleet.examples import inputs_of

POOL = """kind: GpuPool
metadata: {{name: gpu}}
spec: {{clusters: [prod-swc], sku: [{skus}], limits: {{gpus: 8}}{more}}}
"""


def fleet(skus: str, more: str = "", others: str = "") -> tuple[Inputs, Pool]:
    """A fleet with one pool."""
    inputs = inputs_of("apiVersion: gitgpu.dev/v1alpha1\n" + POOL.format(skus=skus, more=more) + others)
    [pool] = inputs.pools
    return inputs, pool


def test_a_job_proves_a_pool_on_sizes_whose_gpus_karpenter_counts() -> None:
    _, pool = fleet("Standard_NC16as_T4_v3")
    [sku] = pool.skus
    uncounted = sku._replace(name="uncounted", api_gpus=0)
    both = pool._replace(skus=(sku, uncounted))
    assert both.by_karpenter
    assert both.provable == (sku,)
    assert both._replace(os="windows").provable == ()


def test_a_fleet_is_adjusted_by_values_and_by_patches() -> None:
    plain, _ = fleet("Standard_NC16as_T4_v3")
    [cluster] = plain.clusters
    assert not plain.is_adjusted
    assert not plain.adjusts(cluster)
    patches = ", patches: [{target: {kind: NodePool}, patch: {metadata: {labels: {team: a}}}}]"
    patched, _ = fleet("Standard_NC16as_T4_v3", patches)
    assert patched.is_adjusted
    assert patched.adjusts(patched.clusters[0])
    layer = cluster.origin.defaults[0]
    for other in (cluster._replace(values=(layer,)), cluster._replace(patches=patched.pools[0].patches)):
        inputs = plain._replace(clusters=(other,))
        assert inputs.is_adjusted
        assert inputs.adjusts(other)


def test_a_workload_asks_for_its_profile_where_profiles_are_advertised_apart() -> None:
    work = """---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuWorkload
metadata: {name: work, namespace: apps}
spec: {pools: [gpu], target: {kind: Deployment, name: work}, gpus: 1, mig: 1g.10gb}
"""
    for strategy, resource in (("mixed", "nvidia.com/mig-1g.10gb"), ("single", "")):
        mig = f", driver: operator, partition: {{mig: {{strategy: {strategy}, profiles: {{1g.10gb: 7}}}}}}"
        inputs, pool = fleet("Standard_NC24ads_A100_v4", mig, work)
        [workload] = inputs.workloads
        assert workload._replace(mig="1g.10gb").mig_resource(pool) == resource
        assert workload._replace(mig=None).mig_resource(pool) == ""
        assert workload._replace(mig="1g.10gb").mig_resource(pool._replace(mig=None)) == ""
