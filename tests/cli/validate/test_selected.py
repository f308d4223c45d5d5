"""--select and --ignore: which values are valid codes."""

import pytest

from gitgpu.cli.settings import FindingOptions, settings_without_fleet
from tests.cli.conftest import Run
from tests.cli.fleets import SOUND, write


@pytest.mark.parametrize("text", ["12", "SKU0012", "sku-1", "FOUR001", "SKU001,?"])
def test_an_invalid_code_is_refused(run: Run, text: str) -> None:
    write(SOUND)
    done = run("validate", "--select", text)
    assert done.code == 2
    assert "is not a code or code prefix, such as SKU001 or SKU" in done.err


@pytest.mark.parametrize("text", ["SKU", "s", "sku001", " SKU001 , SCL ", "SKU0,,"])
def test_codes_and_prefixes_of_codes(run: Run, text: str) -> None:
    write(SOUND)
    assert run("validate", "--ignore", text).code == 0


@pytest.mark.parametrize(
    ("prefix", "code"), [("VAL", 0), ("PAT001", 0), ("SKU", 0), ("LNT", 2), ("IMP", 2), ("EDT", 2)]
)
def test_a_code_that_validate_never_reports_cannot_be_selected(run: Run, prefix: str, code: int) -> None:
    write(SOUND)
    ran = run("validate", "--select", prefix)
    assert (ran.code, "does not report codes that start with" in ran.err) == (code, code == 2)


def test_the_codes_of_a_command_are_not_listed_for_each_of_them() -> None:
    asked: list[int] = []

    def reportable() -> list[str]:
        asked.append(1)
        return [f"SKU{number:03}" for number in range(900)]

    settings_without_fleet(chosen=FindingOptions(select=("SKU899",))).judging(reportable, whole=True)
    assert len(asked) < 10
