"""The head of a script of Azure CLI commands for one cluster."""

from collections.abc import Iterator
from shlex import quote

from gitgpu.model.fleet import Cluster
from gitgpu.model.syntax.resource_id import ResourceId

ON_CLUSTER = '--resource-group "$RESOURCE_GROUP" --name "$CLUSTER"'  # the options that name the cluster


def head(cluster: Cluster, page: str) -> Iterator[str]:
    """How to run the script, and the names of the cluster; without its resource ID, those that the user sets."""
    yield from _known(cluster.azure, page) if cluster.azure else _asked(cluster.name, page)


def _known(cluster: ResourceId, page: str) -> Iterator[str]:
    yield f"#     sh {page}"
    yield "set -eu"
    yield f"RESOURCE_GROUP={quote(cluster.group)}"
    yield f"CLUSTER={quote(cluster.name)}"
    yield f'az() {{ command az "$@" --subscription {quote(cluster.subscription)}; }}'


def _asked(name: str, page: str) -> Iterator[str]:
    yield f"#     RESOURCE_GROUP=my-group sh {page}"
    yield "set -eu"
    yield ': "${RESOURCE_GROUP:?name the resource group of the cluster}"'
    yield f': "${{CLUSTER:={name}}}"'
