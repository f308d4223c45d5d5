"""What a contract gets besides the keywords of a CRD: CEL rules that a field is required, and `tools/enforced.yaml`."""

import re
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

import yaml

Node: TypeAlias = dict[str, Any]

LIST = Path(__file__).with_name("enforced.yaml")
# Of a field, with or without the condition that there is a spec, which all schemas require.
_REQUIRES = re.compile(r"(has\(self\.spec\) && )?has\(self\.spec\.(?P<key>\w+)\)", re.ASCII)


def require(schema: Node, given: Node) -> None:
    """Adds the fields of `spec` that CEL rules of the CRD's schema `given` require without a condition."""
    rules = (rule["rule"] for rule in given.get("x-kubernetes-validations", ()))
    for match in filter(None, map(_REQUIRES.fullmatch, rules)):
        spec = schema["properties"]["spec"]
        spec["required"] = sorted({match["key"], *spec.get("required", ())})


def enforce(schema: Node, name: str) -> None:
    """Adds what every release of the operator of a CRD (`plural.group`) refuses."""
    for row in _rows():
        if name in row["crds"]:
            part = schema
            for key in row["field"]:
                part = part["properties"][key]
            part.update({keyword: bound for keyword, bound in row["keywords"].items() if keyword not in part})


@cache
def _rows() -> list[Node]:
    return yaml.load(LIST.read_text("utf-8"), yaml.CSafeLoader)  # type: ignore[no-any-return]
