"""An Azure GPU size and its GPU. None means unknown, never no."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple


class Gpu(NamedTuple):
    """A GPU product. `memory_gib` is the memory of one whole GPU; `mig` maps profile names to facts, None without MIG.

    `instances` is the number of MIG slices. `reboot` says whether a change of MIG mode needs a reboot, None if unknown.
    `multi_node_nvlink` says that NVLink connects it with the GPUs of other nodes.
    """

    name: str
    model: str
    manufacturer: str
    architecture: str
    compute_capability: str | None
    memory_gib: float
    profiling: bool | None
    multi_node_nvlink: bool
    mig: Mapping[str, Any] | None
    instances: int | None
    reboot: bool | None


class Lifecycle(NamedTuple):
    """`status` is active, announced, retired, never-offered or unknown; `replacement` is a size of the catalog.

    `date` is the day of the retirement, or the planned day if the status is announced.
    """

    status: str
    date: str | None
    replacement: str | None


class Sku(NamedTuple):
    """One size. `gpus` is the number of GPUs of a node, and `share` the part of a physical GPU that each of them is.

    Disks are in GB (10^9 bytes), memory is in GiB.
    `since` is the Karpenter release that first offered the size, None if it is older than all that were checked.
    `api_gpus` is the number of GPUs that Azure's API reports, and so that Karpenter counts; for some sizes it is 0.
    `offer` is how Karpenter treats it: offered, gpu-mode-none (only without the AKS driver) or left-out.
    `origin` is the catalog directory of the row, "" for gitgpu's own. `restricted` says by region why the subscription
    cannot use the size, or None if it can. Regions that Azure has not listed are absent.
    """

    name: str
    family: str | None
    series: str | None
    version: str | None
    vcpus: int | None
    memory_gib: float | None
    arch: str | None
    gpu: Gpu | None
    accelerator: str | None
    gpus: int | None
    share: str
    driver: str | None
    os: tuple[str, ...]
    mig: bool | None
    rdma: bool | None
    nvlink: bool | None
    accelerated_networking: bool | None
    ephemeral_max_gb: float | None
    zones: Mapping[str, Sequence[str]]
    offer: str
    since: str | None
    api_gpus: int | None
    priced: bool | None
    reason: str | None
    lifecycle: Lifecycle
    origin: str
    row: Mapping[str, Any]
    restricted: Mapping[str, str | None] = {}

    @property
    def resource(self) -> str:
        """The extended resource that pods request its GPUs with."""
        return f"{self.manufacturer}.com/gpu"

    @property
    def spot(self) -> bool | None:
        """Whether Azure sells it as spot."""
        sold: bool | None = self.row["spot"]
        return sold

    @property
    def obtainable(self) -> bool:
        """Whether Karpenter can create nodes of this size, as far as is known."""
        return self.offer != "left-out" and not self.why_gone

    @property
    def why_gone(self) -> str:
        """Why Azure does not offer the size, as of the day on which its row was checked; "" if it does."""
        status, date, _ = self.lifecycle
        if status == "announced" and date and date <= self.row["verified"]:
            return f"retirement was planned for {date}"
        return status if status in ("retired", "never-offered") else ""

    @property
    def counted_gpus(self) -> int | None:
        """The GPUs of a node as Azure's API, and so Karpenter, counts them: 0 for some sizes with GPUs."""
        return self.gpus if self.api_gpus is None else self.api_gpus

    @property
    def whole(self) -> bool:
        """Whether a node has whole GPUs."""
        return "/" not in self.share

    @property
    def model(self) -> str:
        """The model of its GPU; "" if it is not known."""
        return self.gpu.model if self.gpu else ""

    @property
    def manufacturer(self) -> str:
        """Nvidia or amd; nvidia for a size whose GPU is not known."""
        return self.gpu.manufacturer if self.gpu else "nvidia"


def gpu_of(row: Mapping[str, Any]) -> Gpu:
    """A GPU from its catalog row."""
    mig = row["mig"] or {}
    return Gpu(
        name=row["name"],
        model=row["model"],
        manufacturer=row["manufacturer"],
        architecture=row["architecture"],
        compute_capability=row["computeCapability"],
        memory_gib=row["memoryGiB"],
        profiling=row["profiling"],
        multi_node_nvlink=row.get("multiNodeNvlink", False),
        mig=mig.get("profiles"),
        instances=mig.get("maxInstances"),
        reboot=mig.get("reboot"),
    )


SAME = ("name", "family", "series", "version", "vcpus", "arch", "driver", "mig", "rdma", "nvlink")
NOWHERE: Mapping[str, Any] = {}


def sku_of(row: Mapping[str, Any], gpu: Gpu | None, origin: str, listed: Mapping[str, Any] = NOWHERE) -> Sku:
    """A size from its catalog row and its GPU. `listed` is its entry in Azure's lists, by region."""
    part, karpenter = row["gpu"] or {}, row["karpenter"]
    listed_zones = {region: facts["zones"] for region, facts in listed.items() if not facts["restricted"]}
    return Sku(
        **{key: row[key] for key in SAME},
        zones={**row["zones"], **listed_zones},
        restricted={region: facts["restricted"] for region, facts in listed.items()},
        memory_gib=row["memoryGiB"],
        gpu=gpu,
        accelerator=part.get("accelerator"),
        gpus=part.get("count"),
        share=part.get("share") or "1",
        os=tuple(row["os"]),
        accelerated_networking=row["acceleratedNetworking"],
        ephemeral_max_gb=row["disks"]["ephemeralMaxGB"],
        offer=karpenter["offer"],
        since=karpenter["since"],
        api_gpus=karpenter["gpus"],
        priced=karpenter["priced"],
        reason=karpenter["reason"],
        lifecycle=Lifecycle(**row["lifecycle"]),
        origin=origin,
        row=row,
    )
