"""A CRD with an invalid schema is rejected; an accepted CRD can validate any object."""

from itertools import product
from pathlib import Path
from typing import Any

import pytest
import yaml

from gitgpu.objects.schema.crd import custom, is_usable
from tests.helping.cases import for_each

UPSTREAM = sorted((Path(__file__).parents[3] / "shared" / "crds").glob("*.yaml"))
ODD: tuple[Any, ...] = (5, -1, "x", "object", [1], ["object", 5], {"a": 1}, None, True, [], {}, 0)
KEYWORDS = (
    *("type", "properties", "items", "required", "enum", "pattern", "minimum", "maxLength", "multipleOf", "format"),
    *("additionalProperties", "allOf", "anyOf", "not", "default", "nullable", "uniqueItems", "exclusiveMaximum"),
    *("x-kubernetes-validations", "x-kubernetes-list-type", "x-kubernetes-list-map-keys"),
    *("x-kubernetes-int-or-string", "x-kubernetes-preserve-unknown-fields"),
)
SPECS: tuple[Any, ...] = ({"a": 1}, "text", [1], 5, {"a": {"b": "c"}}, {"a": [{"b": 1}]}, {"x": 1.5}, None)


def crd(schema: Any) -> dict[str, Any]:
    """A CRD of Foo with this schema."""
    version = {"name": "v1", "served": True, "schema": {"openAPIV3Schema": schema}}
    return {"spec": {"group": "x.io", "names": {"kind": "Foo"}, "scope": "Namespaced", "versions": [version]}}


@for_each(("keyword", "depth"), list(product(KEYWORDS, range(3))))
def test_an_unexpected_keyword_is_rejected_or_ignored(keyword: str, depth: int) -> None:
    for value in ODD:
        schema: Any = {"type": "object", keyword: value}
        for name in ("spec", "a")[:depth][::-1]:
            schema = {"type": "object", "properties": {name: schema}}
        if is_usable(crd(schema)):
            (contract,) = custom([crd(schema)], {}).values()
            for spec in SPECS:
                body = {"apiVersion": "x.io/v1", "kind": "Foo", "metadata": {"name": "a"}, "spec": spec}
                contract.faults(body, patch=False)


@for_each("schema", [{"type": 5}, {"properties": {"spec": {"type": 5}}}, {"items": {"pattern": []}}, [], 5])
def test_a_schema_that_the_api_server_rejects_is_not_used(schema: Any) -> None:
    assert not is_usable(crd(schema))


def test_one_version_that_is_not_a_schema_makes_a_crd_useless() -> None:
    definition = crd({"type": "object"})
    wrong = {**definition["spec"]["versions"][0], "name": "v2", "schema": {"openAPIV3Schema": {"type": 5}}}
    assert is_usable(definition)
    definition["spec"]["versions"].append(wrong)
    assert not is_usable(definition)
    definition["spec"]["versions"].reverse()
    assert not is_usable(definition)
    assert not is_usable({"spec": {**definition["spec"], "versions": [{**wrong, "schema": "text"}]}})


@pytest.mark.skipif(not UPSTREAM, reason="the upstream CRDs are not next to the project")
def test_every_upstream_crd_is_accepted() -> None:
    assert [path.name for path in UPSTREAM if not is_usable(yaml.load(path.read_text("utf-8"), yaml.CSafeLoader))] == []
