"""Manifests from YAML text, the schemas of this release, and the example objects in this folder."""

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from gitgpu.diagnostic import Diagnostic
from gitgpu.load.catalog.rows import CatalogFiles
from gitgpu.load.parse.yaml import parse
from gitgpu.load.schemas import Schemas
from gitgpu.load.text import Text
from gitgpu.model.catalog import Catalog
from gitgpu.objects.norms import Norms
from gitgpu.objects.objects import Given
from gitgpu.rules.norms import norms
from gitgpu.rules.object_findings import object_findings
from gitgpu.rules.object_rulebook import object_rules
from gitgpu.source import SourceMap, Span

EXAMPLES = sorted(Path(__file__).with_name("examples").glob("*.yaml"))
KUBERNETES = "1.34"


@cache
def shared_norms() -> Norms:
    """The norms that are passed to rules, built once for all tests: for clusters with the newest releases.

    Any release of Flux and Argo CD may run: examples have API versions that the newest Flux no longer serves, and
    differences that only older releases of Argo CD show.
    """
    shared = norms(Schemas(), Catalog(CatalogFiles()))
    projects = [name for name in shared.contracts.projects() if name not in ("argo-cd", "flux")]
    return replace(shared, versions=tuple((name, (shared.contracts.releases(name).newest,)) for name in projects))


def read(text: str, *, patch: bool = False) -> list[Given]:
    """Every document of a YAML text."""
    documents, faults = parse(Text("objects.yaml", text, "objects.yaml"))
    assert not faults, faults
    return [Given(document.data, document.places, patch) for document in documents if document.data]


def bad_example(code: str, number: int = 1) -> str:
    """A bad example of a rule, by number: the first one, or a variant."""
    return next(rule.bad_examples[number - 1] for rule in object_rules() if rule.code == code)


def somewhere(*bodies: dict[str, Any], patch: bool = False) -> list[Given]:
    """Manifests of objects that are not in a file."""
    return [Given(body, SourceMap.of(Span("f", 1, 1)), patch) for body in bodies]


def conformed(text: str, *, patch: bool = False, kubernetes: str = KUBERNETES) -> list[Diagnostic]:
    """The findings of `conform` about the objects in a YAML text."""
    return list(_conformed(text, patch, kubernetes))


@cache
def _conformed(text: str, patch: bool, kubernetes: str) -> tuple[Diagnostic, ...]:
    return tuple(object_findings(read(text, patch=patch), kubernetes, shared_norms()))


def example_bodies() -> list[dict[str, Any]]:
    """All example objects."""
    return [dict(given.body) for path in EXAMPLES for given in read(path.read_text("utf-8"))]


def label(body: dict[str, Any]) -> str:
    """A test id for an object."""
    return f"{body['apiVersion']}-{body['kind']}"
