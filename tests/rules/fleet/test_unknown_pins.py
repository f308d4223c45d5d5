"""A pin that is not in the catalog is one error. No rule checks the newest version instead."""

import re

import pytest
import yaml

from gitgpu.diagnostic import Diagnostic
from gitgpu.load.spec.shape import shape
from gitgpu.load.text import Text
from gitgpu.model.link import link
from gitgpu.rules.fleet_findings import fleet_findings
from tests.helping.cases import for_each
from tests.rules.fleet.examples import BASE, CATALOG, RULES, day

UNKNOWN = "99.0.0"
SOFTWARE = sorted({*CATALOG.names("charts"), *CATALOG.names("containers")})
NEWEST = {name: version for name in SOFTWARE if re.search(r"\d+\.\d+\.\d+", version := CATALOG.version(name))}
EXAMPLES = [(rule, text) for rule in RULES for text in rule.bad_examples]


def findings(text: str, *, pinned: bool) -> list[Diagnostic]:
    """The findings of the rules about an example. If `pinned`, all software is pinned to an unknown version."""
    documents = list(yaml.load_all(text, yaml.CSafeLoader))
    written = {document["kind"] for document in documents}
    documents += [yaml.load(base, yaml.CSafeLoader) for kind, base in BASE.items() if kind not in written]
    for document in documents:
        if document["kind"] == "Cluster" and pinned:
            document["spec"].setdefault("stack", {})["versions"] = dict.fromkeys(SOFTWARE, UNKNOWN)
    shaped, faults = shape([Text("fleet.yaml", yaml.dump_all(documents, Dumper=yaml.CSafeDumper), "fleet.yaml")])
    inputs, unlinked = link(shaped, CATALOG, day(text))
    assert inputs is not None
    assert [*faults, *unlinked] == []
    return list(fleet_findings(inputs))


def codes(text: str, *, pinned: bool) -> set[str]:
    """The codes of the findings."""
    return {finding.code for finding in findings(text, pinned=pinned)}


@for_each("code", ["AMD001", "DRV003", "DRV004", "DRV012", "DRV060", "KTO002", "KTO003", "KTO004", "KTO014", "REG004"])
def test_rules_about_a_version_are_silent_where_it_is_unknown(code: str) -> None:
    """They do report their examples, in which the software is not pinned."""
    [rule] = [rule for rule in RULES if rule.code == code]
    assert code in codes(rule.bad, pinned=False)
    reported = codes(rule.bad, pinned=True)
    assert "VER002" in reported
    assert code not in reported


@pytest.mark.parametrize(
    ("software", "expected"),
    [("gpu-operator", {"VER002", "AMD001"}), ("amd-gpu-operator", {"VER002"})],
)
def test_the_pin_of_an_operator_applies_to_the_gpus_of_its_manufacturer(software: str, expected: set[str]) -> None:
    [rule] = [rule for rule in RULES if rule.code == "AMD001"]
    cluster = BASE["Cluster"].replace('"1.36"}', f'"1.36", stack: {{versions: {{{software}: v99.0.0}}}}}}')
    assert {"VER002", "AMD001"} & codes(f"{rule.bad}---\n{cluster}", pinned=False) == expected


def test_the_driver_of_aks_is_checked_whatever_operator_is_pinned() -> None:
    [rule] = [rule for rule in RULES if rule.code == "DRV005"]
    assert "driver: operator" not in rule.bad
    assert {"VER002", "DRV005"} <= codes(rule.bad, pinned=True)


def test_settings_of_an_unknown_version_are_not_checked() -> None:
    [rule] = [rule for rule in RULES if rule.code == "VER003"]
    pins = "{gpu-operator: v26.3.3, dra-driver-nvidia-gpu: 0.4.0}"
    assert "VER003" in codes(rule.bad, pinned=False)
    for unknown in ("{gpu-operator: v99.0.0, dra-driver-nvidia-gpu: 0.4.0}", pins.replace("0.4.0", UNKNOWN)):
        reported = codes(rule.bad.replace(pins, unknown), pinned=False)
        assert ("VER002" in reported, "VER003" in reported) == (True, False)


def test_no_finding_replaces_an_unknown_version_with_the_newest() -> None:
    for rule, text in EXAMPLES:
        for finding in findings(text, pinned=True):
            named = [name for name, version in NEWEST.items() if version in finding.message]
            assert finding.code == "VER002" or not named, (rule.code, finding)
