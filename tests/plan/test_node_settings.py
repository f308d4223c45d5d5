"""The names of kubelet settings in the catalog and in the plan."""

from gitgpu.load.catalog.rows import CatalogFiles
from gitgpu.model.catalog import Catalog
from gitgpu.plan.fields.node_settings import KUBELET, linux_os_config


def test_the_kubelet_settings_of_windows_nodes_have_the_names_of_azure() -> None:
    names = Catalog(CatalogFiles()).must("pools", "aks")["windowsKubelet"]
    assert names == {name: KUBELET.get(name, name) for name in names}


def test_the_order_of_the_kernel_settings_in_the_spec_does_not_matter() -> None:
    linux = {"sysctls": {"vmSwappiness": 1}, "swapFileSize": "2G", "transparentHugePageEnabled": "madvise"}
    other = dict(reversed(linux.items()))
    expected = ["transparentHugePageEnabled", "swapFileSizeMB", "sysctls"]
    assert list(linux_os_config(linux)) == list(linux_os_config(other)) == expected
