"""Starts a rule: `python -m tools.new_rule objects/keda idle-replicas-above-zero`.

Writes the module of the rule and its examples, with the next free code of the subject, and a TODO for everything that
is left to write. The subject is a folder of gitgpu/rules/fleet or gitgpu/rules/objects. Nothing is replaced.

Exit status: 1 if the rule exists, 2 if the subject does not exist or the name is not valid.
"""

import argparse
import re
import sys
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import Any

import yaml

from gitgpu.model.names import kinds
from gitgpu.report.reference.faults import faults
from gitgpu.rule import AnyRule
from gitgpu.rules.fleet_rulebook import PARTS, fleet_rules
from gitgpu.rules.kinds import Kinds
from gitgpu.rules.object_rulebook import object_rules

RULES = Path(__file__).parents[1] / "gitgpu" / "rules"
SUBJECT, NAME = re.compile(r"(fleet|objects)/[a-z0-9_]+"), re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
TODO = re.compile(r"TODO\b[^\n\"]*")
NEW_SUBJECT = """\
there is no folder {path}. These exist: {others}.
For a new subject, create the folder with an __init__.py that has
- a docstring: the heading of its rules in docs/reference
- PREFIX: three letters that its codes start with, "KED" for example
- KINDS: {kinds}"""
DOCUMENTS = (  # the parts of `Inputs`, those that most rules are about first: how to read each, its name, its kind
    ("pools", "for pool in inputs.pools", "pool", "GpuPool"),
    ("clusters", "for cluster in inputs.clusters", "cluster", "Cluster"),
    ("workloads", "for workload in inputs.workloads", "workload", "GpuWorkload"),
    ("models", "for model in inputs.models", "model", "GpuWorkload"),
    ("teams", "for team in inputs.teams", "team", "GpuTeam"),
    ("fleet", "for fleet in (inputs.fleet,)", "fleet", "Fleet"),
)
KINDS = {
    "fleet": f"a frozenset of the documents that its findings are about, of {', '.join(PARTS)}",
    "objects": "the kinds of object that its rules read: see `kinds` in gitgpu/rules/kinds.py",
}
IMPORTS = {
    "fleet": """\
from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.rules.fleet_rule import Finding, Rule
""",
    "objects": """\
from gitgpu.diagnostic import Severity
{constant_import}from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule
""",
}
CHECKS = {
    "fleet": """\
def _check(inputs: Inputs) -> Iterator[Finding]:
    {loop}:
        if {item}.name == "TODO: the condition":
            message = "TODO: what is wrong, with the values that show it"
            yield Finding({item}.origin, ("spec", "TODO: the key"), message, "TODO: what to do")
""",
    "objects": """\
def _check(objects: Objects) -> Iterator[Finding]:
    for item in objects.of({kind}):
        if item.identity.name == "TODO: the condition":
            message = "TODO: what is wrong, with the values that show it"
            yield Finding(item, ("spec", "TODO: the field"), message, "TODO: what to do")
""",
}
MODULE = '''\
"""TODO: what the rule finds, as one sentence or phrase."""

from collections.abc import Iterator

{imports}

{check}

RULE = Rule(
    code="{code}",
    name="{name}",
    severity=Severity.WARNING,  # TODO: ERROR if the object is rejected, never becomes Ready or never matches
    summary="TODO: what the rule finds, as one sentence.",
    help="TODO: why it is a problem.",
    sources=("TODO: a link that proves it, with the commit of the file",),
    check=_check,
)
'''
NO_DOCUMENT = """\
apiVersion: TODO
kind: TODO
metadata: {name: TODO}
"""
EXAMPLES = """\
# bad: TODO: what is wrong. Only this rule may report an error.
{example}---
# variant: TODO: another bad example, for a finding that cannot be in the first one; or remove it.
{example}---
# good: TODO: what is different from the bad example. No rule may report it.
{example}---
# near miss: TODO: what the rule must not report, such as the value at a limit; or remove it.
{example}"""


def next_code(prefix: str) -> str:
    """The code after the highest one with this prefix, including codes of faults and of rules that were replaced."""
    rules: tuple[AnyRule, ...] = (*fleet_rules(), *object_rules())
    codes = {*chain.from_iterable((rule.code, *rule.replaces) for rule in rules), *(fault.code for fault in faults())}
    return f"{prefix}{max((int(code[3:]) for code in codes if code.startswith(prefix)), default=0) + 1:03}"


