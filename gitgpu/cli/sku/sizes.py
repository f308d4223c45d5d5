"""The catalog of sizes, and answers about them."""

from collections.abc import Callable
from typing import Any

from gitgpu.cli.global_options import named_config
from gitgpu.cli.output.refusal import UnreadableError, nameless, refuse_files
from gitgpu.cli.output.streams import send
from gitgpu.diagnostic import Diagnostic
from gitgpu.load.configuration.files import read_config
from gitgpu.model.aks_node_pool import windows_driver
from gitgpu.model.catalog import Catalog, Facts, catalog
from gitgpu.model.size.availability import Sold
from gitgpu.model.sku import Sku
from gitgpu.report.sizes import size


def read_catalog() -> Catalog:
    """The catalog with the user's own rows. Raises UnreadableError if the configuration cannot be read."""
    config, faults = read_config(file=named_config())
    if faults:
        raise UnreadableError("the configuration cannot be read", faults)
    return catalog(config.catalog)


def answer(facts: Catalog, output_format: str, show: Callable[[], None], report: Callable[[], str]) -> int:
    """Answer as text or JSON; return the exit code. If rows of your catalog have faults, JSON has only these."""
    if facts.files.faults:
        refuse_files(facts.files.faults, output_format)
    if output_format == "text":
        show()
    elif not facts.files.faults:
        send(report())
    return int(bool(facts.files.faults))


def content(facts: Catalog, sku: Sku, sale: Sold) -> dict[str, Any]:
    """A size for programs."""
    return size(sku, driver(facts, sku), windows_driver(facts, sku), sale)


def driver(catalog: Catalog, sku: Sku) -> Facts | None:
    """The row of the driver that AKS installs."""
    return catalog.facts("drivers", sku.driver) if sku.driver else None


def unknown_size(facts: Catalog, name: str) -> Diagnostic:
    """The fault of a size that is not in the catalog."""
    wrong, remedy = facts.unknown_size(name)
    return nameless("LNK007", f"'{name}' {wrong}", remedy)
