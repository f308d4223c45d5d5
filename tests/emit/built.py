"""The result of building a fleet as lines: faults, findings, object values, pages; and how two results differ."""

import json
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from gitgpu.adjust import adjustment_faults
from gitgpu.diagnostic import ObjectRef, Severity, worst
from gitgpu.emit import emit, pages
from gitgpu.emit.manifest import Manifest
from gitgpu.load.schemas import Schemas
from gitgpu.load.spec.shape import shape
from gitgpu.load.text import Text
from gitgpu.model.link import link
from gitgpu.patch import apply_patches
from gitgpu.plan.cluster_plan import plan
from gitgpu.rules.fleet_findings import fleet_findings
from gitgpu.rules.norms import norms
from gitgpu.source import Pointer
from tests.emit.fleets import CATALOG, EMITTERS, Body
from tests.helping.nested import entries

_WIDTH = 160  # characters of a recorded value; longer ones are cut
_DIGEST = re.compile("@sha256:[0-9a-f]{64}")
MEASURE = norms(Schemas(), CATALOG, "")


@lru_cache(2)
def _lines(text: str) -> list[str]:
    return text.splitlines()


class Built(NamedTuple):
    """The result of a build: the messages of faults that stop it, or findings, objects and pages."""

    text: str
    faults: tuple[str, ...] = ()
    findings: tuple[tuple[str, ObjectRef], ...] = ()
    manifests: tuple[Manifest, ...] = ()
    pages: tuple[tuple[str, str], ...] = ()

    @property
    def outcome(self) -> object:
        """Everything that a user sees."""
        objects = [(each.role, each.layer, each.body) for each in self.manifests]
        return self.faults, self.findings, objects, self.pages

    def parts(self) -> Iterator[tuple[str, list[str]]]:
        """The outcome in lines, by what they are of: values of an object come with the key of the spec that decides."""
        yield "faults", [*self.faults]
        yield "findings", [f"{code} {about.kind} {about.name}" for code, about in self.findings]
        for manifest in self.manifests:
            about, folder = manifest.ref, f"/{manifest.folder}" if manifest.folder else ""
            name = f"{manifest.layer}{folder} {manifest.role} {about.kind} {about.namespace}/{about.name}"
            yield name, [self._line(manifest, *leaf) for leaf in leaves(manifest.body)]
        yield from ((page, text.splitlines()) for page, text in self.pages)

    def _line(self, manifest: Manifest, pointer: Pointer, value: Any) -> str:
        text = _DIGEST.sub("@sha256", f"{'.'.join(map(str, pointer))}: {json.dumps(value)}")
        return f"{text[:_WIDTH]}{self._decided(manifest, pointer)}"

    def _decided(self, manifest: Manifest, pointer: Pointer) -> str:
        if manifest.places is None:
            return ""
        _, line, column = manifest.places.span(pointer, key=True)
        return f"  <- {_lines(self.text)[line - 1][column - 1 :][:24]}"


def leaves(value: Any, at: Pointer = ()) -> Iterator[tuple[Pointer, Any]]:
    """The scalar and empty values in a body, with their pointers."""
    inner = list(entries(value))
    for key, below in inner:
        yield from leaves(below, (*at, key))
    if not inner:
        yield at, value


def built(documents: list[Body]) -> Built:
    """The result of building documents."""
    return built_text("\n---\n".join(map(json.dumps, documents)))


def built_text(text: str) -> Built:
    """The findings about a fleet, and without errors the objects and pages of its cluster as well."""
    shaped, misshapen = shape([Text("fleet.yaml", text, "fleet.yaml")])
    inputs, unlinked = link(shaped, CATALOG)
    if misshapen or unlinked or inputs is None:
        return Built(text, tuple(diagnostic.message for diagnostic in (*misshapen, *unlinked)))
    diagnostics = fleet_findings(inputs, frozenset()) or adjustment_faults(inputs, MEASURE)
    codes = tuple(sorted((finding.code, finding.object) for finding in diagnostics))
    if worst(diagnostics) is Severity.ERROR:
        return Built(text, findings=codes)
    decided = plan(inputs, inputs.clusters[0])
    manifests = tuple(apply_patches(emit(decided, EMITTERS), decided).manifests)
    return Built(text, (), codes, manifests, tuple((page.name, page.write(decided)) for page in pages()))


def differences(bare: Built, changed: Built, seen: set[str]) -> Iterator[str]:
    """What a change of the documents removes from the outcome, and what it adds; nothing that is in `seen`."""
    before, after = dict(bare.parts()), dict(changed.parts())
    # A build that stops has only faults and findings.
    for name in {**before, **after} if changed.manifests else ("faults", "findings"):
        if name not in after:
            yield f"  - {name}"
            continue
        old, new = before.get(name, []), after[name]
        gone, added = set(old).difference(new), set(new).difference(old)
        changes = [f"    - {line}" for line in old if line in gone] + [f"    + {line}" for line in new if line in added]
        shown = [line for line in changes if f"{name} {line}" not in seen]
        seen.update(f"{name} {line}" for line in shown)
        if changes:
            yield f"  {name}{'' if len(shown) == len(changes) else f', and {len(changes) - len(shown)} as above'}"
        yield from shown
