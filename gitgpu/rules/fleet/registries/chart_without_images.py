"""A chart whose images the catalog does not list, on a cluster with a mirror."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.software.installed import installed_software
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.registries import mirrored_clusters, registry_place


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Each chart once for each place of a mirror. Software without a chart has rows of images too."""
    reported = set()
    for cluster, mirror in mirrored_clusters(inputs):
        catalog = inputs.catalog_for(cluster)
        images, charts = catalog.rows("containers"), catalog.rows("charts")
        origin, place = registry_place(inputs, cluster, "mirror")
        for name in installed_software(inputs, cluster):
            is_chart = name in charts and inputs.knows_version(cluster, name)
            unlisted = is_chart and name not in images and not charts[name].get("images")
            if unlisted and (origin.span(place), name) not in reported:
                reported.add((origin.span(place), name))
                message = f"the catalog does not list the images of chart {name}: they are not pulled from {mirror}"
                remedy = f"list them under images in your row of catalog/charts/{name}, or set extends: gitgpu in it"
                yield Finding(origin, place, message, remedy)


RULE = Rule(
    code="REG006",
    name="chart-without-images",
    severity=Severity.WARNING,
    summary="A cluster with a mirror gets a chart whose catalog row lists no images.",
    help="gitgpu sets the values of a chart for the images that its row in the catalog lists. A complete row of your "
    "own catalog without images replaces that list: the chart then starts its images from their public registries, and "
    "`gitgpu images` does not list them. The example is for a catalog with such a row for dra-driver-nvidia-gpu.",
    sources=(
        "https://github.com/kubernetes-sigs/dra-driver-nvidia-gpu/blob/764900e7833798a1528bd52a2af3e1b2d5f7a616/deployments/helm/dra-driver-nvidia-gpu/values.yaml",
    ),
    facts=("charts",),
    check=_check,
)
