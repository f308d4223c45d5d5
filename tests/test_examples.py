"""The files of examples: how they are read, what is wrong in them, and that each rule has one."""

import ast
import re
from pathlib import Path

import pytest

from gitgpu.examples import Example, Role, examples_of, parse_examples
from gitgpu.load.configuration.files import read_config
from gitgpu.rule import AnyRule
from gitgpu.rules.fleet_rulebook import fleet_rules
from gitgpu.rules.object_rulebook import object_rules
from tests.helping.cases import for_each
from tests.rules.invented.a_name import RULE

PACKAGE = Path(__file__).parents[1] / "gitgpu"
RULES: list[AnyRule] = [*fleet_rules(), *object_rules()]
FILES = {rule.code: PACKAGE.parent.joinpath(*rule.check.__module__.split(".")).with_suffix(".yaml") for rule in RULES}
BAD, GOOD = "# bad: A note.\na: 1\n", "# good: Another note.\na: 2\n"


def test_a_file_of_examples() -> None:
    bad = "# bad: One.\n#   Two.\n# a comment\na: 1\n---\nb: 1  # c\n"
    variant = "# variant: V.\nc: {\n  d: 1\n}\n"
    assert parse_examples(f"{bad}---\n{variant}---\n# good: G.\na: 2\n") == (
        Example(Role.BAD, "One. Two.", "# a comment\na: 1\n---\nb: 1  # c\n"),
        Example(Role.VARIANT, "V.", "c: {\n  d: 1\n}\n"),
        Example(Role.GOOD, "G.", "a: 2\n"),
    )


def test_a_rule_reads_its_examples() -> None:
    assert RULE.bad == "a: 1\n  b: 2\n\n"
    assert RULE.bad_examples == (RULE.bad, "c: 3\n---\na: 1\n")
    assert (RULE.good, RULE.good_examples) == ("a: 2\n", ("a: 2\n", "d: 4\n"))
    assert RULE.examples[1].note == "Another key, and a long note."


@for_each(
    ("text", "fault"),
    [
        ("", "the first line is not a comment such as '# bad: ...'"),
        ("a: 1\n---\n" + BAD, "the first line is not a comment such as '# bad: ...'"),
        (f"{BAD}---\n# Good: no.\na: 2\n", "'# Good: no.' is not the comment of an example"),
        (f"{BAD}{GOOD}", "'# good: Another note.' is not the comment of an example"),
        (f"{BAD}---\n# near-miss: x\na: 1\n---\n{GOOD}", "'# near-miss: x' is not the comment of an example"),
        (f"{BAD}---\n# good:\na: 1\n", "'# good:' is not the comment of an example"),
        (f"{BAD}---\n# good: Empty.\n", "the example 'Empty.' is empty"),
        (f"{BAD}---\n{GOOD.rstrip()}", "the example 'Another note.' is empty, or its last line does not end"),
        (BAD, "0 examples are 'good', not one"),
        (GOOD, "0 examples are 'bad', not one"),
        (f"{BAD}---\n{BAD}---\n{GOOD}", "2 examples are 'bad', not one"),
        (f"{GOOD}---\n{BAD}", "the examples are not in the order bad, variant, good, near miss"),
        (f"{BAD}---\n{GOOD}---\n# variant: x\na: 1\n", "the examples are not in the order"),
    ],
)
def test_a_malformed_file_is_an_error(text: str, fault: str) -> None:
    with pytest.raises(ValueError, match=re.escape(fault)):
        parse_examples(text)


def test_a_rule_without_examples_is_an_error() -> None:
    with pytest.raises(OSError, match=r"no_examples\.yaml"):
        examples_of("tests.rules.invented.no_examples")


def test_each_rule_has_its_examples_next_to_its_module() -> None:
    assert {code for code, path in FILES.items() if not path.exists()} == set()
    assert set(PACKAGE.joinpath("rules").rglob("*.yaml")) == set(FILES.values()), "a file without a rule"


def test_no_example_is_in_a_module_of_a_rule() -> None:
    """An example in a file is YAML for editors too, and is read only if something asks for it."""
    found = []
    for path in (path.with_suffix(".py") for path in FILES.values()):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        texts = [str(node.value) for node in ast.walk(tree) if isinstance(node, ast.Constant)]
        found += [path.name for text in texts if re.search(r"^(kind|metadata): ", text, re.MULTILINE)]
    assert found == []


def test_lint_of_this_repository_does_not_read_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """They have faults on purpose."""
    monkeypatch.chdir(PACKAGE.parent)
    config, faults = read_config()
    assert (config.lint.paths, faults) == (("overlays",), [])


def test_the_examples_of_a_rule_differ_and_so_do_their_notes() -> None:
    for rule in RULES:
        notes = [example.note for example in rule.examples]
        texts = [example.text for example in rule.examples]
        assert len(set(notes)) == len(notes), rule.code
        assert len(set(texts)) == len(texts), rule.code
