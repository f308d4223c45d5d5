"""Fields and values of the AKS API by version, from the management SDK: `python -m tools.aks_api WHEELS --update`.

WHEELS is a folder of wheels of azure-mgmt-containerservice, each generated from one or more versions of the API
(`pip download --no-deps azure-mgmt-containerservice==VERSION`). The rows of catalog/arm keep what earlier wheels have
shown. The first version of a field is the first one of those that were read.
"""

import argparse
import ast
import json
import re
import sys
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import yaml

from gitgpu.write.atomic_file import write_file
from tools.evidence import record
from tools.registries import release_dates

ROOT = Path(__file__).parents[1]
ROWS = ROOT / "catalog" / "arm"
OLDEST = "2024-01-01"
_RESOURCES = {
    "managedClusters": "ManagedCluster",
    "agentPools": "AgentPool",
    "maintenanceConfigurations": "MaintenanceConfiguration",
}
# Keys of every resource of Azure, which say nothing about AKS.
_ENVELOPE = frozenset({"id", "name", "type", "systemData", "eTag"})
_VERSION = re.compile(r"""["'](\d{4}-\d\d-\d\d(?:-preview)?)["']""")
_FOLDER = re.compile(r"/v(\d{4})_(\d\d)_(\d\d)(_preview)?/models/_models_py3\.py$")
_NAME = re.compile(r"\w+")
_LAYOUTS = ("models/_models.py", "models/_models_py3.py")
_TYPES = {"str": "string", "int": "integer", "bool": "boolean", "float": "number"}
_RESOURCES_WITHIN = ("agentPoolProfiles",)  # node pools in a cluster have the fields of the row of node pools
CHANNELS = ("stable", "preview")
SOURCE = "https://github.com/Azure/azure-sdk-for-python/releases/tag/azure-mgmt-containerservice_{}"

Types: TypeAlias = Mapping[str, Mapping[str, str]]


class Api(NamedTuple):
    """One version: the type of each field of a resource by its path, and the values of each enum."""

    version: str
    fields: Mapping[str, Mapping[str, str]]
    values: Mapping[str, tuple[str, ...]]


def read(wheel: Path) -> Iterator[Api]:
    """The versions in a wheel, from the oldest one that is wanted."""
    with zipfile.ZipFile(wheel) as archive:
        for path in archive.namelist():
            version = _version(path, archive)
            if version >= OLDEST:
                folder, _, _ = path.rpartition("/")
                enums = next(name for name in archive.namelist() if re.fullmatch(f"{folder}/\\w*_enums.py", name))
                yield _api(version, archive.read(path).decode(), archive.read(enums).decode())


def _version(path: str, archive: zipfile.ZipFile) -> str:
    """The version that a module of models is generated from; "" for any other module."""
    match = _FOLDER.search(path)
    if match:
        year, month, day, preview = match.groups()
        return f"{year}-{month}-{day}" + ("-preview" if preview else "")
    root, _, module = path.partition("containerservice/")
    if module not in _LAYOUTS:
        return ""
    text = archive.read(f"{root}containerservice/_configuration.py").decode()
    found = [version for line in text.splitlines() if "kwargs.pop" in line for version in _VERSION.findall(line)]
    return found[0] if found else ""


def _api(version: str, models: str, enums: str) -> Api:
    types = _models(ast.parse(models))
    values = {node.name: tuple(_strings(node)) for node in ast.parse(enums).body if isinstance(node, ast.ClassDef)}
    fields = {}
    for resource, model in _RESOURCES.items():
        found = dict(_fields(model, types, ""))
        fields[resource] = {path: _spelt(kind, values) for path, kind in sorted(found.items())}
    return Api(version, fields, values)


def _strings(enum: ast.ClassDef) -> Iterator[str]:
    for node in enum.body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant):
            yield str(node.value.value)


def _models(module: ast.Module) -> Types:
    """The fields of each model that can be written, with those of its bases: the type by the name in JSON."""
    types: dict[str, Mapping[str, str]] = {}
    for node in module.body:
        if isinstance(node, ast.ClassDef):
            inherited = [types.get(ast.unparse(base).rpartition(".")[2], {}) for base in node.bases]
            own = dict(_mapped(node)) or dict(_annotated(node))
            types[node.name] = {**dict(pair for base in inherited for pair in base.items()), **own}
    return types


