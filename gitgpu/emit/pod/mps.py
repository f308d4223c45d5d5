"""What the device plugin and the MPS control daemon of a node share: a directory of the host, as in NVIDIA's chart."""

from gitgpu.emit.emitter import Body

ROOT = "/run/nvidia/mps"


def mps_mounts() -> list[Body]:
    """The pipes of the daemon, and the shared memory over which clients talk to it."""
    shared = "/dev/shm"  # noqa: S108  where clients of the daemon look for it
    return [{"name": "mps-shm", "mountPath": shared}, {"name": "mps-root", "mountPath": "/mps"}]


def mps_volumes() -> list[Body]:
    """The volumes of these mounts. The daemon creates the second one, a file system in memory."""
    return [
        {"name": "mps-root", "hostPath": {"path": ROOT, "type": "DirectoryOrCreate"}},
        {"name": "mps-shm", "hostPath": {"path": f"{ROOT}/shm"}},
    ]