def texts(subject: str, name: str) -> tuple[str, str]:
    """The text of the module, and that of the examples."""
    side, _, folder = subject.partition("/")
    package = import_module(f"gitgpu.rules.{side}.{folder}")
    every_rule: tuple[AnyRule, ...] = (*fleet_rules(), *object_rules())
    rules = [rule for rule in every_rule if rule.check.__module__.startswith(f"{package.__name__}.")]
    read = _objects_read(package.KINDS, rules) if side == "objects" else _part_read(package.KINDS)
    module = MODULE.format(
        imports=IMPORTS[side].format_map(read),
        check=CHECKS[side].format_map(read),
        code=next_code(package.PREFIX),
        name=name,
    )
    return module, EXAMPLES.format(example=_example(rules, read["title"]))


def _part_read(parts: Collection[str]) -> Mapping[str, str]:
    """The part of `Inputs` that the check goes through: pools, if rules of the folder are about them."""
    _, loop, item, title = next(row for row in DOCUMENTS if row[0] in parts)
    return {"loop": loop, "item": item, "title": title}


def _objects_read(declared: Kinds, rules: Iterable[AnyRule]) -> Mapping[str, str]:
    """The kind that the check goes through: the one that most bad examples of the folder have."""
    constants = {kind: constant for constant, kind in vars(kinds).items() if isinstance(kind, kinds.GroupKind)}
    usual = Counter(kind for rule in rules for kind in {*map(kinds.group_kind, _documents(rule.bad))})
    known = [kind for kind, _ in usual.most_common() if declared.concern(frozenset({kind})) and kind in constants]
    if not known:
        return {"kind": '"TODO: the group", "TODO: the kind"', "constant_import": "", "title": ""}
    constant = constants[known[0]]
    line = f"from {kinds.__name__} import {constant}\n"
    return {"kind": f"*{constant}", "constant_import": line, "title": known[0][1]}


def _example(rules: Iterable[AnyRule], title: str) -> str:
    """The shortest example of the folder that no rule reports and that has a document of this kind."""
    about = [rule.good for rule in rules if title in {str(body["kind"]) for body in _documents(rule.good)}]
    return min(about, key=len, default=NO_DOCUMENT)


def _documents(example: str) -> Iterator[dict[str, Any]]:
    """The Kubernetes objects of an example."""
    return (body for body in yaml.load_all(example, yaml.CSafeLoader) if isinstance(body, dict) and "kind" in body)


def problem(subject: str, name: str) -> str:
    """Why there can be no such rule, or ""."""
    side = subject.partition("/")[0]
    if not SUBJECT.fullmatch(subject):
        return f"'{subject}' is not fleet/SUBJECT or objects/SUBJECT"
    if not (RULES / subject / "__init__.py").is_file():
        others = ", ".join(sorted(path.parent.name for path in (RULES / side).glob("*/__init__.py")))
        return NEW_SUBJECT.format(path=f"gitgpu/rules/{subject}", others=others, kinds=KINDS[side])
    return "" if NAME.fullmatch(name) else f"'{name}' is not a name: use lowercase words with hyphens"


def unfinished(rules: Path) -> list[str]:
    """The TODOs that are left in the files below a folder of rules, each with its place."""
    left = []
    for path in sorted((*rules.rglob("*.py"), *rules.rglob("*.yaml"))):
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            if found := TODO.search(line):
                left.append(f"{path.relative_to(rules).as_posix()}:{number}: {found[0]}")
    return left


def main(arguments: Sequence[str]) -> int:
    """Writes the two files, and prints their paths and what to do next."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.new_rule", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("subject", help="fleet/SUBJECT or objects/SUBJECT, such as objects/keda")
    parser.add_argument("name", help="what the rule forbids, such as idle-replicas-above-zero")
    given = parser.parse_args(arguments)
    if wrong := problem(given.subject, given.name):
        print(wrong, file=sys.stderr)
        return 2
    stem = RULES / given.subject / given.name.replace("-", "_")
    files = stem.with_suffix(".py"), stem.with_suffix(".yaml")
    if existing := [path for file in files for path in sorted(stem.parents[1].glob(f"*/{file.name}"))]:
        print(f"{existing[0].relative_to(RULES.parents[1])} exists; nothing was written", file=sys.stderr)
        return 1
    for path, text in zip(files, texts(given.subject, given.name), strict=True):
        path.write_text(text, "utf-8", newline="\n")
        print(path.relative_to(RULES.parents[1]))
    print("Replace each TODO, then run `make generated` and `.venv/bin/pytest --snapshot-update tests/rules`.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
