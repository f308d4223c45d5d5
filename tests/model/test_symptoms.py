"""Error messages that people paste lead to their cause and to the rules that find it."""

import json
import re
from collections.abc import Callable
from itertools import cycle
from pathlib import Path

import yaml
from click.testing import CliRunner

from gitgpu.cli.program import program
from gitgpu.model.catalog import catalog
from gitgpu.model.pasted_text import is_in
from gitgpu.model.symptoms import (
    Symptom,
    found_symptoms,
    has_reason,
    partial_symptoms,
    pasted_symptoms,
    symptom_in,
    symptoms,
)
from gitgpu.rules.fleet_rulebook import fleet_codes
from gitgpu.rules.object_rulebook import object_rules
from tests.helping.cases import for_each

PAGE = Path(__file__).parents[2] / "docs" / "troubleshooting.md"
EVERY = tuple(symptoms(catalog(())))
CODES = fleet_codes() | {rule.code for rule in object_rules()}
# As they are printed, with the parts that differ.
PRINTED = [
    ("insufficient-gpu", "0/7 nodes are available: 2 Insufficient nvidia.com/gpu, 5 node(s) were unschedulable."),
    ("untolerated-taint", "0/3 nodes are available: 3 node(s) had untolerated taint(s). no new claims to deallocate"),
    ("untolerated-taint", "0/5 nodes are available: 5 node(s) had untolerated taint {sku: gpu}. preemption: 0/5 nodes"),
    (
        "exceed-limits",
        'Failed to schedule pod, all available instance types exceed limits for nodepool, NodePool="a100"',
    ),
    ("resource-not-registered", 'Resource "nvidia.com/gpu" was requested but not registered'),
    ("vcpu-quota", "subscription level on-demand vCPU quota for Standard_NC24ads_A100_v4 has been reached"),
    (
        "exceeding-approved-quota",
        "Operation could not be completed as it results in exceeding approved standardNCADSA100v4Family Cores quota.",
    ),
    ("nvml-version-mismatch", "Failed to initialize NVML: Driver/library version mismatch NVML library version: 570.1"),
    (
        "unsatisfied-condition",
        "nvidia-container-cli: requirement error: unsatisfied condition: cuda>=12.8, please update",
    ),
    ("already-managed-by-hpa", "the workload 'chat' of type 'apps/v1.Deployment' is already managed by the hpa 'chat'"),
    (
        "kustomization-path",
        "kustomization path not found: stat /tmp/kustomization-1/overlays: no such file or directory",
    ),
    ("dependency-not-ready", "Not ready: dependency 'flux-system/gpu-nodes' is not ready"),
    ("no-kernel-image", "RuntimeError: CUDA error: no kernel image is available for execution on the device"),
    ("no-runtime-configured", 'unable to get OCI runtime for sandbox: no runtime for "nvidia" is configured'),
]
# The same for other symptoms: a name and a line.
LINES: dict[str, str] = yaml.load(Path(__file__).with_name("pasted.yaml").read_text(encoding="utf-8"), yaml.CSafeLoader)
# All that upstream prints, by its source: the lines of each symptom.
UPSTREAM = yaml.load(Path(__file__).with_name("upstream.yaml").read_text(encoding="utf-8"), yaml.CSafeLoader)
SAID = [(name, line) for rows in UPSTREAM.values() for name, lines in rows.items() for line in lines]
QUOTES = str.maketrans("", "", "'\"`")
# How a line is pasted: from kubectl, a log, JSON, a coloured terminal, a document.
FORMS: list[Callable[[str], str]] = [
    lambda line: f"Warning  FailedScheduling  3m (x5 over 10m)  default-scheduler  {line}",
    lambda line: f"time=2026-11-30T10:00:00Z level=error msg={json.dumps(line)} node=aks-gpu-1",
    lambda line: json.dumps(json.dumps({"message": f"a\n{line}"})),
    lambda line: "\x1b[31m" + line.replace(" ", " \x1b[1m", 1) + "\x1b[0m",
    lambda line: line.replace("'", "\u2019"),
    str.upper,
]


