"""`schema`: the schema of the spec, and that of a kind."""

import json

import pytest
from jsonschema import Draft7Validator

from gitgpu.load.spec.shape import KINDS, fleet_schema
from tests.cli.conftest import Run


def test_the_schema_is_the_one_that_is_used(run: Run) -> None:
    ran = run("schema")
    assert (ran.code, ran.err) == (0, "")
    assert json.loads(ran.out) == fleet_schema()


@pytest.mark.parametrize("kind", [*KINDS, "Config", "gpupool"])
def test_the_schema_of_a_kind_is_complete(run: Run, kind: str) -> None:
    ran = run("schema", kind)
    assert (ran.code, ran.err) == (0, "")
    schema = json.loads(ran.out)
    Draft7Validator.check_schema(schema)
    accepts = Draft7Validator(schema)
    assert not accepts.is_valid({})
    pool = {
        "apiVersion": "gitgpu.dev/v1alpha1",
        "kind": "GpuPool",
        "metadata": {"name": "a"},
        "spec": {"clusters": ["a"], "sku": "x"},
    }
    assert accepts.is_valid(pool) is (kind.lower() == "gpupool")


def test_an_unknown_kind_is_a_usage_error(run: Run) -> None:
    ran = run("schema", "Pod")
    assert (ran.code, ran.out) == (2, "")
