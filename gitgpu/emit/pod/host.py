"""Containers that run programs of the node, with the node's file system as their root."""

from gitgpu.emit.emitter import Body

HOST = "/host"


def on_host(name: str, image: str, script: str, resources: Body) -> Body:
    """A container that runs a script in the node's own shell. What the script needs counts as the container's."""
    return {
        "name": name,
        "image": image,
        "command": ["chroot", HOST, "/bin/bash", "-euc", script],
        "resources": resources,
        "securityContext": {"privileged": True},
        "volumeMounts": [{"name": "host", "mountPath": HOST}],
    }


def host_volumes() -> list[Body]:
    """The volumes of such a container."""
    return [{"name": "host", "hostPath": {"path": "/", "type": "Directory"}}]


def on_host_probe(*command: str) -> Body:
    """A probe that succeeds if a program of the node does."""
    return {"exec": {"command": ["chroot", HOST, *command]}}
