"""`rule` lists every rule and explains it."""

import json
from pathlib import Path

import pytest

from gitgpu.report.reference.faults import faults
from gitgpu.rule import AnyRule
from gitgpu.rules.fleet_rulebook import fleet_rules
from gitgpu.rules.object_rulebook import object_rules
from tests.cli.conftest import Run

ROOT = Path(__file__).parents[3]
CODES = sorted([rule.code for rule in fleet_rules()] + [rule.code for rule in object_rules()])


def test_every_rule_is_listed_once_in_order(run: Run) -> None:
    reported = json.loads(run("rule", "list", "-o", "json").out)
    assert (reported["apiVersion"], reported["kind"]) == ("report.gitgpu.dev/v1", "RuleList")
    assert [rule["code"] for rule in reported["rules"]] == CODES
    lines = run("rule", "list").out.splitlines()
    assert [line.split()[0] for line in lines[1:]] == CODES


def test_a_rule_is_explained_in_text_and_in_json(run: Run) -> None:
    for code in CODES[::3]:  # some of each subject
        reported = json.loads(run("rule", "show", code, "-o", "json").out)["rule"]
        text = run("rule", "show", code.lower()).out
        assert text.startswith(f"{code} {reported['name']} ({reported['severity']}, looks at {reported['looksAt']})\n")
        for part in (reported["summary"], reported["help"], *reported["sources"], f"\nModule: {reported['module']}\n"):
            assert part in text, code
        assert f'code="{code}"' in (ROOT / reported["module"]).read_text(encoding="utf-8")
        for example in (reported["bad"], reported["good"]):
            assert all(line.strip() in text for line in example.splitlines()), code


def test_a_code_that_does_not_belong_to_a_rule_is_explained_too(run: Run) -> None:
    for fault in faults():
        assert fault.summary.endswith(".")
        assert fault.help.endswith(".")
        reported = json.loads(run("rule", "show", fault.code.lower(), "-o", "json").out)["fault"]
        assert reported == {"code": fault.code, "summary": fault.summary, "help": fault.help}
        assert f"\n\n{fault.summary}\n{fault.help}\n" in run("rule", "show", fault.code).out
    assert "did you mean YML00" in run("rule", "show", "YML009").err


def test_an_unknown_code_is_reported_as_unknown(run: Run) -> None:
    assert run("rule", "show", "SKU01").code == 1
    assert "did you mean SKU001?" in run("rule", "show", "SKU01").err
    assert "did you mean KED004?" in run("rule", "show", "ked04").err
    assert "did you mean KED004?" in run("rule", "show", "KED4").err
    assert "did you mean CLI002?" in run("rule", "show", "CLI02").err
    assert "`gitgpu rule list WORDS` searches" in run("rule", "show", "nonsense").err


def test_an_object_rule_shows_the_visibility_that_it_needs(run: Run) -> None:
    assert "Needs to see: the whole cluster (`--whole-cluster`).\n" in run("rule", "show", "CNF012").out
    assert json.loads(run("rule", "show", "CNF012", "-o", "json").out)["rule"]["sees"] == ["whole-cluster"]
    assert "Needs to see" not in run("rule", "show", "SKU001").out


def test_a_replaced_code_leads_to_the_rule_that_replaces_it(run: Run) -> None:
    shown = run("rule", "show", "scl014")
    assert shown.code == 0
    assert shown.out.startswith("SCL011 ")
    assert "\nReplaces SCL014.\n" in shown.out
    assert "Replaces" not in run("rule", "show", "SKU001").out
    rule = json.loads(run("rule", "show", "SCL014", "-o", "json").out)["rule"]
    assert (rule["code"], rule["replaces"]) == ("SCL011", ["SCL014"])
    (line,) = [line for line in run("rule", "list").out.splitlines() if line.startswith("SCL011")]
    assert line.endswith(" Replaces SCL014.")


def test_a_code_is_replaced_only_once_and_no_rule_has_it() -> None:
    rules: list[AnyRule] = [*fleet_rules(), *object_rules()]
    old = [code for rule in rules for code in rule.replaces]
    assert old
    assert len(set(old)) == len(old)
    assert set(old).isdisjoint([*CODES, *(fault.code for fault in faults())])
    assert all(len(code) == len("SCL014") for code in old)


def test_a_name_works_like_a_code(run: Run) -> None:
    assert run("rule", "show", "Unknown-Volume-Medium").out == run("rule", "show", "POD108").out
    both = run("rule", "show", "conflicting-replica-bounds").out  # a rule about the fleet, and its twin
    assert both.startswith(run("rule", "show", "KED004").out)
    assert both.endswith(run("rule", "show", "SCL002").out)
    assert "did you mean retired-size?" in run("rule", "show", "retird-size").err
    assert "did you mean missing-scale-target?" in run("rule", "show", "target-missing-scale").err
    assert "did you mean conflicting-replica-bounds?" in run("rule", "show", "replica-bounds-conflicting").err


def test_all_examples_are_shown_on_request(run: Run) -> None:
    short, long = run("rule", "show", "POD108").out, run("rule", "show", "POD108", "--all").out
    assert (short.count("\nBad: "), long.count("\nBad: ")) == (1, 2)
    assert "1 more with --all." in short
    assert "--all" not in long


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("--group", "kda"), "no rule has the group 'kda'; did you mean "),
        (("--kind", "ScaledObjct"), "no rule has the kind 'scaledobjct'; did you mean scaledobject?"),
        (("--kind", "Zzz", "-o", "json"), '"CLI002"'),
    ],
)
def test_a_slip_in_an_option_does_not_look_like_no_rules(run: Run, arguments: tuple[str, ...], expected: str) -> None:
    ran = run("rule", "list", *arguments)
    assert (ran.code, expected in ran.out + ran.err) == (1, True)
