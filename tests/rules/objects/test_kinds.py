"""Rule folders declare the kinds that their rules read. Objects of other kinds do not change the findings."""

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import product
from typing import Any

import pytest

from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.objects.items import gather, item_of
from gitgpu.objects.objects import Identity, Item, Objects
from gitgpu.rules.kinds import Kind, Kinds
from gitgpu.rules.object_rule import Rule, diagnose
from gitgpu.rules.object_rulebook import (
    concerned_folders,
    folders,
    kinds_of,
    object_rules,
    rules_about,
    rules_about_ours,
    rules_in,
)
from tests.rules.objects.samples import KUBERNETES, read, shared_norms

FOLDERS = folders()
RULES = object_rules()
MAY_BE_ERRORS = ("CNF", "APL103", "APL107", "APL113")  # an error where the excluded namespaces are known
each_folder = pytest.mark.parametrize("folder", FOLDERS)


class Recorded(dict[Kind, list[Item]]):
    """The objects by kind; records the kinds that a rule asks for."""

    def __init__(self, known: dict[Kind, list[Item]]) -> None:
        super().__init__(known)
        self.asked: set[Kind] = set()

    def get(self, kind: Kind, default: Any = None) -> Any:
        """The objects of a kind."""
        self.asked.add(kind)
        return super().get(kind, default)


def items(text: str) -> list[Item]:
    """The objects of an example."""
    norms = shared_norms()
    return [item_of(given, norms.contracts.clamp(KUBERNETES), norms)[0] for given in read(text)]


@cache
def examples() -> list[tuple[Rule, list[Item]]]:
    """Every rule with the objects of each of its examples."""
    return [(rule, items(text)) for rule in RULES for text in (*rule.bad_examples, *rule.good_examples)]


def of_folder(folder: str) -> list[tuple[Rule, list[Item]]]:
    """The rules of a folder with the objects of their examples."""
    mine = set(rules_in(frozenset({folder})))
    return [(rule, objects) for rule, objects in examples() if rule in mine]


def seen(objects: list[Item], *, closed: bool = True) -> Objects:
    """The objects as a rule gets them, with empty caches."""
    return gather(objects, KUBERNETES, shared_norms(), closed=closed)


def diagnostics(rule: Rule, objects: list[Item]) -> list[Diagnostic]:
    """The findings of a rule about objects as a whole cluster, and as part of a cluster."""
    return [fault for closed in (True, False) for fault in diagnose(rule, seen(objects, closed=closed))]


def visible(objects: list[Item], declared: Kinds) -> list[Item]:
    """The objects of the kinds that a folder declares."""
    return [item for item in objects if declared.reads(item.identity[:2])]


@each_folder
def test_rules_find_the_same_when_only_the_declared_kinds_are_visible(folder: str) -> None:
    for rule, objects in of_folder(folder):
        assert diagnostics(rule, visible(objects, FOLDERS[folder])) == diagnostics(rule, objects), rule.code


@each_folder
def test_rules_ask_only_for_declared_kinds(folder: str) -> None:
    for rule, objects in of_folder(folder):
        for closed in (True, False):
            given = seen(objects, closed=closed)
            recorded = Recorded(given.sorted)
            list(rule.check(replace(given, sorted=recorded)))
            assert {kind for kind in recorded.asked if not FOLDERS[folder].reads(kind)} == set(), rule.code


@each_folder
def test_findings_are_at_objects_of_the_kinds_that_the_folder_is_about(folder: str) -> None:
    mine = rules_in(frozenset({folder}))
    for _, objects in examples():
        if not FOLDERS[folder].concern(frozenset(item.identity[:2] for item in objects)):
            given = seen(objects)
            assert [fault for rule in mine for fault in diagnose(rule, given)] == []


@each_folder
def test_each_finding_is_at_a_kind_that_the_folder_is_about(folder: str) -> None:
    about = FOLDERS[folder]
    for rule, objects in of_folder(folder):
        at = {finding.item.identity[:2] for finding in rule.check(seen(objects))}
        assert {kind for kind in at if not about.concern(frozenset({kind}))} == set(), rule.code


@each_folder
def test_a_missing_declaration_is_detected(folder: str) -> None:
    """Without the kinds that findings are at, no example has a finding: hiding a declared kind has an effect."""
    about = FOLDERS[folder]._replace(context=frozenset())
    for rule, objects in of_folder(folder):
        left = [item for item in objects if not about.reads(item.identity[:2])]
        assert diagnostics(rule, left) == []
    assert any(diagnostics(rule, objects) for rule, objects in of_folder(folder))


