"""Very many faults: the most severe ones are shown, all are counted, and the work grows linearly."""

import json
from pathlib import Path

import pytest

from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.load.explain import faults, validator
from gitgpu.load.explain.messages import Leaf, message
from gitgpu.load.parse.syntax import MAX_FAULTS
from gitgpu.policy import Policy
from gitgpu.runs.validate import CheckedFleet, settle_fleet
from gitgpu.source import Span
from tests.cli.conftest import Run
from tests.rules.objects.test_rules import RULES

BARE = "---\napiVersion: karpenter.sh/v1\nkind: NodePool\nmetadata: {{name: n{}}}\n"
MANY = 1100  # more than are shown
WRONG = "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {{name: n{}}}\ndata:\n" + "".join(
    f"  k{at}: 1\n" for at in range(MANY // 2)
)


def test_the_most_severe_findings_are_shown_and_all_are_counted(run: Run) -> None:
    Path("x.yaml").write_text("".join(map(BARE.format, range(MANY))) + "---\napiVersion: v1\nkind: Pod\nmetadata: {}\n")
    ran = run("lint", "x.yaml", "-o", "json")
    report = json.loads(ran.out)
    total = report["summary"]["errors"] + report["summary"]["warnings"] + report["summary"]["infos"]
    assert (ran.code, len(report["results"]), report["summary"]["truncated"]) == (1, 1000, total - 1000)
    assert f"1,000 of {total:,} findings are shown; --max-findings 0 shows all" in ran.err
    assert f"Summary: {MANY + 1:,} objects in 1 file - {report['summary']['errors']:,} errors" in ran.err


def test_every_format_says_how_many_findings_it_omits(run: Run) -> None:
    Path("x.yaml").write_text(WRONG.format(1) + WRONG.format(2))
    whole = json.loads(run("lint", "x.yaml", "-o", "json", "--max-findings", "0").out)
    total = len(whole["results"])
    assert total >= MANY
    assert whole["summary"]["truncated"] == 0
    sarif = json.loads(run("lint", "x.yaml", "-o", "sarif").out)["runs"][0]
    (note,) = sarif["invocations"][0]["toolExecutionNotifications"]
    assert (len(sarif["results"]), note["message"]["text"]) == (1000, f"{total - 1000} less severe results omitted.")
    assert f"and {total - 100} more" in run("lint", "x.yaml", "-o", "markdown").out


def test_errors_are_shown_before_warnings(run: Run) -> None:
    Path("x.yaml").write_text("---\napiVersion: v1\nkind: Pod\nmetadata: {Name: 1}\n" + RULES[0].bad)
    shown = json.loads(run("lint", "x.yaml", "-o", "json", "--max-findings", "1").out)["results"]
    assert [result["severity"] for result in shown] == ["error"]


def test_the_exit_code_does_not_depend_on_how_many_findings_are_shown(run: Run) -> None:
    Path("x.yaml").write_text("".join(map(BARE.format, range(3))))
    assert run("lint", "x.yaml", "--max-findings", "1").code == 1


def test_a_file_full_of_faults_is_not_read_completely(run: Run) -> None:
    Path("x.yaml").write_text("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: n}\ndata:\n" + "  k: 1\n" * 50_000)
    report = json.loads(run("lint", "x.yaml", "-o", "json", "--max-findings", "0").out)
    codes = [result["code"] for result in report["results"]]
    assert (codes.count("YML002"), codes.count("YML008")) == (MAX_FAULTS, 1)
    rest = next(result for result in report["results"] if result["code"] == "YML008")
    assert rest["message"] == "over 1,000 faults: the rest was not read"
    assert rest["help"] == "correct the faults above first"


def test_only_some_faults_of_an_object_full_of_faults_are_explained(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Leaf] = []

    def counted(leaf: Leaf) -> str:
        asked.append(leaf)
        return message(leaf)

    monkeypatch.setattr(faults, "message", counted)
    keys = "".join(f"  key{number}: 1\n" for number in range(5000))
    Path("x.yaml").write_text(f"apiVersion: karpenter.sh/v1\nkind: NodePool\nmetadata: {{name: n}}\nspec:\n{keys}")
    ran = run("lint", "x.yaml", "--max-findings", "0")
    assert "more faults" in ran.out
    assert len(asked) <= faults.MAX_EXPLAINED


def test_a_validator_class_is_created_once(run: Run) -> None:
    """Creating the class takes longer than checking an object with it."""
    Path("x.yaml").write_text("".join(map(BARE.format, range(50))))
    run("lint", "x.yaml")
    assert validator._kind.cache_info().currsize == 1


def test_findings_are_not_compared_with_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """Allowed findings are found in linear time, not in quadratic time."""
    diagnostics = tuple(
        Diagnostic("SHP001", Severity.ERROR, f"m{at}", "h", Span("a.yaml", at, 1)) for at in range(2000)
    )
    compared: list[object] = []

    class Counted(str):
        __slots__ = ()

        def __eq__(self, other: object) -> bool:
            compared.append(other)
            return str(self) == other

        __hash__ = str.__hash__

    counted = tuple(diagnostic._replace(code=Counted(diagnostic.code)) for diagnostic in diagnostics)
    checked = CheckedFleet((), None, counted, 0)
    assert settle_fleet(checked, Policy()).allowed == ()
    assert len(compared) <= 3 * len(diagnostics)