def _mapped(model: ast.ClassDef) -> Iterator[tuple[str, str]]:
    """The fields of a model that lists them in `_attribute_map`, as older wheels do."""
    tables: dict[str, Any] = {}
    for node in model.body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            name = node.targets[0].id
            if name in ("_attribute_map", "_validation"):
                tables[name] = ast.literal_eval(node.value)
    for name, entry in tables.get("_attribute_map", {}).items():
        if not tables.get("_validation", {}).get(name, {}).get("readonly"):
            yield entry["key"].replace("\\\\.", "."), entry["type"]


def _annotated(model: ast.ClassDef) -> Iterator[tuple[str, str]]:
    """The fields of a model that declares them with `rest_field`."""
    for node in model.body:
        if not (isinstance(node, ast.AnnAssign) and isinstance(node.value, ast.Call)):
            continue
        words = {word.arg: ast.literal_eval(word.value) for word in node.value.keywords if word.arg != "format"}
        if words.get("visibility") != ["read"]:
            yield words.get("name") or ast.unparse(node.target), ast.unparse(node.annotation)


def _fields(model: str, types: Types, below: str, above: tuple[str, ...] = ()) -> Iterator[tuple[str, str]]:
    """The fields of a model and of the models in it, by path: `[]` marks a list, `{}` a map.

    `properties`, the envelope of every resource, is not part of a path, and its keys about the resource are omitted.
    """
    for key, kind in types[model].items():
        inner = next((name for name in reversed(_NAME.findall(kind)) if name in types), "")
        if key == "properties":
            yield from _fields(inner, types, below, (*above, model))
        elif above or key not in _ENVELOPE:
            path = f"{below}{key.removeprefix('properties.')}{_mark(kind)}"
            yield path, kind
            if inner and inner not in (*above, model) and key.removeprefix("properties.") not in _RESOURCES_WITHIN:
                yield from _fields(inner, types, f"{path}.", (*above, model))


def _mark(kind: str) -> str:
    """`[]` for a list, `{}` for a map, in the spelling of any wheel."""
    if kind.startswith("[") or "ist[" in kind:
        return "[]"
    return "{}" if kind.startswith("{") or "ict[" in kind else ""


def _spelt(kind: str, values: Mapping[str, object]) -> str:
    """A type as a word: a type of JSON, or an enum."""
    words = _NAME.findall(kind)
    enum = next((word for word in words if word in values), "")
    last = words[-1] if words else ""
    return enum or _TYPES.get(last, "object" if last[:1].isupper() else "string")


def with_api(row: Mapping[str, Any], api: Api, enums: Iterable[str]) -> dict[str, Any]:
    """A row of a resource with one more version. It must be newer than those of its channel that the row has.

    `enums` are those of its fields. Older wheels do not say which field has which.
    """
    channel = _channel(api.version)
    before = row["versions"][channel]
    found = api.fields[row["name"]]
    seen = _Seen(channel, api.version, before)
    facts = dict(row["fields"])
    for path in {**facts, **found}:
        kind = found.get(path) or facts[path]["type"]
        facts[path] = {"type": kind, **_seen(facts.get(path, {}), seen, path in found)}
    values = {
        enum: {
            value: _seen(row["values"].get(enum, {}).get(value, {}), seen, value in api.values.get(enum, ()))
            for value in dict.fromkeys((*row["values"].get(enum, {}), *api.values.get(enum, ())))
        }
        for enum in sorted(enums)
    }
    versions = {**row["versions"], channel: [*before, api.version]}
    return {**row, "versions": versions, "fields": dict(sorted(facts.items())), "values": values}


class _Seen(NamedTuple):
    """A version that is added to a row, and those of the same channel before it."""

    channel: str
    version: str
    before: Sequence[str]


def _seen(facts: Mapping[str, Any], seen: _Seen, present: bool) -> dict[str, Any]:
    """The versions of a field or value, with one more version that has it or not.

    `stable` and `preview` are the first ones, None if there is none; `last` has the last ones of a field that is gone,
    and `without` those between them that did not have it.
    """
    first = {key: facts.get(key) for key in CHANNELS}
    last, without = dict(facts.get("last", {})), list(facts.get("without", ()))
    if present and first[seen.channel] is None:
        first[seen.channel] = seen.version
    elif present and seen.channel in last:
        without += [version for version in seen.before if version > last[seen.channel]]
        del last[seen.channel]
    elif not present and first[seen.channel] is not None and seen.channel not in last:
        last[seen.channel] = seen.before[-1]
    return {**first, **({"last": last} if last else {}), **({"without": sorted(without)} if without else {})}


