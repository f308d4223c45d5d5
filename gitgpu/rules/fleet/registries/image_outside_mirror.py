"""An image of the user's own from a public registry, on a cluster with a mirror."""

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any, NamedTuple

from gitgpu.diagnostic import Severity
from gitgpu.model.fleet import Cluster, Model, Pool, Workload
from gitgpu.model.inputs import Inputs
from gitgpu.model.software.registries import public_hosts
from gitgpu.model.spec.origin import Origin
from gitgpu.plan.registry import registry
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.registries import mirrored_clusters, public_images
from gitgpu.rules.inputs.scaled_workloads import clusters_of
from gitgpu.source import Pointer

_PUSHED = "output"  # of a tuning: an image that it writes


class _Part(NamedTuple):
    """A part of a document that may name images."""

    origin: Origin
    at: Pointer
    value: Any


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Each image once, for the first cluster that has it."""
    hosts, reported = public_hosts(inputs.catalog), set()
    for cluster, mirror in mirrored_clusters(inputs):
        for part in _parts(inputs, cluster):
            for pointer, image in public_images(part.value, hosts):
                place = (*part.at, *pointer)
                if part.origin.span(place) not in reported:
                    reported.add(part.origin.span(place))
                    copy = registry(cluster, inputs.catalog).copy_of(image)
                    message = f"{image} is in a public registry, but cluster {cluster.name} pulls images from {mirror}"
                    yield Finding(part.origin, place, message, f"copy the image, and use {copy}")


def _parts(inputs: Inputs, cluster: Cluster) -> Iterator[_Part]:
    for layer in cluster.values:
        owner = cluster if layer.origin.ref == cluster.origin.ref else inputs.fleet
        yield _Part(owner.origin, layer.at, layer.values)
    # gitgpu writes nothing for a workload without a pool on the cluster.
    workloads = [workload for workload in inputs.workloads_on(cluster) if cluster in clusters_of(inputs, workload)]
    models = [model for model in inputs.models_on(cluster) if cluster in clusters_of(inputs, model)]
    patched: list[Cluster | Pool | Workload | Model] = [cluster, *inputs.pools_on(cluster), *workloads, *models]
    for patch in chain.from_iterable(document.patches for document in patched):
        yield _Part(patch.origin, (*patch.at, "patch"), patch.change)
    for workload in workloads:
        yield _Part(workload.origin, ("spec", "job"), workload.job)
    for model in models:
        yield _Part(model.origin, ("spec", model.task), _read(model.settings))


def _read(settings: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of a model without the image that its tuning pushes."""
    return {key: value for key, value in settings.items() if key != _PUSHED}


RULE = Rule(
    code="REG003",
    name="image-outside-mirror",
    severity=Severity.WARNING,
    summary="Chart values, a patch, a job or a model use an image from a public registry on a cluster with a mirror.",
    help="With registry.mirror, gitgpu pulls the images that it chooses from the mirror. It does not change images "
    "that you specify. A node without access to the public registry cannot pull them.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/0a967aab98e517f223a5ec28d4acd8040dea7d6e/articles/aks/concepts-network-isolated.md",
        "https://github.com/distribution/reference/blob/aeed5e66379bfcdf3b4c1393f132f90096bf7f8d/normalize.go",
    ),
    check=_check,
)
