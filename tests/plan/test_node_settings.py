"""The names of kubelet settings in the catalog and in the plan."""

from gitgpu.load.catalog.rows import CatalogFiles
from gitgpu.model.catalog import Catalog
from gitgpu.plan.fields.node_settings import KUBELET


def test_the_kubelet_settings_of_windows_nodes_have_the_names_of_azure() -> None:
    names = Catalog(CatalogFiles()).must("pools", "aks")["windowsKubelet"]
    assert names == {name: KUBELET.get(name, name) for name in names}
