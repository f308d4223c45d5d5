"""Manifests from YAML text, the norms of this release, and the example objects beside this file."""

from functools import cache
from pathlib import Path
from typing import Any

import yaml

from gitgpu.conform import Norms, conform, norms
from gitgpu.diagnostic import Diagnostic
from gitgpu.emit.manifest import Layer, Manifest, Role
from gitgpu.load.schemas import Schemas
from gitgpu.load.text import Text
from gitgpu.load.yaml import parse

LABELS = Path(__file__).parents[2] / "catalog" / "labels" / "karpenter.yaml"
EXAMPLES = sorted(Path(__file__).with_name("examples").glob("*.yaml"))
KUBERNETES = "1.34"


@cache
def measure() -> Norms:
    """The norms, built once for all tests."""
    return norms(Schemas(), yaml.safe_load(LABELS.read_text("utf-8")))


def manifests(text: str, role: Role = Role.RESOURCE) -> list[Manifest]:
    """Every document of a YAML text as a manifest of one cluster."""
    documents, faults = parse(Text("objects.yaml", text, "objects.yaml"))
    assert not faults, faults
    return [Manifest("prod-swc", Layer.NODES, one.data, one.places.span(), role) for one in documents if one.data]


def conformed(text: str, role: Role = Role.RESOURCE, kubernetes: str = KUBERNETES) -> list[Diagnostic]:
    """What `conform` says about the objects of a YAML text."""
    return conform(manifests(text, role), kubernetes, measure())


def example_bodies() -> list[dict[str, Any]]:
    """All example objects."""
    return [dict(manifest.body) for path in EXAMPLES for manifest in manifests(path.read_text("utf-8"))]


def label(body: dict[str, Any]) -> str:
    """A test id for an object."""
    return f"{body['apiVersion']}-{body['kind']}"
