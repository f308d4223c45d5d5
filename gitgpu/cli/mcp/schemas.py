"""The JSON Schemas of requests, from the options of commands, and of answers, from the published schema of reports."""

import json
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import click

from gitgpu.cli.mcp.tools import FINDINGS, SHOWN, Tool
from gitgpu.load.read import data_text

_LONGEST = 4096  # characters of a value: PATH_MAX of Linux
_MOST = 100  # values of an option that can be repeated
_ARGUMENTS = {  # click has no help for arguments
    "field": "A field, such as GpuPool.spec.limits. Without it, the kinds are listed.",
    "sizes": "Two or more names of sizes, such as Standard_NC24ads_A100_v4.",
    "code": "The code or the name of a rule, such as POD001.",
}
_TYPES = {click.types.BoolParamType: "boolean", click.IntRange: "integer", click.FloatRange: "number"}


def request_schema(tool: Tool) -> dict[str, Any]:
    """The schema of the arguments of a tool."""
    parameters = tool.parameters()
    return {
        "type": "object",
        "properties": {name: _property(tool, parameter) for name, parameter in parameters.items()},
        "required": [name for name, parameter in parameters.items() if parameter.required],
        "additionalProperties": False,
    }


def answer_schema(tool: Tool) -> dict[str, Any]:
    """The schema of the answers of a tool: its reports, and the findings that a command prints if it fails."""
    reports = dict.fromkeys((*tool.reports, FINDINGS))
    definitions = _definitions()
    used: dict[str, Any] = {}
    waiting = list(reports)
    while waiting:
        name = waiting.pop()
        if name not in used:
            used[name] = definitions[name]
            waiting += _references(definitions[name])
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "type": "object",
        "anyOf": [{"$ref": f"#/definitions/{name}"} for name in reports],
        "definitions": {name: used[name] for name in sorted(used)},
    }


def _property(tool: Tool, parameter: click.Parameter) -> dict[str, Any]:
    schema = _value(parameter.type)
    if parameter.multiple or parameter.nargs == -1:
        schema = {"type": "array", "items": schema, "minItems": int(parameter.required), "maxItems": _MOST}
    elif parameter.name in tool.defaults:
        schema |= {"default": SHOWN, "minimum": 1}  # 0 shows all on a command line
    return schema | {"description": _meaning(tool, parameter)}


def _value(kind: click.ParamType[Any]) -> dict[str, Any]:
    if isinstance(kind, click.Choice):
        return {"type": "string", "enum": list(kind.choices)}
    schema: dict[str, Any] = {"type": _TYPES.get(type(kind), "string")}
    if isinstance(kind, click.IntRange | click.FloatRange):
        schema |= {name: at for name, at in (("minimum", kind.min), ("maximum", kind.max)) if at is not None}
    elif schema["type"] == "string":
        schema["maxLength"] = _LONGEST
    return schema


def _meaning(tool: Tool, parameter: click.Parameter) -> str:
    if isinstance(parameter, click.Option):
        text = " ".join((parameter.help or "").split())
        return f"{text} For example {parameter.metavar}." if parameter.metavar and "=" in parameter.metavar else text
    if parameter.name in tool.paths:
        return "Files and directories, in the directories of the server."
    return _ARGUMENTS[parameter.name or ""]


@cache
def _definitions() -> Mapping[str, Any]:
    definitions: dict[str, Any] = json.loads(data_text("schemas/report.schema.json"))["definitions"]
    return definitions


def _references(schema: Any) -> Iterator[str]:
    """The names of the definitions that a part of a schema refers to."""
    if isinstance(schema, dict):
        for key, value in schema.items():
            if key == "$ref":
                yield value.removeprefix("#/definitions/")
            else:
                yield from _references(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from _references(value)
