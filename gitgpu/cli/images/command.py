"""List the images and charts of a fleet, and the commands that copy them."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

import click

from gitgpu.cli import options
from gitgpu.cli.fleets.findings import refuse_fleet, validate_fleet
from gitgpu.cli.input.cluster_selection import ClusterSelection
from gitgpu.cli.output.streams import say, send
from gitgpu.cli.parameters import as_value
from gitgpu.cli.settings import fleet_settings
from gitgpu.diagnostic import errors
from gitgpu.load.spec.shape import fleet_schema
from gitgpu.load.validate.patterns import compile_pattern
from gitgpu.mirror import Needed, needed_artifacts, with_registry
from gitgpu.model.catalog import Catalog
from gitgpu.model.software.registries import azure_name
from gitgpu.model.spec.registry import Registry
from gitgpu.report.findings import Style
from gitgpu.report.image_formats import image_format_names, render_images
from gitgpu.report.images import ImageList
from gitgpu.runs.validate import refuse_allowances

SCRIPTS = ("az-import", "skopeo")


class Arguments(NamedTuple):
    """The arguments and options of `gitgpu images`."""

    paths: tuple[str, ...]
    choice: ClusterSelection
    mirror: str | None
    charts: str | None
    output_format: str
    style: Style


def _same_form(key: str) -> Callable[[click.Context, click.Parameter, str | None], str | None]:
    """The callback of an option that has the same form as a key of `registry`."""
    part: Mapping[str, str] = fleet_schema()["definitions"]["registry"]["properties"][key]

    def check(_: click.Context, __: click.Parameter, text: str | None) -> str | None:
        if text is None or compile_pattern(part["pattern"]).search(text):
            return text
        raise click.BadParameter(f"'{text}' is not {part['x-gitgpu-words']}")

    return check


@click.command("images", short_help=__doc__)
@options.paths
@options.clusters
@click.option(
    "--mirror",
    metavar="REGISTRY",
    callback=_same_form("mirror"),
    help="The registry for images, instead of the one in the fleet.",
)
@click.option(
    "--charts",
    metavar="URL",
    callback=_same_form("charts"),
    help="The registry for charts, instead of the one in the fleet.",
)
@options.table_output(image_format_names(), "A list, or a shell script that copies the images and charts.")
@options.colour
@as_value(Arguments)
def COMMAND(arguments: Arguments) -> int:
    """List the images and Helm charts of a fleet, with the images that charts start, and what uses them.

    PATH is a file or directory of the fleet (default: `fleet` in .gitgpu.yaml, or fleet.yaml, or the directory fleet).
    -o az-import and -o skopeo print the commands that copy the images and charts to the registry of the fleet, or to
    --mirror and --charts. Nothing is downloaded.

    \b
    gitgpu images
    gitgpu images --cluster 'prod-*' -o json
    gitgpu images -o az-import > copy.sh
    gitgpu images -o skopeo --mirror harbor.contoso.com/mirror \\
      --charts oci://harbor.contoso.com/charts
    """
    settings = fleet_settings(arguments.paths)
    checked = validate_fleet(settings)
    if (faults := (*settings.faults, *errors(checked.diagnostics))) or checked.inputs is None:
        return refuse_fleet(checked, faults, arguments.output_format)
    inputs = with_registry(checked.inputs, Registry(mirror=arguments.mirror, charts=arguments.charts))
    picked = arguments.choice.require([cluster.name for cluster in inputs.clusters])
    try:
        needs = needed_artifacts(inputs, inputs.clusters_named(picked))
    except Exception as error:  # noqa: BLE001  of what an allowed error lets through
        return refuse_fleet(checked, refuse_allowances(checked, error), arguments.output_format)
    listed = ImageList(needs, _registries(needs, inputs.catalog))
    if arguments.output_format in SCRIPTS:
        _check_target(listed, arguments.output_format)
    text = render_images(listed, arguments.output_format, arguments.style)
    say(text, colour=arguments.style.colour) if arguments.output_format == "text" else send(text)
    return 0


def _registries(needs: Needed, catalog: Catalog) -> dict[str, str]:
    hosts = set()
    for image in needs.images:
        if image.is_copied:
            host, _, _ = image.copy.partition("/")
            hosts.add(host)
    return {host: azure_name(host, catalog) for host in sorted(hosts)}


def _check_target(listed: ImageList, output_format: str) -> None:
    """Rejects a script without a target, or with a target that its tool cannot write to."""
    if not listed.azure and not any(chart.copy for chart in listed.needed.charts):
        raise click.UsageError(
            f"-o {output_format} needs a registry: set spec.registry.mirror of the Fleet, or pass --mirror"
        )
    other = next((host for host, name in listed.azure.items() if not name), None)
    if output_format == "az-import" and other is not None:
        raise click.UsageError(f"{other} is not an Azure container registry: use -o skopeo")
