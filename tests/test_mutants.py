"""The tool behind `make mutants`: which mutants it creates, and that it reports those that no test detects."""

import ast
import gc
import os
import re
import shutil
import signal
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from select import select

import pytest

from gitgpu.rules.object_rulebook import object_rules, rules_in
from tests.helping.cases import for_each
from tests.mutants import rules
from tests.mutants.checks import checks, forget
from tests.mutants.detectors import Detectors, detected, detectors, measure, within
from tests.mutants.faults import hidden, trial
from tests.mutants.forks import allow, forked
from tests.mutants.live import functions, put
from tests.mutants.measured import Measured
from tests.mutants.mutant import mutants, mutated
from tests.mutants.plan import ALSO, DOCUMENTS, chosen, covering, modules, stage_of
from tests.mutants.run import UNNOTICED, Run, outcomes
from tests.mutants.search import search
from tests.rules.named_examples import every_example
from tests.rules.objects.cases import SIDE as OBJECTS
from tests.rules.recorded_cases import Case

ROOT = Path(__file__).parents[1]


@pytest.fixture(autouse=True)
def unfrozen() -> Iterator[None]:
    """The functions and caches in memory can be listed; other tests run with what was imported frozen."""
    gc.unfreeze()
    yield
    gc.freeze()


@for_each(
    ("before", "after"),
    [
        ("a == b", ["a != b"]),
        ("a < b", ["a <= b", "a >= b"]),
        ("a not in b", ["a in b"]),
        ("not a", ["a"]),
        ("a and b", ["a or b", "b", "a"]),
        ("a or b or c", ["a and b and c", "b or c", "a or c", "a or b"]),
        ("min(a)", ["max(a)"]),
        ("a.startswith(b)", ["a.endswith(b)"]),
        ("any(a)", ["all(a)"]),
        ("a + b", ["a - b"]),
        ("3", ["4"]),
        ("True", ["False"]),
        ("'nvidia.com/gpu'", ["'xnvidia.com/gpu'"]),
        ("'a message with spaces'", []),
        ("'https://karpenter.sh/docs'", []),
        ("a if b else c", ["a if not b else c"]),
        ("[a for a in b if c]", ["[a for a in b]"]),
        ("str | None", []),
    ],
)
def test_the_mutants_of_an_expression(before: str, after: list[str]) -> None:
    source = f"x = {before}\n"
    changed = [ast.unparse(mutated(source, mutant.number)) for mutant in mutants(source)]
    wanted = [f"x = {text}" for text in after]
    assert [text for text in changed if text in wanted] == wanted
    assert bool(changed) == bool(after)


def test_statements_are_dropped_and_annotations_and_docstrings_are_left_alone() -> None:
    source = 'def f(a: "int") -> "str":\n    """key"""\n    if a:\n        g()\n    return a\n'
    assert [(mutant.line, mutant.function, mutant.before, mutant.after) for mutant in mutants(source)] == [
        (3, "f", "if a", "if not a"),
        (4, "f", "g()", "pass"),
        (5, "f", "return a", "return None"),
    ]


def test_names_without_an_effect_are_left_alone() -> None:
    assert [mutant.after for mutant in mutants('x = o.once("name", 3)\n')] == ["4"]
    assert list(mutants('__all__ = ["run"]\nKey = TypeVar("Key", bound="Hashable")\n')) == []


def test_a_default_is_outside_its_function() -> None:
    """A default is evaluated once, when the function is defined, so new code for the function does not change it."""
    source = "def f(a: int = 1) -> int:\n    return a + 2\n\n\nclass C:\n    def g(self, b: bool = True): ...\n"
    functions = {mutant.after: mutant.function for mutant in mutants(source)}
    assert (functions["2"], functions["False"], functions["3"]) == ("", "", "f")