def listed(*arguments: str) -> str:
    """The output of `gitgpu rule list`."""
    done = CliRunner().invoke(program(), ["rule", "list", *arguments])
    assert done.exit_code == 0, done.output
    return done.output


@for_each("symptom", EVERY, ids=[symptom.name for symptom in EVERY])
def test_its_rules_exist_and_it_is_on_the_page(symptom: Symptom) -> None:
    assert set(symptom.rules) <= CODES
    assert symptom in pasted_symptoms(EVERY, f"Warning  Failed  3m (x4 over 10m): {symptom.text.upper()}, 'x' {{a: b}}")
    assert f'<a id="{symptom.name}"></a>\n\n### `{symptom.text}`' in PAGE.read_text(encoding="utf-8")


def test_the_catalog_has_many() -> None:
    assert len(EVERY) >= 40
    texts = [text.lower() for symptom in EVERY for text in symptom.texts]
    assert len(set(texts)) == len(texts)


@for_each(("name", "line"), PRINTED)
def test_a_pasted_line_leads_to_its_symptom_and_rules(name: str, line: str) -> None:
    first, *_ = pasted_symptoms(EVERY, line)
    assert first.name == name
    output = listed(line)
    assert output.startswith(first.text)
    assert first.cause in output.replace("\n", " ")
    assert set(first.rules) <= set(re.findall(r"^[A-Z]{3}\d{3}", output, re.MULTILINE))


@for_each(("name", "line"), LINES.items())
def test_a_line_leads_to_its_symptom_without_quotes_and_with_broken_lines_too(name: str, line: str) -> None:
    broken = "\n    ".join(line[start : start + 37] for start in range(0, len(line), 37))
    for variant in (line, line.translate(QUOTES), line.upper(), f"> {broken}", line.replace(" ", "\n")):
        assert name in [symptom.name for symptom in pasted_symptoms(EVERY, variant)], variant


@for_each(("name", "line"), SAID)
def test_what_upstream_prints_leads_to_its_symptom_first(name: str, line: str) -> None:
    assert [symptom.name for symptom in found_symptoms(EVERY, line)][:1] == [name]


@for_each(("case", "form"), [*zip(SAID, cycle(FORMS), strict=False)])
def test_what_upstream_prints_is_found_as_it_is_pasted(case: tuple[str, str], form: Callable[[str], str]) -> None:
    name, line = case
    if " " in line:
        assert [symptom.name for symptom in found_symptoms(EVERY, form(line))][:1] == [name], form(line)


@for_each(
    ("query", "names"),
    [
        ("Missing", ["health-missing"]),
        ("degraded", ["health-degraded"]),
        ("the value is missing and the service degraded", []),
        ("Init:ImagePullBackOff", ["back-off-pulling", "pull-image"]),
    ],
)
def test_a_reason_that_is_a_common_word_must_be_the_whole_query(query: str, names: list[str]) -> None:
    assert [symptom.name for symptom in found_symptoms(EVERY, query)] == names


@for_each("symptom", EVERY, ids=[symptom.name for symptom in EVERY])
def test_a_part_of_a_text_leads_to_it(symptom: Symptom) -> None:
    words = re.sub(r"<[a-z]+>", "ns/x-1", symptom.text).split()
    if len(words) < 6:
        return
    for part in (words[:-1], words[1:], ["Warning", "Failed", *words[:-1]], [*words[1:], "for", "ns/y-2"]):
        query = " ".join(part)
        found = pasted_symptoms(EVERY, query) or partial_symptoms(EVERY, query)
        assert found, query
        assert symptom in found or is_in(found[0].text, query), query  # the text of another may be a part of it
        assert len(found) <= 4, query


@for_each(
    "line",
    [
        "the database is not ready",
        "the pod failed to start",
        "Warning  ProbeWarning  HTTP probe succeeded with a redirect",
        "error: the path does not exist",
    ],
)
def test_a_few_common_words_lead_nowhere(line: str) -> None:
    assert (pasted_symptoms(EVERY, line) or partial_symptoms(EVERY, line)) == []


