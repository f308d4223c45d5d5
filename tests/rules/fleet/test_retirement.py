"""A workload that moves from a retiring pool to another is checked against the other pool."""

from tests.rules.fleet.examples import findings

POOLS = """\
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: old}
spec: {clusters: [prod-swc], sku: Standard_NC16as_T4_v3, limits: {gpus: 8}}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: new}
spec: {clusters: [prod-swc], sku: Standard_NC64as_T4_v3, limits: {gpus: 8}}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuWorkload
metadata: {name: chat, namespace: serving}
spec:
  pools: [old, new]
  target: {kind: Deployment, name: chat}
  gpus: 4
"""
RETIRED = POOLS.replace("limits: {gpus: 8}}", "limits: {gpus: 8}, retire: true}", 1)


def test_a_retiring_pool_may_be_too_small() -> None:
    assert findings(POOLS), "a node of one of them is too small"
    assert not findings(RETIRED)


def test_pools_that_all_retire_are_checked_as_before() -> None:
    codes = {
        finding.code
        for finding in findings(
            RETIRED.replace("NC64as_T4_v3, limits: {gpus: 8}}", "NC64as_T4_v3, limits: {gpus: 8}, retire: true}")
        )
    }
    assert codes == {finding.code for finding in findings(POOLS)} | {"SCH025"}
