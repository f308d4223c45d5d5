"""What is decided about AMD's GPUs, about InfiniBand, and about who looks what hardware a node has."""

from typing import NamedTuple

from gitgpu.plan.decided.charts import Chart
from gitgpu.plan.decided.daemon_placement import DaemonPlacement
from gitgpu.plan.image import Image


class Package(NamedTuple):
    """A package for nodes from the vendor's repository; $release in the address is replaced by `release`."""

    name: str
    release: str
    repository: str
    key: str


class AmdOperator(NamedTuple):
    """AMD's GPU Operator on its nodes. `driver` is what `installer` has a node install.

    The other images are `waiter`, which waits for the driver, and its parts; `exporter` is "" for none.
    """

    chart: Chart
    reach: DaemonPlacement
    driver: Package
    installer: str
    waiter: str
    plugin: str
    labeller: str
    exporter: str
    rows: tuple[str, ...]


class AmdPlugin(NamedTuple):
    """AMD's device plugin alone, on nodes with a driver of your own; `waiter` waits for that driver."""

    image: str
    waiter: str
    reach: DaemonPlacement
    rows: tuple[str, ...]


class Fabric(NamedTuple):
    """The Network Operator on nodes with InfiniBand. With `shared`, pods share a node's NICs.

    `nics` are their PCI device numbers; `direct` the nodes whose NVIDIA driver is AKS's, and must be helped to let
    the NICs reach the memory of GPUs, None where there are none; `shell` does that.
    """

    chart: Chart
    reach: DaemonPlacement
    shared: bool
    driver: Image
    plugin: Image
    nics: tuple[str, ...]
    direct: DaemonPlacement | None
    shell: str
    rows: tuple[str, ...]


class Discovery(NamedTuple):
    """Node Feature Discovery: the one release that brings it, those that go by it, and the nodes where it looks.

    `chart` is its own, None where an operator's brings it along.
    """

    release: str
    others: tuple[str, ...]
    reach: DaemonPlacement
    chart: Chart | None
