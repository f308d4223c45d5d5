"""The tools: each is a command with the options that an agent may set. Schemas are those of the command."""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

import click

from gitgpu import cli
from gitgpu.registry import load

FINDINGS = "findings"
SHOWN = 100  # findings that are shown if the request does not say how many
_NO_DEFAULTS: Mapping[str, int] = MappingProxyType({})


class Tool(NamedTuple):
    """A tool. `options` are names of parameters of the command; those in `paths` name files or directories.

    `reports` are the definitions of schemas/report.schema.json that it answers with.
    """

    name: str
    words: tuple[str, ...]
    reports: tuple[str, ...]
    options: tuple[str, ...]
    paths: tuple[str, ...] = ()
    defaults: Mapping[str, int] = _NO_DEFAULTS

    @property
    def command(self) -> click.Command:
        """The command of gitgpu that the tool runs."""
        return load(cli, ".".join((*self.words, "command")), "COMMAND", click.Command)

    @property
    def description(self) -> str:
        """The help of the command, without its examples of command lines."""
        return " ".join((self.command.help or "").partition("\b")[0].split())

    def parameters(self) -> Mapping[str, click.Parameter]:
        """The parameters of the command that the tool has, by the name of the property in a request."""
        by_name = {parameter.name: parameter for parameter in self.command.params}
        return {_property(parameter): parameter for parameter in map(by_name.__getitem__, self.options)}


_CHOSEN = ("select", "ignore", "today", "maximum")
_SHOWN = MappingProxyType({"maximum": SHOWN})
TOOLS = (
    Tool(
        "lint",
        ("lint",),
        (FINDINGS,),
        ("paths", "crds", "values", "kubernetes", "versions", "automatic", "skip", "strict", "closed", *_CHOSEN),
        ("paths", "crds", "values"),
        _SHOWN,
    ),
    Tool("validate", ("validate",), (FINDINGS,), ("paths", *_CHOSEN), ("paths",), _SHOWN),
    Tool(
        "simulate",
        ("simulate",),
        ("simulation",),
        ("paths", "workloads", "pools", "globs", "crds", "region", "versions", "spot", "overhead"),
        ("paths", "workloads", "pools", "crds"),
    ),
    Tool(
        "plan",
        ("plan",),
        ("plan",),
        ("paths", "against", "globs", "minutes", "workloads"),
        ("paths", "workloads"),
    ),
    Tool(
        "diagnose",
        ("diagnose",),
        ("diagnosis",),
        ("paths", "pod", "node", "region", "fleet", "cluster", "today"),
        ("paths", "fleet"),
    ),
    Tool(
        "explain",
        ("explain",),
        ("explanation", "fieldList", "effectiveObject"),
        ("field", "recursive", "effective", "cluster", "fleet"),
        ("fleet",),
    ),
    Tool(
        "sku_search",
        ("sku", "list"),
        ("skuList",),
        ("model", "status", "region", "gpu_memory", "mig", "rdma", "max_price", "sort", "every"),
    ),
    Tool("sku_compare", ("sku", "compare"), ("skuComparison",), ("sizes", "region")),
    Tool("rule", ("rule", "show"), ("rule", "fault"), ("code", "every")),
    Tool("advisories", ("advisories",), ("advisoryList",), ("paths", "globs", "every", "today"), ("paths",)),
)


def tools() -> Mapping[str, Tool]:
    """The tools by name."""
    return {tool.name: tool for tool in TOOLS}


def command_line(tool: Tool, request: Mapping[str, Any]) -> list[str]:
    """The words of a request that fits the schema of the tool. No value can be read as an option."""
    options = [*tool.words, "--output=json", "--quiet"]
    positional: list[str] = []
    for name, parameter in tool.parameters().items():
        value = request.get(name, tool.defaults.get(parameter.name or ""))
        if value is None:
            continue
        if isinstance(parameter, click.Argument):
            positional += _words(value)
        elif isinstance(parameter, click.Option):
            options += _option(parameter, value)
    return [*options, "--", *positional]


def named_paths(tool: Tool, request: Mapping[str, Any]) -> Iterator[str]:
    """The files and directories that a request names."""
    for name, parameter in tool.parameters().items():
        if parameter.name in tool.paths:
            yield from _words(request.get(name, ()))


def _option(option: click.Option, value: Any) -> Iterator[str]:
    long = _long(option)
    if option.is_flag:
        if value or option.secondary_opts:
            yield long if value else option.secondary_opts[0]
        return
    for word in _words(value):
        yield f"{long}={word}"


def _words(value: Any) -> Sequence[str]:
    return [*map(str, value)] if isinstance(value, list | tuple) else [str(value)]


def _long(option: click.Option) -> str:
    return max(option.opts, key=len)


def _property(parameter: click.Parameter) -> str:
    """The name in a request: --kubernetes-version is kubernetesVersion."""
    if not isinstance(parameter, click.Option):
        return parameter.name or ""
    first, *others = _long(parameter).removeprefix("--").split("-")
    return first + "".join(word.capitalize() for word in others)
