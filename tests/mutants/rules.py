"""`python -m tests.mutants.rules FOLDER...`: mutants of a rule that its own examples and cases do not detect.

Tries every fault of every module, in this process: a rule is a function of documents. With `--record` it looks for
changes of the examples that detect the faults, and writes them to the cases of the rules. Prints the other faults.
"""

import argparse
import sys
from collections.abc import Sequence
from typing import Any

import yaml

from gitgpu.rule import AnyRule
from tests.mutants.faults import hidden, trial
from tests.mutants.search import search
from tests.rules.fleet.cases import SIDE as FLEETS
from tests.rules.named_examples import every_example
from tests.rules.objects.cases import SIDE as OBJECTS
from tests.rules.recorded_cases import Case, Side, recorded

SIDES = (OBJECTS, FLEETS)


def main(words: Sequence[str]) -> int:
    """Reports or records, for the rules of some folders."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants.rules", description=__doc__)
    parser.add_argument("folders", nargs="*", help="such as objects/nodepools, or NPL003 (default: all)")
    parser.add_argument("--record", action="store_true", help="look for changes that show the faults")
    parser.add_argument("--seconds", type=float, default=10, help="to look for changes for a rule (default: 10)")
    parser.add_argument("--seed", type=int, default=1, help="the order in which changes are tried (default: 1)")
    options = parser.parse_args(words)
    for side in SIDES:
        folders: dict[str, list[AnyRule]] = {}
        for rule in side.rules:
            folders.setdefault(rule.check.__module__.split(".")[-2], []).append(rule)
        for folder, rules in sorted(folders.items()):
            name = f"{side.folder.parent.name}/{folder}"
            chosen = [rule for rule in rules if not options.folders or {name, rule.code} & {*options.folders}]
            _report(side, folder, chosen, options)
    return 0


def _report(side: Side, folder: str, rules: Sequence[AnyRule], options: argparse.Namespace) -> None:
    cases = recorded(side, folder)
    for rule in rules:
        own = [Case(name) for name, _ in every_example(rule)]
        known = [tried for case in (*own, *cases.get(rule.code, ())) if (tried := trial(side, rule, case))]
        left = list(hidden(side, rule, known))
        if options.record:
            trials = search(side, rule, left, options.seconds, options.seed) if left else ()
            cases[rule.code] = [*cases.get(rule.code, ()), *(tried.case for tried in trials)]
            _save(side, folder, cases)
        for fault in left:
            print(f"  {rule.check.__module__}:{fault.mutant.line}: {fault.mutant.before}  ->  {fault.mutant.after}")
        print(f"{rule.code}: {len(left)} not shown, {len(cases.get(rule.code, ()))} cases", flush=True)


def _save(side: Side, folder: str, cases: dict[str, list[Case]]) -> None:
    lines = []
    for code, kept in sorted(cases.items()):
        lines += [f"{code}:"] if kept else []
        for case in kept:
            row: dict[str, Any] = {"of": case.of} | ({"steps": [*case.steps]} if case.steps else {})
            text = yaml.safe_dump(row, default_flow_style=True, sort_keys=False, width=100)
            lines.append("  - " + text.rstrip("\n").replace("\n", "\n   "))
    side.folder.mkdir(exist_ok=True)
    (side.folder / f"{folder}.yaml").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
