"""Values of labels: those that nodes can have, and how YAML writes them."""

from collections.abc import Mapping

from gitgpu.objects.objects import Objects


def known_values(objects: Objects) -> Mapping[str, tuple[str, ...]]:
    """The possible values on nodes of the label keys that have few."""
    rows = objects.catalog.must("labels", "karpenter")["values"]
    return {row["key"]: tuple(row["values"]) for row in rows}


def same_but_for_case(value: str, options: tuple[str, ...]) -> str:
    """The known value that differs from this one only in case; empty if there is none."""
    return next((name for name in options if name != value and name.lower() == value.lower()), "")


def yaml_value(value: str) -> str:
    """A label value as YAML: quoted if YAML would read it as another type."""
    # N, the family of most GPU sizes, is a boolean in YAML 1.1.
    return f'"{value}"' if value in ("true", "false", "N") or value.isdigit() else value
