"""The resources of an ARM template with their evaluated values: top-level ones, and those in others and in deployments.

The format: learn.microsoft.com/azure/azure-resource-manager/templates/syntax. Bicep writes the same. With symbolic
names (languageVersion 2.0), `resources` is a mapping.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from gitgpu.access import mapping_at, reach, text_at
from gitgpu.inventory.arm.expressions import BLANK, UNKNOWN, Budget, Scope, copies_of, evaluate, evaluate_name
from gitgpu.inventory.azure_resources import CLUSTER, POOL, SAFEGUARDS
from gitgpu.source import Pointer

_DEPLOYMENT = "microsoft.resources/deployments"
_MAX_DEPTH = 20  # levels of nested deployments and resources


class TemplateResource(NamedTuple):
    """A resource: its full type, its name ("" if unknown), its place, and its unknown values.

    `body` has the values of a cluster, a pool and safeguards; others are only counted. `parent` is the name of the
    resource that it belongs to. `copied` says that a loop makes several of it. `deployed` is False if its condition is
    false.
    """

    type: str
    name: str
    parent: str
    body: dict[str, Any]
    pointer: Pointer
    unknown: tuple[Pointer, ...]
    copied: bool = False
    deployed: bool = True


class _Above(NamedTuple):
    """The context of resources: their scope, and the type and name of the resource around them."""

    scope: Scope
    type: str = ""
    name: str = ""
    depth: int = 0


def template_resources(template: Mapping[str, Any]) -> Iterator[TemplateResource]:
    """Every resource of a template. Deployments are replaced with their resources."""
    yield from _resources(template, (), _Above(_scope(template, {}, None)))


def _scope(template: Mapping[str, Any], arguments: Any, outer: Scope | None) -> Scope:
    """The scope of a template, with the parameters that a deployment passes to it."""
    parameters = dict(mapping_at(template, "parameters"))
    for name, entry in mapping_at(arguments).items():
        value = evaluate(entry["value"], outer) if outer and isinstance(entry, dict) and "value" in entry else UNKNOWN
        declared = parameters.get(name)
        kind = declared.get("type") if isinstance(declared, dict) else None
        parameters[name] = {"type": kind, "value": value} if value is not UNKNOWN else {"type": kind}
    parameters = {name: entry for name, entry in parameters.items() if isinstance(entry, dict)}
    budget = outer.budget if outer else Budget()
    return Scope(parameters, mapping_at(template, "variables"), budget)


def _resources(holder: Mapping[str, Any], above: Pointer, around: _Above) -> Iterator[TemplateResource]:
    listed = holder.get("resources")  # a list, or a mapping by symbolic name (languageVersion 2.0)
    pairs = enumerate(listed) if isinstance(listed, list) else mapping_at(listed).items()
    for key, entry in pairs:
        if isinstance(entry, dict) and around.depth < _MAX_DEPTH:
            yield from _resource(entry, (*above, "resources", key), around)


def _resource(entry: dict[str, Any], pointer: Pointer, around: _Above) -> Iterator[TemplateResource]:
    passes = copies_of(entry["copy"], around.scope) if "copy" in entry else None
    if passes is not None:
        single = {key: value for key, value in entry.items() if key != "copy"}
        for scope in passes:
            yield from _resource(single, pointer, around._replace(scope=scope))
        return
    if text_at(entry, "type").lower() == _DEPLOYMENT:
        yield from _deployment(entry, pointer, around)
        return
    resource = _evaluated(entry, pointer, around)
    yield resource
    yield from _resources(entry, pointer, _Above(around.scope, resource.type, resource.name, around.depth + 1))


def _known(part: str) -> str:
    """A part of a name; "" if it is only known to a deployment."""
    return "" if BLANK in part else part


def _evaluated(entry: dict[str, Any], pointer: Pointer, around: _Above) -> TemplateResource:
    """A resource that is not a deployment, without those inside it."""
    kind = text_at(entry, "type")
    is_whole = "." in kind.partition("/")[0]  # only a type with its provider, such as Microsoft.ContainerService
    full = f"{around.type}/{kind}" if around.type and not is_whole else kind
    written = {key: value for key, value in entry.items() if key != "resources"}
    body = evaluate(written, around.scope) if full.lower() in (CLUSTER, POOL, SAFEGUARDS) else {}
    parts = [_known(part) for part in evaluate_name(entry.get("name"), around.scope).split("/")]
    return TemplateResource(
        type=full,
        name=parts[-1],
        parent=parts[-2] if len(parts) > 1 else text_at(body, "scope").rpartition("/")[2] or around.name,
        body=_without_unknown(body),
        pointer=pointer,
        unknown=tuple(_unknown(body, ())),
        copied="copy" in entry,
        deployed=body.get("condition") is not False,
    )


def _deployment(entry: dict[str, Any], pointer: Pointer, around: _Above) -> Iterator[TemplateResource]:
    template, given = reach(entry, "properties", "template"), reach(entry, "properties", "parameters")
    if not isinstance(template, dict):
        return
    # By default, expressions in a nested template refer to the parameters of the template around it.
    within = text_at(entry, "properties", "expressionEvaluationOptions", "scope").lower() == "inner"
    scope = _scope(template, given, around.scope) if within else around.scope
    yield from _resources(template, (*pointer, "properties", "template"), _Above(scope, depth=around.depth + 1))


def _unknown(value: Any, above: Pointer) -> Iterator[Pointer]:
    if value is UNKNOWN:
        yield above
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _unknown(item, (*above, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _unknown(item, (*above, index))


def _without_unknown(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_unknown(item) for key, item in value.items() if item is not UNKNOWN}
    if isinstance(value, list):
        return [_without_unknown(item) for item in value if item is not UNKNOWN]
    return value
