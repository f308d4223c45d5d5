"""Adds the bad example of every rule to real input: as an extra file in an overlay, or extra documents in the fleet."""

from functools import cache
from typing import Any

from gitgpu.diagnostic import Diagnostic, ObjectRef
from gitgpu.load.spec.shape import Document, shape
from gitgpu.load.text import Text
from gitgpu.model.link import link
from gitgpu.objects.manifest.manifests import Manifests, read_manifests
from gitgpu.rule import Rule
from gitgpu.rules.fleet_findings import fleet_findings
from gitgpu.rules.fleet_rule import diagnose
from gitgpu.runs.lint import LintOptions, lint
from tests.helping.mutations import FLEET, ROOT, overlay, todays_norms, with_file
from tests.rules.fleet.examples import BASE, CATALOG, day
from tests.rules.named_examples import only

CLUSTERS = ("overlays/lab-weu", "overlays/prod-eus", "overlays/prod-swc")
ALONE = {
    "GIT015": "the overlay has a repository of its own, and the example's path is the whole of one",
    "GIT017": "the overlay applies its charts and its objects in layers of their own",
    "KED021": "the GPUs of the overlay's pools are enough for the replicas",
    "KED025": "the overlay brings what answers for the metric",
    "MON002": "the overlay's exporter exports the counter",
    "MON006": "the overlay's monitor keeps the labels",
    "MON017": "the overlay's exporter says which pod uses a GPU",
    "MON019": "the overlay's monitor selects the overlay's exporter",
    "MON007": "the overlay's exporter sets the labels",
    "MON009": "the overlay's exporter may profile",
    "NPL026": "the overlay's pools are not identical to it, and it is reported on a cluster without others",
    "POD036": "the overlay's device plugin tolerates the taints of all pools",
    "POD096": "a NodePool of the overlay can start a node for the pod",
    "POD106": "the pod fits a NodePool of the overlay too",
    "SHR007": "the overlay's nodes choose among several configs",
    "STK038": "a NodePool of the overlay has nodes with the AKS driver",
    "STK027": "the overlay's nodes have the other driver root",
    "MON099": "an exporter of the overlay knows the shares",
    "MON090": "the overlay's exporter has the right",
    "SHR090": "the overlay has a device plugin that shares nothing",
    "SHR091": "the overlay has a device plugin that shares nothing",
}


def in_overlays(rule: Rule[Any, Any]) -> bool:
    """Whether lint reports the example in an overlay, as part of a cluster or as all of it."""
    return any(
        rule.code not in before(cluster, closed=closed)
        and rule.code in _codes(_joined(cluster, rule.bad), LintOptions("1.36", closed=closed), rule)
        for cluster in CLUSTERS
        for closed in (True, False)  # most rules report more of a whole cluster
    )


def alone(rule: Rule[Any, Any]) -> bool:
    """Whether lint reports the example when it is the whole cluster."""
    alone = read_manifests([Text("extra.yaml", rule.bad, "extra.yaml")])
    return rule.code in _codes(alone, LintOptions("1.36", closed=True), rule)


def in_fleet(rule: Rule[Any, Any]) -> bool:
    """Whether the rule reports its example in the example fleet."""
    inputs, unlinked = link(_merged(rule.bad), CATALOG, day(rule.bad))
    assert inputs is not None
    doubtful = {fault.object for fault in unlinked}
    found = fleet_findings(inputs, doubtful) if doubtful else diagnose(rule, inputs)
    return rule.code in {finding.code for finding in found}


@cache
def before(cluster: str, *, closed: bool) -> set[str]:
    """The codes found in the unchanged overlay. As a whole cluster it has some: its workloads are kept elsewhere."""
    read = read_manifests(Text(name, content, name) for name, content in overlay(cluster))
    return _codes(read, LintOptions("1.36", closed=closed))


def _merged(text: str) -> list[Document]:
    """The fleet with these documents. Each replaces the one of the same kind and name; a Fleet replaces any Fleet."""
    new = _documents(text)
    taken = {_key(document) for document in new}
    there = (*_documents((ROOT / FLEET).read_text("utf-8")), *_documents(BASE["GpuPool"]))
    return [*(document for document in there if _key(document) not in taken), *new]


@cache
def _documents(text: str) -> tuple[Document, ...]:
    documents, faults = shape([Text(FLEET, text, FLEET)])
    assert not faults, faults
    return tuple(documents)


def _key(document: Document) -> ObjectRef:
    return document.ref._replace(name="") if document.kind == "Fleet" else document.ref


def _joined(cluster: str, text: str) -> Manifests:
    """The overlay with one more file, which is listed in its kustomization.yaml."""
    return with_file(_with_empty_file(cluster), _extra(cluster, text))


@cache
def _with_empty_file(cluster: str) -> Manifests:
    index = f"{cluster}/kustomization.yaml"
    listed = ((name, f"{text}- extra.yaml\n" if name == index else text) for name, text in overlay(cluster))
    return read_manifests([*(Text(name, text, name) for name, text in listed), _extra(cluster, "")])


def _extra(cluster: str, text: str) -> Text:
    return Text(f"{cluster}/extra.yaml", text, f"{cluster}/extra.yaml")


def _codes(manifests: Manifests, asked: LintOptions, rule: Rule[Any, Any] | None = None) -> set[str]:
    """The codes that lint reports. With a rule, only this rule runs, and only if these objects select it."""
    norms = only(rule, todays_norms()) if rule else todays_norms()
    diagnostics: tuple[Diagnostic, ...] = lint(manifests, (), norms, asked).diagnostics
    return {finding.code for finding in diagnostics}
