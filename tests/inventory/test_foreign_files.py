"""Files in unsupported formats in a directory: one finding per folder and format, and none for unrelated files."""

import os
from pathlib import Path

import pytest

from gitgpu.diagnostic import Severity
from gitgpu.inventory.foreign_files import foreign_files
from gitgpu.inventory.unrecognised import unrecognised_document
from tests.helping.cases import for_each
from tests.inventory.test_bad_input import BICEP, HCL

NETWORK = 'resource "azurerm_virtual_network" "a" {\n  name = "a"\n}\n'
REMEDIES = {
    "HCL, not JSON": "run `terraform show -json` in its directory, and pass its output",
    "Bicep, not JSON": "run `az bicep build --file FILE --stdout`, and pass its output",
    "a template, not YAML": "render it with its tool, and pass the result",
    "JSON with comments": "remove the comments, and name it .json",
    "a compressed file, not text": "decompress it first",
    "a binary Terraform plan": "run `terraform show -json FILE`, and pass its output",
}
PLAN = b"PK\x03\x04" + 26 * b"\0" + b"tfplan..."


def findings(folder: Path, **files: str | bytes) -> list[str]:
    """The findings about a directory with these files, as `NAME CODE MESSAGE; REMEDY`. `__` stands for a dot."""
    for name, content in files.items():
        path = folder / name.replace("__", ".")
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    faults = foreign_files([str(folder)])
    assert all(fault.severity is Severity.WARNING for fault in faults)
    return [f"{Path(fault.span.file).name} {fault.code} {fault.message}; {fault.help}" for fault in faults]


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("main__tf", HCL, "IMP003 not read: HCL, not JSON"),
        ("main__tf", 'module "aks" {\n  source = "Azure/aks/azurerm"\n}\n', "IMP003 not read: HCL, not JSON"),
        ("main__tofu", 'resource "helm_release" "a" {\n}\n', "IMP003 not read: HCL, not JSON"),
        ("terragrunt__hcl", 'terraform {\n  source = "../aks"\n}\n', "IMP003 not read: HCL, not JSON"),
        ("main__bicep", BICEP, "IMP003 not read: Bicep, not JSON"),
        ("main__bicepparam", "using './main.bicep'\n", "IMP003 not read: Bicep, not JSON"),
        ("pools__jsonc", '// pools\n[{"vmSize": "Standard_NC6s_v3"}]\n', "IMP003 not read: JSON with comments"),
        ("pool__yaml__j2", "kind: NodePool\n", "IMP003 not read: a template, not YAML"),
        ("nodes__json__gz", b"\x1f\x8b\x08", "IMP004 not read: a compressed file, not text"),
        ("out", PLAN, "IMP004 not read: a binary Terraform plan"),
        ("tfplan", b"PK\x03\x04", "IMP004 not read: a binary Terraform plan"),
    ],
)
def test_what_may_describe_a_fleet(tmp_path: Path, name: str, content: str | bytes, expected: str) -> None:
    code, message = expected.split(" ", 1)
    remedy = REMEDIES[message.removeprefix("not read: ")]
    assert findings(tmp_path, **{name: content}) == [f"{name.replace('__', '.')} {code} {message}; {remedy}"]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("main__tf", NETWORK),
        ("main__bicep", "param location string\n"),
        ("a__tpl", "{{ define }}"),
        ("book__docx", b"PK\x03\x04" + 26 * b"\0" + b"word"),
        ("tfplan__json", PLAN),  # import reads it, and reports it then
        ("README__md", "GPUs with karpenter\n"),
        ("main__go", "package karpenter\n"),
    ],
)
def test_other_files_are_not_named(tmp_path: Path, name: str, content: str | bytes) -> None:
    assert findings(tmp_path, **{name: content}) == []


@pytest.mark.parametrize(
    ("before", "is_found"), [(256 * 1024 - len("gpu"), True), (256 * 1024 - len("gpu") + 1, False)]
)
def test_the_first_256_kib_of_a_file_are_searched(tmp_path: Path, before: int, is_found: bool) -> None:
    assert bool(findings(tmp_path, main__tf="#" * before + "gpu")) == is_found


def test_a_name_that_is_not_text_has_escapes_in_a_finding(tmp_path: Path) -> None:
    (tmp_path / os.fsdecode(b"\xff.tf")).write_text(HCL)
    (fault,) = foreign_files([str(tmp_path)])
    assert Path(fault.span.file).name == "\\udcff.tf"


def test_a_folder_has_only_one_finding(tmp_path: Path) -> None:
    files = {"a__tf": HCL, "b__tf": HCL, "c__tf": HCL}
    more = f"(and 2 other files in {tmp_path})"
    assert findings(tmp_path, **files) == [f"a.tf IMP003 not read: HCL, not JSON {more}; {REMEDIES['HCL, not JSON']}"]


def test_a_file_that_is_named_twice(tmp_path: Path) -> None:
    (tmp_path / "a.tf").write_text(HCL)
    assert len(foreign_files([str(tmp_path), f"{tmp_path}/."])) == 1
    assert foreign_files([str(tmp_path / "a.tf")]) == []


FORMATS = "Kubernetes objects, the JSON of `az aks`, `terraform show -json` or `helm list`, or an ARM template"
CHART = "Chart.yaml of a Helm chart"


@for_each(
    ("data", "message"),
    [
        ([], "not a format that import reads"),
        ({}, "not a format that import reads"),
        ({"apiVersion": "v1"}, "not a Kubernetes object: it has no kind"),
        ({"kind": "Pod"}, "not a Kubernetes object: it has no apiVersion"),
        ({"kind": "Pod", "apiVersion": ""}, "not a Kubernetes object: it has no apiVersion"),
        ({"kind": "Pod", "apiVersion": "v1"}, "not a format that import reads"),
        ({"$schema": "https://a/2019-04-01/deploymentParameters.json#"},
         "deployment parameters without their template"),
        ({"$schema": "https://a/deploymentTemplate.json#"}, "not a format that import reads"),
        ({"deployment": {}, "version": 3}, "a Pulumi export, which import does not read"),
        ({"deployment": 1, "version": 3}, "not a format that import reads"),
        ({"deployment": {}}, "not a format that import reads"),
        ({"apiVersion": "v2", "name": "a", "version": "1.0.0"}, CHART),
        ({"apiVersion": "v2", "name": "a", "version": "1.0.0", "kind": "A"}, "not a format that import reads"),
        ({"apiVersion": "v2", "name": "a"}, "not a Kubernetes object: it has no kind"),
        ({"name": "a", "version": "1.0.0"}, "not a format that import reads"),
        ({"resource": {"azurerm_a": {}}}, "Terraform configuration"),
        ({"resource": {"null": {}, "azurerm_a": {}}}, "Terraform configuration"),
        ({"resource": {"a": {}}}, "not a format that import reads"),
        ({"resource": ["a_b"]}, "not a format that import reads"),
        ({"module": {"a": {"count": 1}, "b": {"source": "./b"}}}, "Terraform configuration"),
        ({"module": {"a": {"count": 1}}}, "not a format that import reads"),
        ({"module": []}, "not a format that import reads"),
    ],
)  # fmt: skip
def test_what_a_document_seems_to_be(data: object, message: str) -> None:
    reported, remedy = unrecognised_document(data)
    assert reported == message
    if message.startswith("not a Kubernetes object"):
        assert remedy == f"add {message.rpartition(' ')[2]}"
    elif message == "not a format that import reads":
        values = "; Helm values with `--values CHART=FILE`" if isinstance(data, dict) else ""
        assert remedy == f"pass {FORMATS}{values}"
