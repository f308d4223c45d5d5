"""Values files of known charts that `--values` does not name: lint recognises them by their keys."""

from pathlib import Path

import pytest

from tests.cli.conftest import Run

VALUES = "driver: {enabeld: false}\ntoolkit: {enabled: false}\n"
POOL = "apiVersion: v1\nkind: Namespace\nmetadata: {name: gpu}\n"


def write(folder: Path, files: dict[str, str]) -> None:
    for name, content in files.items():
        (folder / name).write_text(content)


def codes(run: Run, folder: Path, *options: str) -> list[str]:
    result = run("lint", str(folder), "-o", "github", *options)
    return [line for line in result.out.splitlines() if "enabeld" in line]


def test_a_values_file_of_a_known_chart_is_checked(run: Run, tmp_path: Path) -> None:
    write(tmp_path, {"gpu-operator-values.yaml": VALUES, "pool.yaml": POOL})
    (found,) = codes(run, tmp_path)
    assert "STK033" in found


@pytest.mark.parametrize(
    "files",
    [
        {"settings.yaml": VALUES},  # it is not named like a values file
        {"values.yaml": f"{VALUES}own: 1\n"},  # no chart has these keys
        {"values.yaml": VALUES, "Chart.yaml": "apiVersion: v2\nname: gpu\nversion: 1.0.0\n"},  # of a chart of its own
    ],
)
def test_other_files_are_not(run: Run, tmp_path: Path, files: dict[str, str]) -> None:
    write(tmp_path, {**files, "pool.yaml": POOL})
    assert codes(run, tmp_path) == []


def test_a_file_that_is_named_is_reported_once(run: Run, tmp_path: Path) -> None:
    write(tmp_path, {"values.yaml": VALUES, "pool.yaml": POOL})
    assert len(codes(run, tmp_path, "--values", f"gpu-operator={tmp_path / 'values.yaml'}")) == 1


def test_two_files_for_one_chart_are_checked_apart(run: Run, tmp_path: Path) -> None:
    """They may be for two clusters, or one may go over the other: they are no second GPU Operator."""
    write(tmp_path, {"values.yaml": "driver: {enabled: false}\n", "values-prod.yaml": "toolkit: {enabled: false}\n"})
    write(tmp_path, {"pool.yaml": POOL})
    result = run("lint", str(tmp_path), "-o", "github")
    assert "::error" not in result.out
    assert "::warning" not in result.out