class Listed(tuple[Item, ...]):
    """All objects; records whether a rule reads them."""

    read = False

    def __iter__(self) -> Iterator[Item]:
        self.read = True
        return super().__iter__()


class Present(frozenset[Identity]):
    """The identities of all objects; records whether a rule reads them."""

    read = False

    def __iter__(self) -> Iterator[Identity]:
        self.read = True
        return super().__iter__()

    def __contains__(self, identity: object) -> bool:
        self.read = True
        return super().__contains__(identity)


def empty_clusters() -> Iterator[Objects]:
    """Empty clusters, in all combinations of the facts that a rule can test before it reads an object."""
    for closed, beyond, today, minor in product(
        (True, False), (frozenset(), frozenset({("*", "*")})), ("", "2026-11-23", "2040-01-01"), ("1.28", KUBERNETES)
    ):
        norms = shared_norms()
        facts = (norms.catalog, norms.kinds, minor, today, closed)
        yield Objects((), frozenset(), *facts, run_cache=norms.run_cache, beyond=beyond)


def asked_first(rule: Rule) -> set[Kind]:
    """The kinds that a rule asks for on an empty cluster; ("*", "*") if it reads objects in another way."""
    kinds: set[Kind] = set()
    for objects in empty_clusters():
        every, present, recorded = Listed(), Present(), Recorded({})
        given = replace(objects, items=every, present=present, sorted=recorded, cache={"patches": recorded})
        every.read = False  # `Objects` has sorted them
        list(rule.check(given))
        kinds |= recorded.asked | ({("*", "*")} if every.read or present.read else set())
    return kinds


@each_folder
def test_rules_without_what_they_ask_for_first_see_an_empty_cluster(folder: str) -> None:
    """On a cluster without these kinds, a rule behaves as on an empty one, so all that it reads is recorded here."""
    for rule in rules_in(frozenset({folder})):
        first = FOLDERS[folder].first.get(rule.check.__module__.rpartition(".")[2])
        if first is not None:
            assert asked_first(rule) <= first, rule.code


def test_a_rule_that_reads_all_objects_is_detected() -> None:
    reading = {rule.code for rule in RULES if ("*", "*") in asked_first(rule)}
    assert {"CNF005", "GIT011"} <= reading  # they read the labels of every object; the namespaces that are present


@each_folder
def test_each_declared_rule_is_a_rule_of_the_folder(folder: str) -> None:
    modules = {rule.check.__module__.rpartition(".")[2] for rule in rules_in(frozenset({folder}))}
    assert set(FOLDERS[folder].first) <= modules


def test_rules_that_are_not_imported_find_nothing_in_any_example() -> None:
    for _, objects in examples():
        given = seen(objects)
        left = set(rules_about(frozenset(item.identity[:2] for item in given.items)))
        for rule in RULES:
            assert rule in left or not diagnose(rule, given), rule.code


def test_rules_about_our_own_objects_are_the_errors_and_every_cnf_code() -> None:
    for _, objects in examples():
        given = seen(objects)
        about = rules_about(kinds_of(given))
        ours = [rule for rule in about if rule.severity is Severity.ERROR or rule.code.startswith(MAY_BE_ERRORS)]
        assert list(rules_about_ours(given)) == ours


def test_only_folders_that_concern_present_kinds_are_imported() -> None:
    concerned_by_pools = concerned_folders(frozenset({("karpenter.sh", "NodePool")}))
    assert {"nodepools", "requirements", "sizes", "kubernetes"} <= concerned_by_pools
    assert not {"kaito", "keda", "keda_triggers", "placement", "rdma"} & concerned_by_pools


def test_only_rules_that_ask_for_present_kinds_are_imported() -> None:
    program = (
        "import sys; from gitgpu.rules.object_rulebook import rules_about\n"
        "rules_about(frozenset({('karpenter.sh', 'NodePool')}))\n"
        "print(*(name.rpartition('.')[2] for name in sys.modules if name.startswith('gitgpu.rules.objects.')))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    imported = set(done.stdout.split())
    assert {"nodepools", "pool_without_taint", "invalid_label"} <= imported
    assert not {"invalid_node_overlay", "invalid_cronjob_schedule", "retired_gpu_image"} & imported


def test_rules_that_are_only_warnings_are_not_imported_for_our_own_objects() -> None:
    program = (
        "import sys; from gitgpu.rules import object_rulebook\n"
        "object_rulebook._rules_about_ours(frozenset({('karpenter.sh', 'NodePool')}))\n"
        "print(*(name.rpartition('.')[2] for name in sys.modules if name.startswith('gitgpu.rules.objects.')))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    imported = set(done.stdout.split())
    assert "invalid_label" in imported
    assert "pool_without_taint" not in imported
