"""Shell completion of names from the catalog, the rules and the fleet. It is fast, and ignores faults."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import chdir
from copy import copy
from typing import Any, TypeAlias, TypeVar

import click
from click.shell_completion import CompletionItem

from gitgpu.cli.global_options import directory_of
from gitgpu.cli.settings import fleet_settings

MAX_CHARACTERS = 4_000_000  # the most characters of a fleet that are read: about a second

Names: TypeAlias = Callable[[click.Context], Iterable[str]]
Command = TypeVar("Command", bound=click.Command)


def with_completion(command: Command) -> Command:
    """Adds completion of names to the parameters of the command and its subcommands."""
    extended = copy(command)
    extended.params = [_completing(parameter, _NAMES.get(parameter.name or "")) for parameter in command.params]
    if isinstance(extended, click.Group):
        extended.commands = {name: with_completion(below) for name, below in extended.commands.items()}
        names = _ARGUMENTS.get(extended.name or "", {})
        if "show" in extended.commands:
            show = extended.commands["show"]
            show.params = [_completing(parameter, names.get(parameter.name or "")) for parameter in show.params]
    return extended


def _completing(parameter: click.Parameter, names: Names | None) -> click.Parameter:
    if names is None:
        return parameter
    extended = copy(parameter)

    def complete(context: click.Context, incomplete: str) -> list[CompletionItem]:
        try:
            choices = sorted(set(names(context)))
        except Exception:  # noqa: BLE001  whatever is wrong: the command itself reports it
            return []
        start, comma, last = incomplete.rpartition(",") if parameter.name in _LISTS else ("", "", incomplete)
        return [CompletionItem(f"{start}{comma}{name}") for name in choices if _is_offered(name, last)]

    extended.shell_complete = complete  # type: ignore[method-assign, assignment]
    return extended


def _is_offered(name: str, start: str) -> bool:
    """Whether the name starts this way, ignoring case. Names of sizes also match without Standard_.

    What follows a = is offered only after the =, to keep the list short.
    """
    begin = start.casefold()
    return name.casefold().startswith((begin, f"standard_{begin}")) and ("=" not in name[:-1] or "=" in start)


def _sizes(_: click.Context) -> Iterator[str]:
    from gitgpu.model.catalog import catalog  # noqa: PLC0415  heavy

    return (sku.name for sku in catalog(()).skus)


def _spot_sizes(context: click.Context) -> Iterator[str]:
    return (f"{name}=" for name in _sizes(context))


def _models(_: click.Context) -> Iterator[str]:
    from gitgpu.model.catalog import catalog  # noqa: PLC0415

    return (sku.gpu.model for sku in catalog(()).skus if sku.gpu)


def _regions(_: click.Context) -> Iterable[str]:
    from gitgpu.model.catalog import catalog  # noqa: PLC0415

    return catalog(()).rows("regions")


def _region_files(context: click.Context) -> Iterator[str]:
    return (f"{name}=" for name in _regions(context))


def _codes(_: click.Context) -> Iterator[str]:
    from gitgpu.report.reference.faults import faults  # noqa: PLC0415
    from gitgpu.rules.fleet_rulebook import fleet_rules  # noqa: PLC0415
    from gitgpu.rules.object_rulebook import object_rules  # noqa: PLC0415

    yield from (rule.code for rule in fleet_rules())
    yield from (rule.code for rule in object_rules())
    yield from (fault.code for fault in faults())


def _clusters(context: click.Context) -> Iterator[str]:
    return _document_names(context, "Cluster")


def _rings(context: click.Context) -> Iterator[str]:
    for data in _documents(context, "Fleet"):
        yield from (ring["name"] for ring in data["spec"]["rings"])


def _pins(context: click.Context) -> Iterator[str]:
    from gitgpu.cli.completion.pins import pins  # noqa: PLC0415  heavy

    return pins(context)


def _stack_keys(_: click.Context) -> Iterator[str]:
    from gitgpu.load.spec.shape import fleet_schema  # noqa: PLC0415

    return iter(fleet_schema()["definitions"]["stack"]["properties"])


def _pools(context: click.Context) -> Iterator[str]:
    return _document_names(context, "GpuPool")


def _effective(context: click.Context) -> Iterator[str]:
    yield from (f"pool/{name}" for name in _document_names(context, "GpuPool"))
    yield from (f"workload/{name}" for name in _document_names(context, "GpuWorkload"))
    yield from (f"team/{name}" for name in _document_names(context, "GpuTeam"))


def _document_names(context: click.Context, kind: str) -> Iterator[str]:
    """The names of the documents of a kind in the fleet of the command line."""
    for data in _documents(context, kind):
        metadata = data.get("metadata")
        name = metadata.get("name") if isinstance(metadata, dict) else None
        if isinstance(name, str):
            yield name


def _documents(context: click.Context, kind: str) -> Iterator[Any]:
    """The documents of this kind in the fleet of the command line, as far as it can be read."""
    from gitgpu.load.parse.yaml import parse  # noqa: PLC0415
    from gitgpu.load.spec.texts import read_spec  # noqa: PLC0415

    # If an option before them has no value yet, click does not move the arguments into `params`.
    paths = context.params.get("paths") or context.args
    with chdir(directory_of(context)):
        settings = fleet_settings(paths)
        texts, _ = read_spec(settings.paths, settings.target)
    if sum(len(text.content) for text in texts) > MAX_CHARACTERS:
        return
    for text in texts:
        documents, _ = parse(text)
        for document in documents:
            data: Any = document.data
            if isinstance(data, dict) and data.get("kind") == kind:
                yield data


_LISTS = ("select", "ignore")  # several values, separated by commas
_NAMES: Mapping[str, Names] = {
    "allowed": _pools,
    "cluster": _clusters,
    "effective": _effective,
    "globs": _clusters,
    "ignore": _codes,
    "keys": _stack_keys,
    "model": _models,
    "protect": _pools,
    "region": _regions,
    "ring": _rings,
    "select": _codes,
    "sizes": _sizes,
    "source": _rings,
    "spot": _spot_sizes,
    "target": _rings,
    "wanted": _pins,
    "usage": _region_files,
    "versions": _region_files,
}
_ARGUMENTS: Mapping[str, Mapping[str, Names]] = {
    "rule": {"code": _codes},
    "sku": {"name": _sizes},
}
