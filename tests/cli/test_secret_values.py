"""Values of Secrets are in no output, even if their file is not valid YAML."""

from pathlib import Path

import pytest

from gitgpu.report import format_names
from tests.cli.conftest import Run

SECRET = "apiVersion: v1\nkind: Secret\nmetadata: {name: token}\n"
MARK = "7331"  # a part of every value
MISTAKES = {
    "number": "stringData:\n  pin: 57331\n",
    "decimals": "stringData:\n  pin: 7331.50\n",
    "date": "stringData: {pin: 7331-03-31}\n",
    "base64": "data:\n  password: hunter7331\n",
    "list": "stringData:\n  password: [hunter7331]\n",
    "mapping": "stringData:\n  a:\n    password: hunter7331\n",
    "whole": "stringData: hunter7331\n",
    "key twice": "stringData:\n  password: hunter7331\n  password: hunter7332\n",
    "alias": "stringData:\n  password: *hunter7331\n",
    "tag": "stringData:\n  password: !hunter7331 x\n",
    "percent": "stringData:\n  password: %hunter7331\n",
    "colon": "stringData:\n  password: hunter7331: x\n",
    "open quote": 'stringData:\n  password: "hunter7331\n  b: c\n',
    "after quote": "stringData:\n  password: 'hunter7331' x\n",
    "indented": "stringData:\n  password: hunter7331\n   b: hunter7331\n",
    "not indented": "stringData:\npassword: hunter7331\n",
    "tab": "stringData:\n\tpassword: hunter7331\n",
    "placeholder": "stringData: <hunter7331>\n",
    "action": "stringData:\n  password: {{ hunter7331 }}\n",
    "block": "stringData:\n  password: |\n    hunter7331\n   hunter7331\n",
    "key": 'stringData:\n  "a b": hunter7331\n',
    "unknown key": "stringDat:\n  password: hunter7331\n",
    "escape": 'stringData:\n  password: "\\hunter7331"\n',
    "merge": "stringData:\n  <<: hunter7331\n",
    "comment": "stringData:\n  # hunter7331\n  pin: 57331\n",
    "comment in a block": "data:\n  password: |\n    # hunter7331\n",
    "control": "stringData:\n  p: hunter7331\x01\n",
    "two lines": "stringData: {pin:\n    57331,\n  a: hunter7331}\n",
    "line separator": "stringData:\n  a: x\u2028  pin: 57331\n",
    "carriage return": "stringData:\r\n  pin: 57331\r\n",
}
JSON = '{"apiVersion":"v1","kind":"Secret","metadata":{"name":"j"},"stringData":{"pin":57331,"a":"hunter7331"}}'
LIST = (
    "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Secret\n  metadata: {name: l}\n"
    "  stringData:\n    pin: 57331\n    b: hunter7331\n"
)
FILES = {**{name: SECRET + text for name, text in MISTAKES.items()}, "json": JSON, "list": LIST}
FILES["pretty json"] = JSON.replace("{", "{\n").replace(",", ",\n  ")
NODE_POOL = (
    "apiVersion: karpenter.sh/v1\nkind: NodePool\nmetadata: {name: gpu}\nspec:\n  template:\n    spec:\n"
    "      nodeClassRef: {group: karpenter.azure.com, kind: AKSNodeClass, name: gpu}\n"
    "      requirements: [{key: karpenter.azure.com/sku-name, operator: In, values: [Standard_NC24ads_A100_v4]}]\n"
)


@pytest.mark.parametrize("name", FILES)
def test_a_finding_does_not_show_a_value(name: str, run: Run) -> None:
    Path("d").mkdir()
    Path("d/a.yaml").write_text(FILES[name], encoding="utf-8", newline="")
    shown = [run("lint", "d", "-o", form) for form in format_names()]
    shown += [run("lint", "d", "--diff"), run("lint", "d/a.yaml", "--diff", "-o", "json")]
    shown += [run("import", "d", "--dry-run"), run("import", "d", "--dry-run", "-o", "json")]
    Path("pools.yaml").write_text(NODE_POOL, encoding="utf-8")
    shown += [
        run("simulate", "--pools", "pools.yaml", "--workloads", "d", "-o", form) for form in ("text", "json", "html")
    ]
    assert [ran for ran in shown if MARK in ran.out + ran.err] == []


def test_the_place_and_the_key_are_shown(run: Run) -> None:
    Path("a.yaml").write_text(FILES["number"], encoding="utf-8")
    ran = run("lint", "a.yaml")
    assert "a.yaml:5:8: error[CNF001] must be text; found a value that is not shown" in ran.out
    assert "  5 |   pin: ***\n" in ran.out
    assert "-  pin: ***\n+  pin: ***\n" in run("lint", "a.yaml", "--diff").out
    run("lint", "a.yaml", "--fix")
    assert Path("a.yaml").read_text(encoding="utf-8") == FILES["number"].replace("57331", '"57331"')


def test_values_of_other_objects_are_shown(run: Run) -> None:
    Path("a.yaml").write_text(FILES["number"].replace("Secret", "ConfigMap"), encoding="utf-8")
    assert "unknown key 'stringData'" in run("lint", "a.yaml").out
    Path("a.yaml").write_text(FILES["list"] + "- {apiVersion: v1, kind: Pod, metadata: {name: P}}\n", encoding="utf-8")
    assert "10 | - {apiVersion: v1, kind: Pod, metadata: {name: P}}" in run("lint", "a.yaml").out
    mixed = FILES["number"] + "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {pin: 57331}\n"
    Path("a.yaml").write_text(mixed, encoding="utf-8")
    assert "must be text; found 57331" in run("lint", "a.yaml").out


def test_words_of_comments_and_keys_are_shown(run: Run) -> None:
    text = SECRET + "type: kubernetes.io/tls\ndata:\n  # the tls.crt in base64, and its key\n  tls.crt: hunter7331...\n"
    Path("a.yaml").write_text(text, encoding="utf-8")
    out = run("lint", "a.yaml").out
    assert "tls.crt is not base64" in out
    assert MARK not in out


def test_a_key_is_shown_if_words_of_it_are_in_values(run: Run) -> None:
    text = SECRET + "data:\n  webhook.github.secret: the value of the github secret is hunter7331\n"
    Path("a.yaml").write_text(text, encoding="utf-8")
    out = run("lint", "a.yaml").out
    assert "the value of webhook.github.secret is not base64" in out
    assert MARK not in out
