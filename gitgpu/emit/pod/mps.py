"""What the device plugin and the MPS control daemon of a node share: a directory of the host, as in NVIDIA's chart."""

from gitgpu.emit.emitter import Body

ROOT = "/run/nvidia/mps"


def mps_mounts() -> list[Body]:
    """The pipes of the daemon, and the shared memory over which it is spoken to."""
    shared = "/dev/shm"  # noqa: S108  where the client of a daemon looks for it
    return [{"name": "mps-shm", "mountPath": shared}, {"name": "mps-root", "mountPath": "/mps"}]


def mps_volumes() -> list[Body]:
    """The volumes of these mounts; the daemon makes the second, a file system in memory."""
    return [
        {"name": "mps-root", "hostPath": {"path": ROOT, "type": "DirectoryOrCreate"}},
        {"name": "mps-shm", "hostPath": {"path": f"{ROOT}/shm"}},
    ]