def released(wheel: Path) -> tuple[str, str]:
    """The version of a wheel and the date of its release, by its own change log."""
    first = next(iter(release_dates(wheel).items()), None)
    if not first:
        raise ValueError(f"{wheel}: the change log has no dated release")
    return first


def updated(rows: Mapping[str, Mapping[str, Any]], wheels: Iterable[Path], day: str) -> dict[str, dict[str, Any]]:
    """The rows with all newer versions in these wheels, oldest first. The newest wheel of each channel is a source."""
    apis = {api.version: (api, wheel) for wheel in wheels for api in read(wheel)}
    enums = {name: {*row["values"], *_enums(name, [api for api, _ in apis.values()])} for name, row in rows.items()}
    known = rows["agentPools"]["versions"]
    sources = dict(zip(CHANNELS, rows["agentPools"]["source"], strict=False))
    whole = {name: dict(row) for name, row in rows.items()}
    for version in sorted(apis):
        api, wheel = apis[version]
        if version > max(known[_channel(version)], default=""):
            sources[_channel(version)] = SOURCE.format(released(wheel)[0])
            whole = {name: with_api(row, api, enums[name]) for name, row in whole.items()}
    if whole == rows:
        return whole
    about = {"source": [sources[channel] for channel in CHANNELS if channel in sources], "verified": day}
    return {name: {**row, **about} for name, row in whole.items()}


def _channel(version: str) -> str:
    return "preview" if version.endswith("-preview") else "stable"


def _enums(resource: str, apis: Iterable[Api]) -> Iterator[str]:
    """The enums of the fields of a resource. A field of an older wheel is a string there."""
    for api in apis:
        yield from (kind for kind in api.fields[resource].values() if kind in api.values)


def empty(name: str) -> dict[str, Any]:
    """A row without any version."""
    path = "managedClusters" if name == "managedClusters" else f"managedClusters/{name}"
    start = {"name": name, "type": f"Microsoft.ContainerService/{path}", "versions": {"stable": [], "preview": []}}
    return {**start, "fields": {}, "values": {}, "source": [], "verified": ""}


def text(row: Mapping[str, Any]) -> str:
    """A row as YAML, with a line for each field and value."""
    lines = [f"name: {row['name']}", f"type: {row['type']}", "versions:"]
    lines += [f"  {channel}: {_flow(versions)}" for channel, versions in row["versions"].items()]
    lines += ["fields:", *(f"  {_flow(path)}: {_flow(facts)}" for path, facts in row["fields"].items()), "values:"]
    for enum, values in row["values"].items():
        lines += [f"  {enum}:", *(f"    {_flow(value)}: {_flow(facts)}" for value, facts in values.items())]
    lines += ["source:", *(f"  - {url}" for url in row["source"])]
    lines += [f"asOf: {_flow(row.get('asOf'))}", f"verified: {_flow(row['verified'])}"]
    return "".join(f"{line}\n" for line in lines)


def _flow(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def main(arguments: Sequence[str]) -> int:
    """Adds the versions in the wheels. Returns 1 without --update if there are any new ones."""
    parser = argparse.ArgumentParser(prog="python -m tools.aks_api", description=__doc__)
    parser.add_argument("wheels", type=Path, help="a folder of wheels of azure-mgmt-containerservice")
    parser.add_argument("--update", metavar="DATE", default="", help="write the rows, as verified on this date")
    given = parser.parse_args(arguments)
    paths = {name: ROWS / f"{name}.yaml" for name in _RESOURCES}
    rows = {name: _row(name, path) for name, path in paths.items()}
    wheels = sorted(given.wheels.glob("*.whl"))
    whole = updated(rows, wheels, given.update)
    if whole == rows:
        return 0
    after, before = (side["agentPools"]["versions"] for side in (whole, rows))
    print("new:", *(version for channel in CHANNELS for version in after[channel] if version not in before[channel]))
    if not given.update:
        return 1
    for name, path in paths.items():
        write_file(str(path), text(whole[name]))
    record({SOURCE.format(version): day for version, day in map(released, wheels)})
    return 0


def _row(name: str, path: Path) -> dict[str, Any]:
    return yaml.load(path.read_text(encoding="utf-8"), yaml.CSafeLoader) if path.exists() else empty(name)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