def test_a_seed_selects_the_same_faults() -> None:
    files = ["gitgpu/schedule/budget.py", "gitgpu/schedule/taint.py"]
    first, again, other = (chosen(ROOT, files, 20, seed) for seed in (1, 1, 2))
    assert first == again != other
    assert len(first) == 20


def test_every_folder_and_module_has_its_tests() -> None:
    folders = [path.parent for path in (ROOT / "gitgpu").glob("*/__init__.py")]
    assert [path.name for path in folders if f"tests/{path.name}" not in covering(ROOT, f"gitgpu/{path.name}")] == []
    modules = [path for path in (ROOT / "gitgpu").glob("*.py") if not path.stem.startswith("__")]
    assert [path.name for path in modules if not covering(ROOT, f"gitgpu/{path.name}")] == []


def test_the_named_tests_exist() -> None:
    """Names of tests that do not exist are ignored silently."""
    stages = {stage_of(path.relative_to(ROOT).as_posix()) for path in (ROOT / "gitgpu").rglob("*")}
    assert ALSO.keys() | DOCUMENTS.keys() <= stages
    assert [test for tests in ALSO.values() for test in tests if not (ROOT / test).exists()] == []


WORDS = """
FEW = "few"
MANY = "many"
"""
CODE = """
from collections.abc import Callable

from gitgpu.small.words import FEW

LEAST = 3
STEP = 2
UNITS = ("GiB", "MiB")


def text(value: int) -> str:
    if value < LEAST:
        return FEW
    while value > 9:
        value -= 7
    return MANY(value)


def always(word: str) -> Callable[[int], str]:
    def answer(value: int) -> str:
        return word * bool(value)

    return answer


MANY = always("many")


def elsewhere(value: int) -> int:
    return value


def more(value: int, by: int = STEP, times: int = 5) -> int:
    return value + by * times


def unused(value: int) -> int:
    return value
"""
TESTS = """
import subprocess
import sys

from gitgpu.small.text import UNITS, more, text
from gitgpu.small.words import MANY


def test_text() -> None:
    assert text(1) == "few"
    assert text(12) == MANY


def test_a_default() -> None:
    assert more(1) == 11


def test_units() -> None:
    assert sorted(UNITS) == ["GiB", "MiB"]


def test_of_a_process() -> None:
    program = "from gitgpu.small.text import elsewhere; raise SystemExit(elsewhere(3) != 3)"
    assert subprocess.run([sys.executable, "-c", program]).returncode == 0
"""


