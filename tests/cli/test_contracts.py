"""Every document of `-o json` matches its published schema, even if the command fails."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import pytest
from jsonschema import Draft7Validator

from gitgpu.cli.program import program
from gitgpu.load.read import data_root, data_text
from gitgpu.report.reference.json_schemas import DOCUMENTS
from tests.cli.conftest import Ran, Run
from tests.cli.fleets import BROKEN, SOUND, WARNED, many, write

T4 = "Standard_NC16as_T4_v3"
RECORDED = Path(__file__).parents[1] / "journeys/recorded"
CONFIG = "apiVersion: gitgpu.dev/v1alpha1\nkind: Config\ncatalog: [mine]\n"
POD = """apiVersion: v1
kind: Pod
metadata: {name: a, namespace: b}
spec: {containers: [{name: c, image: d, resources: {limits: {nvidia.com/gpu: 1}}}]}
"""


def with_json(command: click.Command, words: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    """Every subcommand that offers `-o json`, by its words on the command line."""
    if isinstance(command, click.Group):
        return [
            words_below for name, below in command.commands.items() for words_below in with_json(below, (*words, name))
        ]
    forms = [option.type for option in command.params if option.name == "output_format"]
    return [words for form in forms if isinstance(form, click.Choice) and "json" in form.choices]


COMMANDS = with_json(program())
SCHEMAS = {
    "advisories": "advisories",
    "build": "findings",
    "catalog": "catalog",
    "diagnose": "diagnosis",
    "explain": "explain",
    "images": "images",
    "import": "import",
    "lint": "findings",
    "outdated": "outdated",
    "plan": "plan",
    "promote": "change",
    "rule": "rule",
    "simulate": "simulation",
    "sku": "sku",
    "upgrade": "change",
    "validate": "findings",
    "version": "version",
}


def wrong(run: Run, schema: str, document: Any) -> list[str]:
    """The violations of a published schema in a document."""
    ran = run("schema", schema)
    assert (ran.code, ran.err) == (0, "")
    return [
        f"{list(error.path)}: {error.message}" for error in Draft7Validator(json.loads(ran.out)).iter_errors(document)
    ]


def answer(run: Run, *words: str, code: int = 0) -> Any:
    """The JSON output of a command. Asserts that it fits the schema of the command, and that of all reports."""
    ran = run(*words, "-o", "json")
    assert ran.code == code, ran
    document = json.loads(ran.out)
    assert wrong(run, SCHEMAS[words[0]], document) == []
    assert wrong(run, "report", document) == []
    return document


def refusal(run: Run, *words: str, code: int) -> list[str]:
    """The codes in the Findings document that a command prints instead of its result."""
    ran = run(*words, "-o", "json")
    assert ran.code == code, ran
    return codes(run, ran)


def codes(run: Run, ran: Ran) -> list[str]:
    """The codes in a Findings document. Asserts that it fits its schema and has at least one error."""
    document = json.loads(ran.out)
    assert wrong(run, "findings", document) == []
    assert document["summary"]["errors"] > 0
    return [result["code"] for result in document["results"]]


def test_every_command_with_json_has_a_schema() -> None:
    assert {words[0] for words in COMMANDS} == SCHEMAS.keys()
    assert set(SCHEMAS.values()) == DOCUMENTS.keys() - {"report"}


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_schema_is_complete(run: Run, name: str) -> None:
    schema = json.loads(run("schema", name).out)
    Draft7Validator.check_schema(schema)
    assert schema["$id"].endswith(f"/{name}.schema.json")
    assert schema["title"]
    assert schema["description"]
    assert not Draft7Validator(schema).is_valid({})
    assert not Draft7Validator(schema).is_valid({"apiVersion": "report.gitgpu.dev/v1", "kind": "Other"})
    everything = json.loads(data_text("schemas/report.schema.json"))
    assert all(everything["definitions"][key] == part for key, part in schema["definitions"].items())


def test_the_schema_of_all_reports_is_the_file(run: Run) -> None:
    assert json.loads(run("schema", "report").out) == json.loads(data_text("schemas/report.schema.json"))


def test_a_schema_rejects_the_document_of_another_command(run: Run) -> None:
    version = answer(run, "version")
    assert wrong(run, "plan", version)
    assert wrong(run, "version", {**version, "more": 1})
    assert wrong(run, "version", {key: value for key, value in version.items() if key != "catalog"})


def test_findings_in_json_fit_their_schema(run: Run) -> None:
    for text, code in ((SOUND, 0), (WARNED, 0), (BROKEN, 1), ("[", 1), ("", 1)):
        write(text)
        for command in ("validate", "build"):
            assert answer(run, command, code=code)["summary"]["files"] == 1
    write(SOUND)
    answer(run, "build")
    assert answer(run, "lint", "overlays")["summary"]["objects"] > 1
    write(SOUND.replace("gpus: 2", "gpus: 4"))
    assert answer(run, "build", "--check", code=1)["results"]
    write(POD.replace("containers", "continers"), "pods/pod.yaml")
    assert answer(run, "lint", "pods", code=1)["results"]
    write("a: 1\n", "pods/more.yaml")
    reported = answer(run, "lint", "--strict", "--max-findings", "1", "pods", "overlays", code=1)
    assert reported["summary"]["truncated"] > 0


def test_a_plan_in_json_fits_its_schema(run: Run) -> None:
    write(many("c1", "c2"))
    assert answer(run, "plan", code=1)["summary"]["added"] > 0
    answer(run, "build")
    assert answer(run, "plan")["clusters"] == []
    write(many("c1", "c3").replace("1.36", "1.35"))
    assert {cluster["change"] for cluster in answer(run, "plan", code=1)["clusters"]} == {"added", "changed", "removed"}


def test_a_list_of_images_in_json_fits_its_schema(run: Run) -> None:
    write(many("c1", "c2"))
    plain = answer(run, "images")
    copied = answer(run, "images", "--mirror", "contoso.azurecr.io", "--charts", "oci://contoso.azurecr.io/charts")
    assert {image["copy"] for image in plain["images"]} == {None}
    assert all(entry["copy"] for entry in (*copied["images"], *copied["charts"]))


def test_a_simulation_in_json_fits_its_schema(run: Run) -> None:
    write(SOUND)
    write(POD, "pods/pod.yaml")
    write(POD.replace("gpu: 1", "gpu: 64"), "pods/large.yaml")
    write("apiVersion: v1\nkind: Pod\nmetadata:\n  name: {{ .Values.name }}\n", "pods/template.yaml")
    reported = answer(run, "simulate", "--workloads", "pods")
    assert reported["workloads"]
    assert reported["unread"]
    assert answer(run, "simulate", "--workloads", "pods", "--fail-on", "unschedulable", code=1) == reported
    answer(run, "build")
    answer(run, "simulate", "--pools", "overlays", "--workloads", "pods", "--region", "eastus")


@pytest.mark.parametrize(
    "words",
    [
        ("list",),
        ("list", "--model", "H100"),
        ("list", "--region", "eastus", "--sort", "price"),
        ("list", "--status", "retired"),
    ],
)
def test_lists_of_sizes(run: Run, words: tuple[str, ...]) -> None:
    assert answer(run, "sku", *words)["skus"]


def test_a_size_in_json_fits_its_schema(run: Run) -> None:
    names = [size["name"] for size in answer(run, "sku", "list")["skus"]]
    for name in names[::7]:
        assert answer(run, "sku", "show", name)["sku"]["name"] == name
    write(CONFIG, ".gitgpu.yaml")
    write(data_text(f"catalog/skus/{T4}.yaml").replace("NC16as", "NC17as"), "mine/skus/Standard_NC17as_T4_v3.yaml")
    assert answer(run, "sku", "show", "NC17as_T4_v3")["sku"]["catalog"] == "mine"
    assert len(answer(run, "sku", "list")["skus"]) == len(names) + 1


@pytest.mark.parametrize("words", [(), ("--region", "eastus")])
def test_a_comparison_of_sizes(run: Run, words: tuple[str, ...]) -> None:
    names = [size["name"] for size in answer(run, "sku", "list")["skus"]]
    assert [size["name"] for size in answer(run, "sku", "compare", *names, *words)["skus"]] == names


def test_a_refresh_of_the_catalog(run: Run) -> None:
    files = ("--skus", f"{RECORDED}/skus.json", "--prices", f"{RECORDED}/prices", "--today", "2026-11-23")
    reported = answer(run, "catalog", "refresh", *files, "--out", "mine")
    assert {Path(file["path"]).parts[:2] for file in reported["files"]} == {
        ("mine", "availability"), ("mine", "prices"), ("mine", "skus"),
    }  # fmt: skip
    write(CONFIG, ".gitgpu.yaml")
    write(SOUND)
    assert answer(run, "catalog", "diff", str(Path(data_root(), "catalog")))["facts"] == []
    assert refusal(run, "catalog", "diff", "nowhere", code=2)[0].startswith("INP")
    write("{}", "skus.json")
    assert refusal(run, "catalog", "refresh", "--skus", "skus.json", *files[2:], "--out", "mine", code=2) == ["CAT011"]


@pytest.mark.parametrize("code", ["SKU001", "POD045", "CNF012", "SCL014", "INP001", "CLI002"])
def test_a_rule_and_a_fault(run: Run, code: str) -> None:
    assert answer(run, "rule", "show", code)["kind"] in ("Rule", "Fault")


def test_the_list_of_rules(run: Run) -> None:
    assert answer(run, "rule", "list")["rules"]


@pytest.mark.parametrize(
    "field", ["", "GpuPool", "GpuPool.spec", "GpuPool.spec.sku", "fleet.spec.delivery.engine", "config.allow"]
)
def test_an_explanation_in_json_fits_its_schema(run: Run, field: str) -> None:
    assert answer(run, "explain", *([field] if field else []))["kind"] == "Explanation"
    assert answer(run, "explain", *([field] if field else []), "--recursive")["kind"] == "Explanation"


def test_fields_of_one_name(run: Run) -> None:
    assert answer(run, "explain", "osDiskGB")["kind"] == "FieldList"


def test_the_effective_spec_of_a_pool(run: Run) -> None:
    write(SOUND)
    assert answer(run, "explain", "--effective", "pool/t4", "--cluster", "c1")["kind"] == "EffectiveObject"


@pytest.mark.parametrize(
    ("text", "code"), [(BROKEN, "LNK004"), ("a: [", "YML001"), ("kind: Pod\n", "SHP001"), (None, "INP005")]
)
def test_a_plan_of_a_broken_fleet(run: Run, text: str | None, code: str) -> None:
    """stdout has only the Findings document, and stderr the findings as text."""
    if text is not None:
        write(text)
    assert code in refusal(run, "plan", code=2)
    assert code in run("plan", "-o", "json").err
    assert run("plan").out == run("plan", "-o", "markdown").out == ""


def test_a_plan_against_what_cannot_be_read(run: Run) -> None:
    write(SOUND)
    assert refusal(run, "plan", "--against", "nowhere", code=2)[0].startswith("INP")
    write("x", "empty/x.txt")
    assert refusal(run, "plan", "--against", "empty", code=2) == ["INP009"]
    assert refusal(run, "plan", "--cluster", "nope", code=2) == ["CLI001"]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
@pytest.mark.parametrize("spelling", [("-o", "json"), ("-ojson",), ("--output", "json"), ("--output=json",)])
def test_a_command_line_that_is_not_valid(run: Run, command: tuple[str, ...], spelling: tuple[str, ...]) -> None:
    ran = run(*command, *spelling, "--no-such-option")
    assert (ran.code, codes(run, ran)) == (2, ["CLI001"])
    assert "No such option" in ran.err
    assert "--no-such-option" in json.loads(ran.out)["results"][0]["message"]


def test_errors_are_json_only_if_json_was_requested(run: Run) -> None:
    for words in (("plan", "--nope"), ("plan", "-o", "text", "--nope"), ("plan", "--nope", "--", "-o", "json")):
        assert (run(*words).code, run(*words).out) == (2, "")
    assert run("plan", "-o", "json", "-o", "text", "--nope").out == ""


def test_a_name_that_is_unknown(run: Run) -> None:
    assert refusal(run, "explain", "GpuPool.spec.limit", code=1) == ["CLI002"]
    write(SOUND)
    assert refusal(run, "explain", "--effective", "pool/t5", "--cluster", "c1", code=1) == ["CLI002"]
    assert refusal(run, "explain", "--effective", "pool/t4", "--cluster", "c2", code=1) == ["CLI002"]
    assert refusal(run, "rule", "show", "NOPE", code=1) == ["CLI002"]
    assert refusal(run, "sku", "show", "nope", code=1) == ["LNK007"]
    assert refusal(run, "sku", "list", "--model", "nope", code=1) == ["CLI002"]
    assert refusal(run, "sku", "compare", T4, "nope", code=1) == ["LNK007"]


def test_a_configuration_or_a_catalog_that_is_broken(run: Run) -> None:
    write(SOUND)
    write(CONFIG, ".gitgpu.yaml")
    write("name: [", "mine/skus/Standard_NC17as_T4_v3.yaml")
    for words in (("sku", "list"), ("sku", "show", T4), ("validate",), ("build",), ("simulate",)):
        assert "YML001" in refusal(run, *words, code=1), words
    assert "YML001" in refusal(run, "plan", code=2)
    write("catalog: [", ".gitgpu.yaml")
    for words in (("sku", "list"), ("sku", "show", T4)):
        assert refusal(run, *words, code=2) == ["YML001"]
    for words in (("validate",), ("build",), ("simulate",), ("lint",)):
        assert "YML001" in refusal(run, *words, code=1)


def test_input_that_is_missing(run: Run) -> None:
    for command in ("validate", "build", "simulate", "plan", "lint"):
        assert refusal(run, command, "nowhere.yaml", code=2) == ["INP001"]


def test_a_bug_is_reported_in_json_and_exits_2(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))
    words = ["validate", "-o", "json"]
    broken = f"from gitgpu.cli import program; program.load = None; raise SystemExit(program.execute({words}))"
    ran = subprocess.run([sys.executable, "-c", broken], capture_output=True, text=True, timeout=60, check=False)
    assert codes(run, Ran(ran.returncode, ran.stdout, ran.stderr)) == ["INT002"]
    assert ran.returncode == 2
    assert "internal error: TypeError" in ran.stderr
