"""Rule folders are not run again on objects in which they found nothing."""

import pytest

from gitgpu.diagnostic import Diagnostic
from gitgpu.load.parse.yaml import parse
from gitgpu.load.schemas import Schemas
from gitgpu.load.text import Text
from gitgpu.model.catalog import catalog
from gitgpu.objects.items import as_on_any_cluster, gather, item_of
from gitgpu.objects.objects import Given, Objects
from gitgpu.rules import clean_folders
from gitgpu.rules.norms import own_norms
from gitgpu.rules.object_findings import object_findings
from gitgpu.rules.object_rule import Rule, diagnose, diagnose_all
from gitgpu.rules.object_rulebook import folders, object_rules, rules_about_ours
from tests.helping.cases import for_each
from tests.rules.objects.samples import KUBERNETES, read, shared_norms

CLUSTER = """\
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: t4}
spec:
  template:
    spec:
      nodeClassRef: {group: karpenter.azure.com, kind: AKSNodeClass, name: t4}
      requirements:
      - {key: karpenter.azure.com/sku-name, operator: In, values: [Standard_NC16as_T4_v3]}
  limits: {nvidia.com/gpu: "8"}
---
apiVersion: karpenter.azure.com/v1beta1
kind: AKSNodeClass
metadata: {name: t4}
spec: {}
"""
BROKEN = CLUSTER.replace("karpenter.azure.com/sku-name", "karpenter.sh/nodepool")
KUSTOMIZATION = """\
---
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: fleet, namespace: flux-system}
spec:
  interval: 10m
  prune: true
  sourceRef: {kind: GitRepository, name: fleet}
  path: ./%s
  timeout: %s
"""
APPLICATION = """\
---
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {{name: fleet-{0}, namespace: argocd}}
spec:
  project: default
  source: {{repoURL: https://example.com/fleet, path: overlays/{0}, targetRevision: main}}
  destination: {{name: {0}}}
"""
FOLDER_OF = {rule.code: rule.check.__module__.split(".")[-2] for rule in object_rules()}


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The codes of the rules that run, in order."""
    codes: list[str] = []

    def counted(rule: Rule, objects: Objects) -> list[Diagnostic]:
        codes.append(rule.code)
        return diagnose(rule, objects)

    monkeypatch.setattr(clean_folders, "diagnose", counted)
    return codes


def given(text: str) -> list[Given]:
    """The objects of a cluster, freshly read."""
    documents, faults = parse(Text("fleet.yaml", text, "fleet.yaml"))
    assert faults == []
    return [Given(document.data, document.places) for document in documents]


def test_a_folder_runs_once_on_equal_objects(run: list[str]) -> None:
    known = own_norms(Schemas(), catalog(()))
    assert object_findings(given(CLUSTER), "1.34", known) == []
    first = len(run)
    assert first > 20
    assert object_findings(given(CLUSTER), "1.34", known) == []
    assert len(run) == first
    assert object_findings(given(CLUSTER), "1.35", known) == []
    assert len(run) == 2 * first


def test_a_limited_number_of_clusters_is_remembered(run: list[str]) -> None:
    known = own_norms(Schemas(), catalog(()))
    clusters = [CLUSTER.replace("name: t4", f"name: t4-{number}") for number in range(65)]
    for text in clusters:
        assert object_findings(given(text), "1.34", known) == []
    before = len(run)
    object_findings(given(clusters[63]), "1.34", known)
    assert len(run) == before
    object_findings(given(clusters[64]), "1.34", known)
    assert len(run) > before


def test_only_folders_that_read_a_changed_object_run_again(run: list[str]) -> None:
    known = own_norms(Schemas(), catalog(()))
    assert object_findings(given(CLUSTER + KUSTOMIZATION % ("a", "1m")), "1.34", known) == []
    before = len(run)
    assert object_findings(given(CLUSTER + KUSTOMIZATION % ("a", "2m")), "1.34", known) == []
    again = set(run[before:])
    assert again
    assert len(again) < before / 2


def test_no_rule_runs_again_for_another_path_of_a_kustomization(run: list[str]) -> None:
    known = own_norms(Schemas(), catalog(()))
    assert object_findings(given(CLUSTER + KUSTOMIZATION % ("a", "1m")), "1.34", known) == []
    before = len(run)
    assert object_findings(given(CLUSTER + KUSTOMIZATION % ("b", "1m")), "1.34", known) == []
    assert len(run) == before


def test_rules_of_few_folders_run_again_for_the_application_of_another_cluster(run: list[str]) -> None:
    known = own_norms(Schemas(), catalog(()))
    assert object_findings(given(CLUSTER + APPLICATION.format("a")), "1.34", known) == []
    first = len(run)
    assert object_findings(given(CLUSTER + APPLICATION.format("b")), "1.34", known) == []
    before, again = ({FOLDER_OF[code] for code in codes} for codes in (run[:first], run[first:]))
    assert {name for name in again if not folders()[name].reads(("*", "*"))} == set()
    assert "nodepools" in before - again


def test_an_application_with_a_chart_is_judged_on_each_cluster() -> None:
    known = own_norms(Schemas(), catalog(()))
    helm = "chart: gpu-operator, targetRevision: v26.7.0, helm: {valuesObject: {toolkit: {enabled: true}}}"
    with_chart = APPLICATION.format("a").replace("path: overlays/a, targetRevision: main", helm)
    assert object_findings(given(CLUSTER + with_chart), "1.34", known) == []
    clash = with_chart.replace("{enabled: true}", "{enabled: false}, cdi: {nriPluginEnabled: true, enabled: true}")
    assert "STK019" in [fault.code for fault in object_findings(given(CLUSTER + clash), "1.34", known)]


def test_a_path_that_does_not_fit_the_schema_is_reported() -> None:
    known = own_norms(Schemas(), catalog(()))
    objects = given(KUSTOMIZATION.replace("./%s", "[%s]") % ("a", "1m"))
    assert [fault.pointer for fault in object_findings(objects, "1.34", known)] == ["/spec/path"]


def objects_of(written: list[Given]) -> Objects:
    items = [item_of(manifest, KUBERNETES, shared_norms())[0] for manifest in written]
    return gather(items, KUBERNETES, shared_norms(), closed=True)


EXAMPLES = {text for rule in object_rules() for text in (*rule.bad_examples, *rule.good_examples) if "path: " in text}


@for_each("text", sorted(text for text in EXAMPLES if "kind: Kustomization" in text))
def test_rules_about_our_own_objects_do_not_read_the_path_of_a_kustomization(text: str) -> None:
    written = read(text)
    objects, without_path = objects_of(written), objects_of(list(map(as_on_any_cluster, written)))
    assert objects.items != without_path.items
    rules = rules_about_ours(objects)
    assert diagnose_all(rules, without_path) == diagnose_all(rules, objects)


def test_findings_are_reported_for_each_cluster_and_as_without_memory() -> None:
    known = own_norms(Schemas(), catalog(()))
    for text in (CLUSTER, BROKEN, CLUSTER, BROKEN, BROKEN):
        fresh = object_findings(given(text), "1.34", own_norms(Schemas(), catalog(())))
        assert object_findings(given(text), "1.34", known) == fresh
        assert bool(fresh) == (text is BROKEN)


@for_each("folder", [name for name, kinds in folders().items() if not kinds.reads(("*", "*"))])
def test_most_rules_read_nothing_of_an_application_without_a_chart(folder: str) -> None:
    for rule in object_rules():
        if FOLDER_OF[rule.code] == folder:
            alone, beside = objects_of(read(rule.bad)), objects_of(read(f"{rule.bad}{APPLICATION.format('a')}"))
            diagnostics = diagnose_all([rule], alone)
            assert diagnostics, rule.code
            assert diagnose_all([rule], beside) == diagnostics, rule.code
