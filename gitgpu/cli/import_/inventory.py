"""The running clusters: files, directories, standard input, and chart values."""

import re
from collections.abc import Sequence
from typing import NamedTuple

import click

from gitgpu.adopt.clusters import ClusterOptions
from gitgpu.adopt.node.advised_images import advised_images
from gitgpu.adopt.reading.bare_values import bare_values
from gitgpu.adopt.reading.observing import observe_texts
from gitgpu.cli.import_.arguments import Arguments
from gitgpu.cli.import_.delivered_folders import nothing_but_delivery, unread_folders
from gitgpu.cli.input.pairs import pair
from gitgpu.cli.input.program_outputs import read_outputs
from gitgpu.cli.input.regions import known_region
from gitgpu.cli.input.texts import by_name
from gitgpu.cli.settings import settings_without_fleet
from gitgpu.counting import Count, counting
from gitgpu.diagnostic import Diagnostic
from gitgpu.inventory.azure_facts import minor
from gitgpu.inventory.foreign_files import foreign_files
from gitgpu.inventory.joined import ImportOptions
from gitgpu.inventory.observed import Inventory
from gitgpu.load.helm_values import read_values
from gitgpu.load.spec.shape import fleet_schema
from gitgpu.load.text import Text
from gitgpu.model.catalog import Catalog, catalog
from gitgpu.objects.manifest.manifests import Manifests, read_manifests
from gitgpu.objects.manifest.parsing import begin_parsing


class Read(NamedTuple):
    """What was read, what the command line adds, and what could not be read."""

    inventory: Inventory
    options: ClusterOptions
    faults: tuple[Diagnostic, ...]


def read_inventory(arguments: Arguments, on_read: Count) -> Read:
    """The clusters that the paths describe. Raises click.BadParameter for an option that cannot be right."""
    facts = catalog(settings_without_fleet().catalogs)
    region = known_region(arguments.region, facts)
    repository = _repository_url(arguments.repository)
    options = ClusterOptions(
        arguments.cluster, region, _kubernetes_minor(arguments.kubernetes), repository, on_read, today=arguments.today
    )
    return read_clusters(arguments.paths, options, arguments.values, facts)


def read_clusters(paths: Sequence[str], options: ClusterOptions, values: Sequence[str], facts: Catalog) -> Read:
    """The clusters that these paths describe, with options that have been checked.

    Folders that Flux or Argo CD objects in these paths apply are read too.
    """
    read, names = _read(paths, options, values, facts)
    folders = list(paths)
    while more := [folder for folder in unread_folders(read.inventory, names, paths) if folder not in folders]:
        folders += more  # one without manifests is never among the files read
        read, names = _read(folders, options, values, facts)
    return read._replace(faults=(*read.faults, *nothing_but_delivery(read.inventory, names)))


def _read(
    paths: Sequence[str], options: ClusterOptions, values: Sequence[str], facts: Catalog
) -> tuple[Read, list[str]]:
    """The clusters that these paths describe, and the names of the files."""
    texts, unread = read_outputs(paths)
    foreign = foreign_files(paths)
    if foreign:  # a directory without YAML and JSON is not an empty one
        unread = [fault for fault in unread if fault.code != "INP004"]
    passed, wrong = read_values([pair(entry, "--values", "CHART=FILE") for entry in values])
    named = by_name(texts, paths)
    bare = bare_values((text for text in texts if text.name in named), facts)
    bare_names = {file.text.name for file in bare}
    names = [text.name for text in texts]
    texts = [text for text in texts if text.name not in bare_names]
    import_options = ImportOptions(options.cluster, options.region, named)
    count = options.on_read

    def read(manifests: Sequence[Text]) -> Manifests:
        return read_manifests(manifests, named, begin_parsing(manifests, 1, count))

    inventory = observe_texts(counting(texts, count), [*passed, *bare], import_options, read)
    images = advised_images(inventory, facts, options.today)
    return Read(inventory, options, (*unread, *wrong, *foreign, *inventory.faults, *images)), names


def _kubernetes_minor(text: str) -> str:
    """The minor version in a Kubernetes version; "" for "". Raises click.BadParameter."""
    version = minor(text)
    if text and not version:
        raise click.BadParameter(f"'{text}' is not a version such as 1.34", param_hint="--kubernetes")
    return version or ""


def _repository_url(text: str) -> str:
    """The URL of a repository, which a Fleet allows. Raises click.BadParameter."""
    part = fleet_schema()["definitions"]["delivery"]["properties"]["repository"]
    if text and not re.search(part["pattern"], text):
        raise click.BadParameter(f"'{text}' is not {part['x-gitgpu-words']}", param_hint="--repository")
    return text
