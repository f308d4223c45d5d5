"""What a fleet needs from other registries: the images and charts of each cluster, and the names of their copies.

Clusters are planned and emitted here as in `runs.compile`, but with the public registries: these are the sources.
"""

from collections.abc import Iterable, Iterator

from gitgpu.emit import emit, emitters
from gitgpu.emit.chart.releases import releases
from gitgpu.mirror.chart_images import chart_images
from gitgpu.mirror.needed import Chart, Image, Needed, User, unite
from gitgpu.mirror.node_systems import node_tags
from gitgpu.mirror.objects import object_images
from gitgpu.model.fleet import Cluster
from gitgpu.model.inputs import Inputs
from gitgpu.model.spec.registry import Registry
from gitgpu.patch import apply_patches
from gitgpu.plan.cluster_plan import plan
from gitgpu.plan.decided.cluster import ClusterPlan
from gitgpu.plan.decided.registry import Registry as Decided

__all__ = ("Chart", "Image", "Needed", "User", "needed_artifacts", "with_registry")


def needed_artifacts(inputs: Inputs, clusters: Iterable[Cluster]) -> Needed:
    """The images and charts of these clusters, each listed once with all its users, in order of name."""
    images: list[Image] = []
    charts: list[Chart] = []
    for cluster in clusters:
        decided, here = plan(inputs, cluster), inputs._replace(catalog=inputs.catalog_for(cluster))
        public, registry = decided._replace(registry=Decided()), decided.registry
        needed_images = [*_images(here, public), *chart_images(here, public)]
        images += [_with_copy(image, registry) for image in needed_images]
        charts += _charts(public, registry.charts)
    return Needed(unite(images), unite(charts))


def with_registry(inputs: Inputs, over: Registry) -> Inputs:
    """The fleet with this registry for each cluster. Fields that are empty in `over` stay as they are."""
    keys = {key: value for key, value in over._asdict().items() if value}
    clusters = (cluster._replace(registry=cluster.registry._replace(**keys)) for cluster in inputs.clusters)
    return inputs._replace(clusters=tuple(clusters))


def _with_copy(image: Image, registry: Decided) -> Image:
    """The image with its copy. If the author has written the name of a copy, it is replaced with the source."""
    source = registry.source_of(image.reference.repository)
    copy = image.copy or registry.copy_of(source)
    return image._replace(reference=image.reference._replace(repository=source), copy=copy)


def _images(inputs: Inputs, public: ClusterPlan) -> Iterator[Image]:
    tags = node_tags(inputs, public)
    for manifest in apply_patches(emit(public, emitters()), public).manifests:
        user = User(public.cluster.name, *manifest.ref)
        for reference in object_images(manifest.body):
            for tagged in tags(reference):
                yield Image(tagged, "", (user,))


def _charts(public: ClusterPlan, copies: str) -> Iterator[Chart]:
    for release in releases(public):
        chart = release.chart
        copy = f"{copies}/{chart.name}" if copies else ""
        user = User(public.cluster.name, "Chart", chart.namespace, chart.release)
        yield Chart(chart.name, chart.version, chart.repository, copy, (user,))