def test_what_no_test_notices_survives(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Loading all plugins takes longer than these tests.
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.setenv("PYTEST_PLUGINS", "_hypothesis_pytestplugin")
    copy = tmp_path / "copy"
    shutil.copytree(
        ROOT / "tests" / "mutants", copy / "tests" / "mutants", ignore=shutil.ignore_patterns("__pycache__")
    )
    files = {
        "gitgpu/__init__.py": "",
        "gitgpu/small/__init__.py": "",
        "tests/__init__.py": "",
        "tests/small/__init__.py": "",
    }
    code = {"gitgpu/small/text.py": CODE, "gitgpu/small/words.py": WORDS, "tests/small/test_text.py": TESTS}
    for path, text in {**files, **code}.items():
        (copy / path).parent.mkdir(parents=True, exist_ok=True)
        (copy / path).write_text(text, encoding="utf-8")
    watched = modules(copy, "gitgpu/small")
    run = Run(copy, covering(copy, "gitgpu/small"), watched, tmp_path, grace=2)
    wanted = {
        (6, "4"): "survived",
        (7, "3"): "killed",  # a constant that is used as a default
        (8, "'xGiB'"): "killed",  # a constant that is read by a test which runs no line of the module
        (12, "value >= LEAST"): "killed",
        (15, "pass"): "timeout",
        (21, "word + bool(value)"): "killed",  # in a function that is created when the module is imported
        (23, "return None"): "cold",  # it runs when the module is imported
        (30, "return None"): "unreached",  # it runs in another process
        (33, "6"): "killed",  # a default
        (38, "return None"): "unreached",
        (2, "'xfew'"): "killed",  # a constant that another module imports
        (3, "'xmany'"): "killed",  # a constant that a test imports
    }
    faults = [tried for tried in chosen(copy, watched, 99, 1) if (tried.fault.line, tried.fault.after) in wanted]
    assert outcomes(run, faults, fast=True) == list(wanted.values())
    again = [fault for fault, outcome in zip(faults, wanted.values(), strict=True) if outcome in UNNOTICED]
    assert outcomes(run, again, fast=False) == ["survived", "killed", "survived"]


def test_a_fork_that_hangs_is_killed() -> None:
    """While a regular expression is matched, Python runs no signal handler."""

    def work() -> int:
        allow(0.1)
        return len(re.findall("(a+)+b", "a" * 60))

    assert forked(work, 600) is None
    assert forked(lambda: 3, 600) == 3


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux can end a process with its parent")
def test_a_fork_ends_with_its_parent() -> None:
    read, write = os.pipe()

    def work() -> int:
        os.write(write, b"started")
        time.sleep(60)
        return 0

    parent = os.fork()
    if not parent:
        forked(work, 600)
        os._exit(0)
    os.close(write)
    assert os.read(read, 7) == b"started"
    os.kill(parent, signal.SIGKILL)
    os.waitpid(parent, 0)
    assert select([read], [], [], 30)[0], "the fork still has the pipe"
    assert os.read(read, 1) == b""
    os.close(read)


def test_a_slow_test_leaves_its_time_to_faster_ones_if_it_does_not_fit() -> None:
    seconds = {"narrow": 2.0, "slow": 9.0, "broad": 3.0, "broader": 4.0}
    known = Measured([*seconds], seconds, {}, {name: at for at, name in enumerate(seconds)}, {}, [], [])
    assert within(Detectors([], {}, forget), {*seconds}, known, 6) == {"narrow", "broad"}


def test_caches_are_cleared_although_objects_are_frozen() -> None:
    using = detectors([], ["object"])
    gc.freeze()
    object_rules()
    assert rules_in.cache_info().currsize
    using.forget()
    assert not rules_in.cache_info().currsize


def test_examples_of_rules_detect_faults_in_code_that_rules_share() -> None:
    file = "gitgpu/objects/node/disruption_budgets.py"
    source, live = (ROOT / file).read_text(encoding="utf-8"), functions()
    budgets = next(check for check in checks("object") if check.name == "NPL010 bad 1")
    using = Detectors([], {budgets.name: budgets.run}, forget)
    known = measure(using, [file])
    (fault,) = (mutant for mutant in mutants(source) if (mutant.function, mutant.after) == ("place", "return None"))
    assert known.through(file, [fault.line]) == {budgets.name}

    def work(change: bool) -> int:
        if change and not put(mutated(source, fault.number), file, fault.function, live):
            return 3
        return int(detected(using, {budgets.name}, known, grace=60))

    assert [forked(partial(work, change), 600) for change in (False, True)] == [0, 1]


def test_faults_of_a_rule_that_its_examples_and_cases_do_not_show(capsys: pytest.CaptureFixture[str]) -> None:
    assert rules.main(["NPL003"]) == 0
    assert capsys.readouterr().out == "NPL003: 0 not shown, 1 cases\n"


def test_a_change_of_an_example_shows_a_fault() -> None:
    (rule,) = (rule for rule in OBJECTS.rules if rule.code == "NPL003")
    trials = [trial(OBJECTS, rule, Case(name)) for name, _ in every_example(rule)]
    examples = [tried for tried in trials if tried]
    left = list(hidden(OBJECTS, rule, examples))
    assert left
    shown = list(search(OBJECTS, rule, left, seconds=600, seed=1))
    assert not left
    assert all(tried.case.steps or tried.case.of.startswith("NPL") for tried in shown)
