"""A new rule starts as a pair of files that says what is left to write."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from gitgpu.examples import Role, parse_examples
from gitgpu.rule import AnyRule
from gitgpu.rules.fleet_rulebook import fleet_rules
from gitgpu.rules.object_rulebook import object_rules
from tools import new_rule
from tools.new_rule import main, next_code, texts, unfinished

RULES: tuple[AnyRule, ...] = (*fleet_rules(), *object_rules())


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folders of two subjects, one of each kind, without rules."""
    rules = tmp_path / "gitgpu" / "rules"
    for subject in ("objects/keda", "objects/kaito", "fleet/kaito"):
        (rules / subject).mkdir(parents=True)
        shutil.copy(new_rule.RULES / subject / "__init__.py", rules / subject)
    monkeypatch.setattr(new_rule, "RULES", rules)
    return rules


@pytest.mark.parametrize(("subject", "prefix"), [("objects/keda", "KED"), ("fleet/kaito", "KTO")])
def test_a_new_rule_is_a_module_and_its_examples(
    folder: Path, capsys: pytest.CaptureFixture[str], subject: str, prefix: str
) -> None:
    code = next_code(prefix)
    assert main([subject, "invented-name"]) == 0
    module, examples = folder / subject / "invented_name.py", folder / subject / "invented_name.yaml"
    printed = capsys.readouterr().out
    assert f"gitgpu/rules/{subject}/invented_name.py\ngitgpu/rules/{subject}/invented_name.yaml\n" in printed
    values: dict[str, Any] = {"__name__": "invented_name"}
    exec(compile(module.read_text("utf-8"), str(module), "exec"), values)
    assert (values["RULE"].code, values["RULE"].name) == (code, "invented-name")
    assert [example.role for example in parse_examples(examples.read_text("utf-8"))] == list(Role)


FOLDERS = sorted(f"{path.parents[1].name}/{path.parent.name}" for path in new_rule.RULES.glob("*/*/__init__.py"))


@pytest.mark.parametrize("subject", FOLDERS)
def test_the_examples_of_a_new_rule_are_objects_of_its_subject_that_no_rule_reports(subject: str) -> None:
    """The check goes through objects of a kind that the examples have, and its condition is left to write."""
    module, examples = texts(subject, "invented-name")
    good = next(example for example in parse_examples(examples) if example.role is Role.GOOD)
    of_subject = [rule for rule in RULES if f".{subject.replace('/', '.')}." in rule.check.__module__]
    assert good.text in {rule.good for rule in of_subject}
    assert "TODO" not in good.text
    assert "TODO" not in next(line for line in module.splitlines() if line.startswith("    for "))


@pytest.mark.parametrize("subject", ["objects/keda", "fleet/kaito"])
def test_what_is_left_to_write_is_found(folder: Path, subject: str) -> None:
    assert unfinished(folder) == []
    main([subject, "invented-name"])
    left = unfinished(folder)
    assert left[0] == f"{subject}/invented_name.py:1: TODO: what the rule finds, as one sentence or phrase."
    assert any(line.startswith(f"{subject}/invented_name.yaml:1: TODO: what is wrong") for line in left)


def test_the_code_follows_the_highest_one() -> None:
    numbers = [int(rule.code[3:]) for rule in RULES if rule.code.startswith("DRV")]
    assert next_code("DRV") == f"DRV{max(numbers) + 1:03}"
    assert next_code("XYZ") == "XYZ001"


@pytest.mark.parametrize("suffix", [".py", ".yaml"])
def test_a_rule_that_exists_stays(folder: Path, capsys: pytest.CaptureFixture[str], suffix: str) -> None:
    written = folder / "objects/kaito" / f"invented_name{suffix}"
    written.write_text("mine")
    assert main(["objects/keda", "invented-name"]) == 1
    assert capsys.readouterr().err == f"gitgpu/rules/objects/kaito/invented_name{suffix} exists; nothing was written\n"
    assert list(folder.rglob("invented_name.*")) == [written]
    assert main(["fleet/kaito", "invented-name"]) == 0  # both kinds of rules can have a rule of this name


@pytest.mark.parametrize(
    ("subject", "name", "message"),
    [
        ("objects/invented", "a-name", "there is no folder gitgpu/rules/objects/invented. These exist: kaito, keda."),
        ("objects", "a-name", "'objects' is not fleet/SUBJECT or objects/SUBJECT"),
        ("keda", "a-name", "'keda' is not fleet/SUBJECT or objects/SUBJECT"),
        ("objects/keda", "A_name", "'A_name' is not a name: use lowercase words with hyphens"),
        ("objects/keda", "../x", "'../x' is not a name: use lowercase words with hyphens"),
        ("objects/../fleet/kaito", "a-name", "'objects/../fleet/kaito' is not fleet/SUBJECT or objects/SUBJECT"),
    ],
)
def test_what_cannot_be_a_rule_is_refused(
    folder: Path, capsys: pytest.CaptureFixture[str], subject: str, name: str, message: str
) -> None:
    before = sorted(folder.rglob("*"))
    assert main([subject, name]) == 2
    assert capsys.readouterr().err.startswith(message)
    assert sorted(folder.rglob("*")) == before


def test_a_new_subject_is_explained(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["fleet/invented", "a-name"])
    message = capsys.readouterr().err
    assert all(word in message for word in ("__init__.py", "docstring", "PREFIX", "KINDS", "fleet, clusters, pools"))