def test_a_cut_off_line_shows_the_symptom_and_its_rules() -> None:
    output = listed("Not ready: dependency 'flux-system/gpu-nodes' is not")
    assert output.startswith("dependency '<name>' is not ready\n")
    assert "CNF015" in output


@for_each(
    ("query", "name"),
    [
        ("QuotaExceeded", "vcpu-quota"),
        ("DependencyNotReady", "dependency-not-ready"),
        ("code: ZonalAllocationFailed", "zonal-allocation-failed"),
        ("imagepullbackoff", "pull-image"),
    ],
)
def test_a_reason_leads_to_its_symptom_and_rules(query: str, name: str) -> None:
    [symptom] = (each for each in EVERY if each.name == name)
    output = listed(query)
    assert symptom.text in output.splitlines()
    assert set(symptom.rules) <= set(re.findall(r"^[A-Z]{3}\d{3}", output, re.MULTILINE))


def test_only_what_says_more_is_shown_for_one_message() -> None:
    """Flux and the kubelet print one message around another."""
    output = listed("health check failed after 5m0s: timeout waiting for: [NodePool/a100 status: 'InProgress']")
    assert "timeout waiting for: [" in output.splitlines()
    assert "health check failed after" not in output.splitlines()
    assert "health check failed after" in listed("health check failed after 5m0s: it is not known why").splitlines()


def test_a_reason_counts_only_for_a_message_that_is_not_known() -> None:
    """AKS and Helm both have the reason UpgradeFailed."""
    output = listed("(UpgradeFailed) Drain node gpu: Cannot evict pod as it would violate the pod's disruption budget")
    assert output.startswith("Cannot evict pod as it would violate\n")
    assert "Helm upgrade failed for release" not in output
    assert "Helm upgrade failed for release" in listed("UpgradeFailed")


def test_a_reason_is_a_whole_word() -> None:
    [symptom] = (each for each in EVERY if each.name == "allocation-failed")
    assert not has_reason(symptom, "ZonalAllocationFailed")
    assert not has_reason(symptom, "")


def test_a_placeholder_stands_for_one_word() -> None:
    [symptom] = (each for each in EVERY if each.name == "dependency-not-ready")
    assert is_in(symptom.text, "Dependency 'apps/a' is not ready")
    assert not is_in(symptom.text, "dependency '' is not ready")
    assert not is_in(symptom.text, "dependency 'a' is old, and 'b' is not ready")


def test_a_pasted_line_may_lack_quotes() -> None:
    assert listed("3", "Insufficient", "nvidia.com/gpu.").startswith("Insufficient nvidia.com/gpu\n")


def test_what_is_not_known_finds_nothing() -> None:
    assert pasted_symptoms(EVERY, "") == []
    assert listed("flux capacitor") == "No rule matches. `gitgpu rule list` lists all of them.\n"


def test_words_are_found_from_their_beginning() -> None:
    """A short word is found only whole: `mig` is not a part of `migration`."""
    assert "SHR015" in listed("MIG", "strateg")
    assert "SHR015" not in listed("MI", "strateg")


def test_options_select_rules() -> None:
    codes = set(re.findall(r"^[A-Z]{3}\d{3}", listed("--kind", "ScaledObject", "--severity", "warning"), re.MULTILINE))
    assert {"KED018", "KED041"} <= codes
    assert "KED004" not in codes  # an error
    assert set(re.findall(r"^([A-Z]{3})\d", listed("--group", "ked"), re.MULTILINE)) == {"KED"}
    assert "KED041" in listed("--group", "keda")


def test_what_can_be_fixed_is_what_has_an_edit() -> None:
    """tests/test_remedies.py applies the edits; here the mark of a rule is compared with its findings."""
    assert "KED016" in listed("--fixable")
    assert "KED041" not in listed("--fixable")


def test_a_message_is_about_symptoms_of_what_prints_it() -> None:
    message = "kafka: failed to copy: unexpected EOF"
    known = symptom_in(message, ("containers",), catalog(()))
    assert known
    assert known.name == "short-read"
    assert symptom_in(message, ("scaling",), catalog(())) is None
    assert symptom_in("", ("containers",), catalog(())) is None
