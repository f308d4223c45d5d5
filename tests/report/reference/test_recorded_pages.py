"""Pages about fields, rules, sizes and schemas, with small examples of each."""

from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from gitgpu.model.size.availability import Sold
from gitgpu.report.findings import Style
from gitgpu.report.reference import field_search, rules
from gitgpu.report.reference.field import children, explain, facts
from gitgpu.report.reference.field_search import Field, every_field, field_at, fields_named
from gitgpu.report.reference.json_schemas import DOCUMENTS, EVERYTHING, document_schema
from gitgpu.report.size_comparison import comparable
from gitgpu.report.sizes import size
from tests.emit.fleets import CATALOG
from tests.rules.invented.a_name import RULE

SCHEMA: dict[str, Any] = {
    "type": "object",
    "description": "A pool. Of nodes.",
    "required": ["sku", "taints"],
    "properties": {
        "sku": {"type": "string", "description": "The size. By name.", "examples": ["Standard_X", "a: b"]},
        "weight": {"type": "integer", "minimum": 1, "maximum": 9, "default": 5, "description": "Its weight."},
        "mode": {"enum": ["a", "b", 3], "default": False, "description": "A mode"},
        "words": {"type": ["string", "null"], "x-gitgpu-words": "some words", "minimum": 1},
        "taints": {"type": "array", "description": "Taints.", "items": {"$ref": "#/definitions/taint"}},
        "image": {
            "type": "object",
            "properties": {"fips": {"type": "boolean", "default": True}, "taints": {"const": "none"}},
        },
    },
    "definitions": {
        "taint": {
            "type": "object",
            "required": ["key"],
            "properties": {"key": {"type": "string"}, "Weight": {"type": "integer", "minimum": 0}},
        }
    },
}
POOL = Field(("GpuPool",), SCHEMA, SCHEMA)


@pytest.mark.parametrize("path", ["", "SKU", "weight", "mode", "words", "taints", "taints KEY", "image"])
@pytest.mark.parametrize("recursive", [False, True])
def test_a_field(path: str, *, recursive: bool, snapshot: SnapshotAssertion) -> None:
    field, rest = field_at(POOL, path.split())
    assert rest is None
    described = field.facts(recursive=recursive)
    assert [explain(field.name, described), described] == snapshot


def test_unknown_paths_of_fields() -> None:
    assert field_at(POOL, ["taints", "nothing", "key"]) == (field_at(POOL, ["taints"])[0], "nothing")
    assert field_at(POOL, ["other"]) == (POOL, "other")


def test_fields_by_the_end_of_their_path() -> None:
    def names(*words: str) -> list[str]:
        return [field.name for field in fields_named(POOL, words)]

    assert names("weight") == ["GpuPool.weight", "GpuPool.taints.Weight"]
    assert names("TAINTS") == ["GpuPool.taints", "GpuPool.image.taints"]
    assert names("image", "taints") == ["GpuPool.image.taints"]
    assert names("gpupool", "image", "fips") == ["GpuPool.image.fips"]
    assert names("image.taints") == names("nothing") == []
    assert [field.name for field in every_field(POOL) if field.required] == [
        "GpuPool.sku",
        "GpuPool.taints",
        "GpuPool.taints.key",
    ]


def test_a_list_of_fields() -> None:
    assert field_search.listing([*every_field(POOL)][:4]) == (
        "GpuPool.sku     string          The size\n"
        "GpuPool.weight  integer         Its weight\n"
        "GpuPool.mode    any             A mode\n"
        "GpuPool.words   string or null\n"
    )
    assert field_search.listing([]) == ""
    assert children({"type": "string"}, SCHEMA) == {}
    assert facts({"$ref": "#/definitions/taint"}, SCHEMA, required=True)["required"] is True


def test_a_rule(snapshot: SnapshotAssertion) -> None:
    plain = RULE._replace(replaces=())
    pages: list[Any] = [rules.listing([(RULE, "fleet"), (plain, "objects")], Style())]
    for rule in (RULE, plain):
        pages += [rules.page(rule, "fleet"), rules.page(rule, "objects", "all pods"), rules.markdown(rule)]
        pages.append(rules.facts(rule, "fleet"))
    assert pages == snapshot


def test_a_size_for_programs(snapshot: SnapshotAssertion) -> None:
    known = CATALOG.sku("Standard_NC24ads_A100_v4")
    assert known is not None
    sale = Sold("", {"eastus": 3.6}, {"eastus": ("1",)})
    listed = sale._replace(spot={"eastus": 1.0}, listed={"eastus": None})
    driver = {"version": "580", "imageSuffix": "x"}
    changed = known._replace(
        row={**dict.fromkeys(("spot", "premiumStorage", "encryptionAtHost", "hypervisorGenerations"), None)}
        | {"quotaFamily": "q", "disks": {"tempGiB": 1}},
        gpu=None,
        origin="mine",
    )
    sizes = [size(known, driver, "GRID", sale), size(changed, None, None, listed)]
    sides = [comparable(sizes[0], known._replace(row=changed.row)), comparable(sizes[1], changed)]
    assert [sizes, sides] == snapshot


def test_the_schema_of_one_command_is_complete_in_itself() -> None:
    everything = document_schema(EVERYTHING)
    used = set()
    for name, branches in DOCUMENTS.items():
        schema = document_schema(name)
        if name == EVERYTHING:
            continue
        assert [part["$ref"] for part in schema["oneOf"]] == [f"#/definitions/{branch}" for branch in branches]
        assert schema["title"] == f"gitgpu {name}"
        assert schema["$id"].endswith(f"/{name}.schema.json")
        assert all(everything["definitions"][key] == part for key, part in schema["definitions"].items())
        references = {key for key in everything["definitions"] if f"'#/definitions/{key}'" in str(schema)}
        assert references == schema["definitions"].keys()
        used |= references
    assert used == everything["definitions"].keys()
