"""The labels of nodes: a key is omitted if a value is unknown."""

from gitgpu.rules.inputs.node_labels import OF_SIZE, labels
from tests.rules.fleet.examples import CATALOG, inputs_of

POOL = """\
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: pool}
spec: {clusters: [prod-swc], sku: SIZES, limits: {nodes: 4}}
"""
T4, A100, UNKNOWN = "Standard_NC16as_T4_v3", "Standard_NC24ads_A100_v4", "Standard_NC16lds_xl_RTXPRO6000BSE_v6"


def of(*sizes: str) -> dict[str, tuple[str, ...]]:
    """The labels of nodes of a pool with these sizes."""
    inputs = inputs_of(POOL.replace("SIZES", f"[{', '.join(sizes)}]"))
    return labels(inputs.pools[0], inputs.clusters[0], CATALOG)


def test_a_label_has_the_values_of_all_sizes() -> None:
    values = of(T4, A100)
    assert values["karpenter.azure.com/sku-name"] == (T4, A100)
    assert values["karpenter.azure.com/sku-cpu"] == ("16", "24")
    assert values["karpenter.azure.com/sku-gpu-count"] == ("1",)
    assert OF_SIZE.keys() <= values.keys()


def test_a_label_that_is_unknown_for_one_size_is_omitted() -> None:
    values = of(T4, UNKNOWN)
    assert values["karpenter.azure.com/sku-name"] == (T4, UNKNOWN)
    assert "karpenter.azure.com/sku-cpu" not in values
    assert "karpenter.azure.com/sku-memory" not in values


def test_a_pool_that_no_size_fits() -> None:
    inputs = inputs_of(POOL.replace("SIZES", T4))
    values = labels(inputs.pools[0]._replace(skus=()), inputs.clusters[0], CATALOG)
    assert not OF_SIZE.keys() & values.keys()
    assert values["kubernetes.io/os"] == ("linux",)
