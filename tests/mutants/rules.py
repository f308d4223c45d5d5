"""`python -m tests.mutants.rules ROOM...`: which small faults in a rule do its own examples and cases not show?

Tries every fault of every module, in this process: a rule is a function of documents. With `--record` it looks for
changes of the examples that show the faults, and writes them to the cases of the rules. What is left is printed.
"""

import argparse
import random
import signal
import sys
import time
import types
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from gitgpu.rule import AnyRule
from tests.check.cases import SIDE as FLEETS
from tests.conform.cases import SIDE as OBJECTS
from tests.mutants.operators import Mutant, mutants, mutated
from tests.mutants.trials import trials
from tests.rule_cases import Case, Side, applied, examples, outcome, recorded
from tests.rule_examples import every_example

SIDES = (OBJECTS, FLEETS)
SECONDS = 5  # that a rule may take with a fault, for all of its examples


class Trial(NamedTuple):
    """A case with what rules get of it, and what the rule without a fault reports."""

    case: Case
    subjects: Sequence[Any]
    reported: Sequence[str]


class Fault(NamedTuple):
    """A fault of a rule's module and the rule that it makes; None if the module cannot be loaded."""

    mutant: Mutant
    rule: AnyRule | None


def faults(rule: AnyRule) -> Iterator[Fault]:
    """Every fault in the module of a rule."""
    module = sys.modules[rule.check.__module__]
    source = Path(str(module.__file__)).read_text(encoding="utf-8")
    for mutant in mutants(source):
        changed = types.ModuleType(module.__name__)
        changed.__dict__.update(__file__=module.__file__, __package__=module.__package__)
        try:
            exec(compile(mutated(source, mutant.number), str(module.__file__), "exec"), changed.__dict__)
        except Exception:  # noqa: BLE001  whatever it is, every test fails
            yield Fault(mutant, None)
        else:
            yield Fault(mutant, changed.RULE)


def is_shown(side: Side, rule: AnyRule, trial: Trial) -> bool:
    """Does a rule with a fault report something else?"""
    signal.setitimer(signal.ITIMER_REAL, SECONDS)
    try:
        return [*outcome(side, rule.check, trial.subjects)] != trial.reported
    except Exception:  # noqa: BLE001  a rule that raises or does not end is shown
        return True
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def trial(side: Side, rule: AnyRule, case: Case) -> Trial | None:
    """A case, tried without a fault; None if its documents are not valid."""
    try:
        subjects = side.subjects(applied(case, examples(side, rule)))
    except (KeyError, IndexError, TypeError, ValueError, AttributeError):
        return None  # two changes that do not go together
    if subjects is None:
        return None
    try:
        return Trial(case, subjects, [*outcome(side, rule.check, subjects)])
    except Exception as error:  # noqa: BLE001  a bug of the rule
        print(f"{rule.code} raises {error!r}: {case.text}", file=sys.stderr)
        return None


def hidden(side: Side, rule: AnyRule, known: Sequence[Trial]) -> Iterator[Fault]:
    """The faults that neither the examples of a rule nor its cases show."""
    for fault in faults(rule):
        if fault.rule is None or fault.rule._replace(check=rule.check) != rule:
            continue
        if not any(is_shown(side, fault.rule, each) for each in known):
            yield fault


def search(side: Side, rule: AnyRule, left: list[Fault], seconds: float, seed: int) -> Iterator[Trial]:
    """Changes of the examples that show faults; removes these faults from `left`."""
    until = time.process_time() + seconds
    lines = {line for fault in left for line in range(fault.mutant.line, fault.mutant.last + 1)}
    for case in trials(side, rule, lines, random.Random(seed)):
        if not left or time.process_time() > until:
            return
        tried = trial(side, rule, case)
        if tried is None:
            continue
        still = [fault for fault in left if fault.rule is None or not is_shown(side, fault.rule, tried)]
        if len(still) < len(left):
            left[:] = still
            yield tried


def main(words: Sequence[str]) -> int:
    """Report, or record, for the rules of some rooms."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants.rules", description=__doc__)
    parser.add_argument("rooms", nargs="*", help="such as conform/nodepools (default: all)")
    parser.add_argument("--record", action="store_true", help="look for changes that show the faults")
    parser.add_argument("--seconds", type=float, default=10, help="to look for changes for a rule (default: 10)")
    parser.add_argument("--seed", type=int, default=1, help="the order in which changes are tried (default: 1)")
    asked = parser.parse_args(words)
    signal.signal(signal.SIGALRM, _too_late)
    for side in SIDES:
        rooms: dict[str, list[AnyRule]] = {}
        for rule in side.rules:
            rooms.setdefault(rule.check.__module__.split(".")[-2], []).append(rule)
        for room, rules in sorted(rooms.items()):
            if not asked.rooms or f"{side.folder.parent.name}/{room}" in asked.rooms:
                _room(side, room, rules, asked)
    return 0


def _room(side: Side, room: str, rules: Sequence[AnyRule], asked: argparse.Namespace) -> None:
    cases = recorded(side, room)
    for rule in rules:
        own = [Case(name) for name, _ in every_example(rule)]
        known = [tried for case in (*own, *cases.get(rule.code, ())) if (tried := trial(side, rule, case))]
        left = list(hidden(side, rule, known))
        if asked.record:
            found = search(side, rule, left, asked.seconds, asked.seed) if left else ()
            cases[rule.code] = [*cases.get(rule.code, ()), *(tried.case for tried in found)]
            _save(side, room, cases)
        for fault in left:
            print(f"  {rule.check.__module__}:{fault.mutant.line}: {fault.mutant.before}  ->  {fault.mutant.after}")
        print(f"{rule.code}: {len(left)} not shown, {len(cases.get(rule.code, ()))} cases", flush=True)


def _save(side: Side, room: str, cases: dict[str, list[Case]]) -> None:
    lines = []
    for code, found in sorted(cases.items()):
        lines += [f"{code}:"] if found else []
        for case in found:
            row: dict[str, Any] = {"of": case.of} | ({"steps": [*case.steps]} if case.steps else {})
            text = yaml.safe_dump(row, default_flow_style=True, sort_keys=False, width=100)
            lines.append("  - " + text.rstrip("\n").replace("\n", "\n   "))
    side.folder.mkdir(exist_ok=True)
    (side.folder / f"{room}.yaml").write_text("\n".join(lines) + "\n", encoding="utf-8")


def _too_late(*_: object) -> Callable[..., Any]:
    raise TimeoutError


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
