"""The releases of Helm charts: the values that gitgpu sets, with the user's values merged over them."""

from collections.abc import Iterator
from functools import reduce
from itertools import chain
from typing import Any, NamedTuple

from gitgpu.access import has
from gitgpu.diagnostic import Places
from gitgpu.emit.chart.images import image_values, running
from gitgpu.emit.chart.values import charts
from gitgpu.emit.emitter import Body
from gitgpu.emit.manifest import Manifest
from gitgpu.emit.places import changed_places
from gitgpu.load.spec.merge_patch import merge_patch
from gitgpu.model.spec.origin import Layer, SpecObject
from gitgpu.plan.decided.charts import Chart
from gitgpu.plan.decided.cluster import ClusterPlan
from gitgpu.plan.decided.registry import Registry
from gitgpu.source import Pointer, SourceMap, Span


class Release(NamedTuple):
    """A release of a chart: `own` are the values that gitgpu sets, `layers` those in the spec, lowest precedence first.

    `copied` are the paths of the values in `own` that take images from the registry of the cluster.
    """

    chart: Chart
    own: Body
    layers: tuple[Layer, ...] = ()
    copied: frozenset[Pointer] = frozenset()

    @property
    def values(self) -> Body:
        """The values as Helm gets them."""
        # A null removes a value here, because engines do not deliver it: Flux drops it when an object changes
        # (https://github.com/fluxcd/kustomize-controller/issues/372), Argo CD always does
        # (https://github.com/argoproj/argo-cd/issues/16312).
        return reduce(merge_patch, (layer.values for layer in self.layers), self.own)

    @property
    def authors(self) -> tuple[SpecObject, ...]:
        """The documents that set values of the release."""
        return tuple(layer.mark for layer in self.layers)

    def places(self, start: Span, at: Pointer) -> Places:
        """The places of an object with the values at pointer `at`; everything else in it is at `start`."""
        places: Places = SourceMap.of(start)
        values = self.own
        for layer in self.layers:
            merged = merge_patch(values, layer.values)
            bodies, locator = (_nested(values, at), _nested(merged, at)), _Locator(layer, at)
            places = changed_places(places, bodies, locator.locate, layer.origin.span(layer.at))
            values = merged
        return places


class _Locator(NamedTuple):
    """Finds the place of a value in a layer; `at` is the pointer of the values in the object."""

    layer: Layer
    at: Pointer

    def locate(self, pointer: Pointer) -> tuple[Span, Span]:
        """The place of a value of the object, and the place of its key."""
        place = (*self.layer.at, *pointer[len(self.at) :])
        return self.layer.origin.span(place), self.layer.origin.span(place, key=True)


def _nested(values: Any, at: Pointer) -> Any:
    """A mapping that has the values at a pointer."""
    body = values
    for key in reversed(at):
        body = {str(key): body}
    return body


def releases(plan: ClusterPlan) -> Iterator[Release]:
    """The releases of a cluster."""
    for chart, own in charts(plan):
        layers = [layer for layer in plan.cluster.values if chart.release in layer.values]
        release_layers = tuple(_release_layer(layer, chart.release) for layer in layers)
        yield _from_registry(Release(chart, _read(own, chart), release_layers), plan.registry)


def _release_layer(layer: Layer, release: str) -> Layer:
    return layer._replace(at=(*layer.at, release), values=layer.values[release])


def _read(own: Body, chart: Chart) -> Body:
    """The values without those that this version of the chart does not read."""
    absent = (tuple(path.split(".")) for path in chart.absent)
    return reduce(merge_patch, (_nested(None, path) for path in absent if has(own, path)), own)


def _from_registry(release: Release, registry: Registry) -> Release:
    """The release with chart and images from the registry. Values set by the user are kept."""
    chart = release.chart
    images = running(release.values, chart.images) if registry.mirror else ()
    copies = dict(chain.from_iterable(image_values(image, registry) for image in images))
    own = reduce(merge_patch, (_nested(value, path) for path, value in copies.items()), release.own)
    if registry.charts:
        chart = chart._replace(repository=registry.charts, oci=True)
    return release._replace(chart=chart, own=own, copied=frozenset(copies))


def with_values(manifest: Manifest, release: Release, at: Pointer) -> Manifest:
    """The manifest of a release, whose values are at pointer `at`, with places and documents of the user's values."""
    if not release.layers:
        return manifest
    return manifest._replace(places=release.places(manifest.origin.span, at), values_of=release.authors)
