"""Fleets from the example texts of rules, through the real loader and the real catalog."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from gitgpu.diagnostic import Diagnostic, in_order
from gitgpu.load.catalog.folders import Folder
from gitgpu.load.catalog.rows import CatalogFiles
from gitgpu.load.spec.shape import KINDS, Document, shape
from gitgpu.load.text import Text
from gitgpu.model.catalog import Catalog
from gitgpu.model.inputs import Inputs
from gitgpu.model.link import link
from gitgpu.report import render
from gitgpu.report.findings import Findings, Style
from gitgpu.rule import Rule
from gitgpu.rules.fleet_findings import fleet_findings
from gitgpu.rules.fleet_rulebook import fleet_rules

INVENTED = str(Path(__file__).parent / "catalog")  # invented sizes in states that no real size is in today
BASE = {
    "Fleet": """\
apiVersion: gitgpu.dev/v1alpha1
kind: Fleet
metadata: {name: example}
spec: {delivery: {repository: https://github.com/contoso/gpu-fleet}}
""",
    "Cluster": """\
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {name: prod-swc}
spec: {region: swedencentral, kubernetesVersion: "1.36"}
""",
    "GpuPool": """\
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: t4}
spec: {clusters: [prod-swc], sku: Standard_NC16as_T4_v3, limits: {gpus: 8}}
""",
}
CATALOG = Catalog(CatalogFiles([Folder(INVENTED, "mine")]))
RULES = fleet_rules()
CLOCK = "# gitgpu validate --today "  # first line of an example that depends on the date


def inputs_of(text: str) -> Inputs:
    """The linked fleet of an example, on its date. Documents of omitted kinds come from the base."""
    documents = example_documents(text)
    inputs, faults = link(documents, CATALOG, day(text))
    assert not faults, faults
    assert inputs is not None
    assert not CATALOG.files.faults, CATALOG.files.faults
    return inputs


def day(text: str) -> str:
    """The date of an example, or "" if it does not depend on the date."""
    first = text.partition("\n")[0]
    return first.removeprefix(CLOCK) if first.startswith(CLOCK) else ""


def example_documents(text: str, file: str = "fleet.yaml") -> list[Document]:
    """The documents of an example, and those of the base for kinds that it omits."""
    documents = [*_documents(Text(file, text, file))]
    written = {document.kind for document in documents}
    for kind, base in BASE.items():
        if kind not in written:
            documents += _documents(Text("base.yaml", base, "base.yaml"))
    return documents


@cache
def _documents(text: Text) -> tuple[Document, ...]:
    documents, faults = shape([text])
    assert not faults, faults
    assert all(document.kind in KINDS for document in documents)
    return tuple(documents)


@cache
def findings(text: str) -> tuple[Diagnostic, ...]:
    """The findings of all rules about an example."""
    return in_order(fleet_findings(inputs_of(text)))


def findings_in(rule: Rule[Any, Any], text: str) -> tuple[Diagnostic, ...]:
    """The findings of one rule about an example."""
    return tuple(finding for finding in findings(text) if finding.code == rule.code)


def rendered(diagnostics: Sequence[Diagnostic], text: str) -> str:
    """The findings as text."""
    shown = Findings(tuple(diagnostics), files=1, objects=1, sources={"fleet.yaml": text})
    return render(shown, "text", Style())
