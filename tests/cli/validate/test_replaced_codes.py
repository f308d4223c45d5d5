"""If a code is replaced, everything that users wrote with the old code still works."""

from pathlib import Path

import pytest

from gitgpu.rules.fleet_rulebook import fleet_rules
from tests.cli.conftest import Run
from tests.rules.fleet.examples import BASE

(BAD,) = [rule.bad for rule in fleet_rules() if rule.code == "SCL011"]
CONFIG = "apiVersion: gitgpu.dev/v1alpha1\nkind: Config\n"


@pytest.fixture(autouse=True)
def _fleet(run: Run) -> None:
    Path("fleet.yaml").write_text("---\n".join([BAD, BASE["Fleet"], BASE["GpuPool"]]))


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("--select", "SCL011"), True),
        (("--select", "SCL014"), True),
        (("--select", "SCL01"), True),
        (("--select", "SCL012"), False),
        (("--ignore", "SCL014"), False),
        (("--select", "SCL", "--ignore", "SCL014"), False),
        (("--ignore", "SCL012"), True),
    ],
)
def test_the_command_line_accepts_the_old_code(run: Run, arguments: tuple[str, ...], expected: bool) -> None:
    ran = run("validate", *arguments)
    assert ran.code in (0, 1)
    assert ("error[SCL011]" in ran.out) is expected


def test_an_unknown_code_is_refused(run: Run) -> None:
    assert run("validate", "--select", "SCL999").code == 2
    assert run("lint", "--select", "SCL014", "fleet.yaml").code == 2


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        ("select: [SCL014]\n", True),
        ("ignore: [SCL014]\n", False),
        ('allow: [{code: SCL014, reason: "known"}]\n', False),
        ('allow: [{code: SCL012, reason: "known"}]\n', True),
    ],
)
def test_the_configuration_accepts_the_old_code(run: Run, config: str, expected: bool) -> None:
    Path(".gitgpu.yaml").write_text(CONFIG + config)
    ran = run("validate")
    assert "CFG001" not in ran.out
    assert ("error[SCL011]" in ran.out) is expected


def test_a_comment_accepts_the_old_code(run: Run) -> None:
    fleet = Path("fleet.yaml")
    scaling = next(line for line in fleet.read_text().splitlines() if "target: 95" in line)
    fleet.write_text(fleet.read_text().replace(scaling, f"{scaling}  # gitgpu: ignore[SCL014] the peak is above it"))
    out = run("validate").out
    assert "SCL011" not in out
    assert "ALW001" not in out
