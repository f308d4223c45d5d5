"""Nodes without machines: objects for which DaemonSets create pods. No kubelet runs them, so they stay Pending."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from tests.e2e.client import Client, Object


@contextmanager
def node(client: Client, name: str, labels: Mapping[str, str]) -> Iterator[Object]:
    """A node with these labels, and without the taint of a node that has not said that it is ready."""
    wanted: Object = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name, "labels": dict(labels)}}
    client.apply(wanted)
    client.merge(wanted, {"spec": {"taints": None}})
    try:
        yield wanted
    finally:
        client.delete(wanted)
