"""The images that the charts of a cluster start, with the values of their releases."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from gitgpu.emit.chart.images import chart_value, running
from gitgpu.emit.chart.releases import Release, releases
from gitgpu.mirror.needed import Image, User
from gitgpu.mirror.node_systems import complete_tags
from gitgpu.model.catalog import Facts
from gitgpu.model.fleet import Model
from gitgpu.model.inputs import Inputs
from gitgpu.model.software.kaito import CHART, release, used_images, weights_tag
from gitgpu.model.syntax.reference import Reference, reference
from gitgpu.plan.decided.charts import ChartImage
from gitgpu.plan.decided.cluster import ClusterPlan

_DIGEST = "sha256:"


def chart_images(inputs: Inputs, plan: ClusterPlan) -> Iterator[Image]:
    """The images inside the charts; from KAITO's chart, only those that the models of the cluster need.

    An image has no copy if no value of the chart sets its registry.
    """
    models = [model.model for model in plan.serving.models]
    row = release(plan.cluster, inputs.catalog)
    uses = frozenset(chain.from_iterable(used_images(model, row) for model in models))
    for chart_release in releases(plan):
        user = (User(plan.cluster.name, "Chart", chart_release.chart.namespace, chart_release.chart.release),)
        for image in running(chart_release.values, chart_release.chart.images):
            if not image.use or image.use in uses:
                for end in complete_tags(image.suffix, inputs, plan):
                    started = chart_image(image, chart_release.values, end)
                    yield Image(started, "" if image.registries else started.repository, user)
        if chart_release.chart.release == CHART:
            for weights in _weights(chart_release, models, row):
                yield Image(weights, "", user)


def chart_image(image: ChartImage, values: Mapping[str, Any], suffix: str) -> Reference:
    """The image that a release with these values starts. Only the chart's own image gets the digest of the catalog."""
    catalog_image = Reference(image.name, image.tag)
    tag = str(chart_value(values, image.at, "") or image.tag) if image.at else image.tag
    started = Reference(image.name, tag)
    for path, default in image.registries.items():
        start = str(chart_value(values, path, default))
        if image.name.startswith(default):
            started = started._replace(repository=start + _rest(image, default, values))
        elif start != default:  # the value is the whole reference
            started = reference(start)
    if started.tag.startswith(_DIGEST):  # charts with such a tag write it after an @
        return started._replace(tag="", digest=started.tag)
    return started._replace(
        tag=f"{started.tag}{suffix}", digest=image.digest if started == catalog_image else started.digest
    )


def _rest(image: ChartImage, start: str, values: Mapping[str, Any]) -> str:
    """The name of an image after its start, including the slash between them."""
    default = image.name.removeprefix(start)
    return f"/{chart_value(values, image.named_at, default[1:])}" if image.named_at else default


def _weights(chart_release: Release, models: Sequence[Model], row: Facts | None) -> Iterator[Reference]:
    """The images with the weights of the presets that are tuned."""
    for base in chart_release.chart.images:
        if base.use != "model":
            continue
        folder = chart_image(base, chart_release.values, "").repository.rpartition("/")[0]
        for model in models:
            if tag := weights_tag(model, row):
                yield Reference(f"{folder}/kaito-{model.settings['preset'].lower()}", tag)
