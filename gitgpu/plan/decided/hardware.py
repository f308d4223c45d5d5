"""Decisions about AMD's GPUs, about InfiniBand, and about what detects the hardware of a node."""

from typing import NamedTuple

from gitgpu.plan.decided.charts import Chart
from gitgpu.plan.decided.daemon_placement import DaemonPlacement, Toleration


class Package(NamedTuple):
    """A package for nodes from the vendor's repository; $release in the address is replaced by `release`."""

    name: str
    release: str
    repository: str
    key: str


class AmdOperator(NamedTuple):
    """AMD's GPU Operator. `driver` is the package that `installer` installs, with a DaemonSet for each of `placements`.

    `tolerations` are for the taints of all its nodes. The other images are `waiter`, which waits for the driver, and
    those of the operator's parts; `exporter` is "" for none.
    """

    chart: Chart
    placements: tuple[DaemonPlacement, ...]
    tolerations: tuple[Toleration, ...]
    driver: Package
    installer: str
    waiter: str
    plugin: str
    labeller: str
    exporter: str
    rows: tuple[str, ...]


class AmdPlugin(NamedTuple):
    """AMD's device plugin alone, on nodes with the user's own driver; `waiter` waits for that driver.

    It has a DaemonSet for each of `placements`.
    """

    image: str
    waiter: str
    placements: tuple[DaemonPlacement, ...]
    rows: tuple[str, ...]


class Image(NamedTuple):
    """An image in three parts, as some operators expect it."""

    repository: str
    name: str
    version: str


class Fabric(NamedTuple):
    """The Network Operator on nodes with InfiniBand. With `shared`, pods share a node's NICs.

    `direct` are the nodes with AKS's NVIDIA driver, which need help to give NICs access to GPU memory; `shell` is the
    image that does that.
    """

    chart: Chart
    placement: DaemonPlacement
    shared: bool
    driver: Image
    plugin: Image
    direct: tuple[DaemonPlacement, ...]
    shell: str
    rows: tuple[str, ...]


class Discovery(NamedTuple):
    """Node Feature Discovery: the release that installs it, those that use it, and the nodes where it looks.

    `chart` is its own chart, None if the chart of an operator includes it. `nics` are the PCI device numbers of
    InfiniBand NICs.
    """

    release: str
    others: tuple[str, ...]
    placement: DaemonPlacement
    chart: Chart | None
    nics: tuple[str, ...]
