"""The mutants of a rule, and which of them some documents detect."""

import signal
import sys
import types
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from gitgpu.rule import AnyRule
from tests.mutants.mutant import Mutant, mutants, mutated
from tests.rules.recorded_cases import Case, Side, applied, examples, outcome

SECONDS = 5  # time limit of a rule with a fault, for all of its examples


class Trial(NamedTuple):
    """A case, the input of rules for it, and the findings of the rule without a fault."""

    case: Case
    subjects: Sequence[Any]
    reported: Sequence[str]


class Fault(NamedTuple):
    """A fault in a rule's module, and the rule with this fault; None if the module cannot be loaded."""

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
        except Exception:  # noqa: BLE001  for any error, every test fails
            yield Fault(mutant, None)
        else:
            yield Fault(mutant, changed.RULE)


def is_shown(side: Side, rule: AnyRule, trial: Trial) -> bool:
    """Whether a rule with a fault reports something else."""
    signal.signal(signal.SIGALRM, _too_late)
    signal.setitimer(signal.ITIMER_REAL, SECONDS)
    try:
        return [*outcome(side, rule.check, trial.subjects)] != trial.reported
    except Exception:  # noqa: BLE001  a rule that raises or does not end is shown
        return True
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def trial(side: Side, rule: AnyRule, case: Case) -> Trial | None:
    """A case run without a fault; None if its documents are not valid."""
    try:
        subjects = side.subjects(applied(case, examples(side, rule)))
    except (KeyError, IndexError, TypeError, ValueError, AttributeError):
        return None  # two incompatible changes
    if subjects is None:
        return None
    try:
        return Trial(case, subjects, [*outcome(side, rule.check, subjects)])
    except Exception as error:  # noqa: BLE001  a bug of the rule
        print(f"{rule.code} raises {error!r}: {case.text}", file=sys.stderr)
        return None


def hidden(side: Side, rule: AnyRule, known: Sequence[Trial]) -> Iterator[Fault]:
    """The faults that neither the examples of a rule nor its cases detect."""
    for fault in faults(rule):
        if fault.rule is None or fault.rule._replace(check=rule.check) != rule:
            continue
        if not any(is_shown(side, fault.rule, each) for each in known):
            yield fault


def shows(side: Side, fault: Fault, tried: Trial) -> bool:
    """Whether a case detects a fault of a rule."""
    return fault.rule is not None and is_shown(side, fault.rule, tried)


def _too_late(*_: object) -> Callable[..., Any]:
    raise TimeoutError
