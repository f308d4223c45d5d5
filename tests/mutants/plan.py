"""Which mutants are tried, and which tests must detect them."""

import random
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from tests.mutants.mutant import Mutant, mutants

# The tests of a folder are those of the folder of the same name, those of a module `tests/test_<module>.py`; these have
# more, fastest first.
ALSO: dict[str, tuple[str, ...]] = {
    "adjust": ("tests/patch", "tests/lint/test_release_values.py"),
    "adopt": ("tests/runs/test_import.py", "tests/cli/import_/test_import.py", "tests/cli/import_/test_charts.py"),
    "runs/amend": ("tests/cli/edits/test_spec_changes.py", "tests/journeys/test_rings.py"),
    "rules/fleet": ("tests/test_remedies.py", "tests/refresh/test_catalog_notes.py", "tests/runs/test_validate.py"),
    "cli": ("tests/refresh", "tests/write/test_ownership.py", "tests/journeys", "tests/report"),
    "compare": ("tests/cli/plan/test_plan.py", "tests/cli/catalog/test_diff.py", "tests/report"),
    "runs/compile": ("tests/runs/test_build.py", "tests/jobs", "tests/emit", "tests/cli/test_jobs.py"),
    "rules/objects": (
        "tests/lint",
        "tests/test_delivery_files.py",
        "tests/runs/test_build.py",
        "tests/cli/lint/test_lint.py",
    ),
    "diagnostic": ("tests/report", "tests/test_policy.py"),
    "edit": ("tests/runs/amend", "tests/test_remedies.py"),
    "emit": ("tests/plan", "tests/adjust", "tests/patch", "tests/test_example.py"),
    "runs/baseline": ("tests/runs/test_plan.py", "tests/cli/plan/test_plan.py"),
    "runs/lint_files": ("tests/cli/lint", "tests/cli/test_jobs.py"),
    "runs/losses": ("tests/cli/build_/test_retirement.py", "tests/cli/build_/test_lost_software.py"),
    "runs/plan": ("tests/cli/plan/test_plan.py", "tests/cli/catalog/test_diff.py", "tests/report"),
    "runs/refresh": ("tests/cli/catalog/test_refresh.py", "tests/refresh", "tests/journeys/test_fresh_catalog.py"),
    "runs/existing": ("tests/cli/import_/test_several_clusters.py",),
    "runs/validate": (
        "tests/runs/test_build.py",
        "tests/model",
        "tests/cli/test_allowed_errors.py",
        "tests/cli/validate/test_selected.py",
    ),
    "runs/import_": ("tests/adopt", "tests/cli/import_/test_import.py"),
    "runs/lint": (
        "tests/test_delivery_files.py",
        "tests/jobs",
        "tests/cli/lint/test_lint.py",
        "tests/cli/test_jobs.py",
    ),
    "load": (
        "tests/lint",
        "tests/test_delivery_files.py",
        "tests/test_kustomize.py",
        "tests/test_edit.py",
        "tests/test_remedies.py",
        "tests/runs/test_validate.py",
        "tests/refresh",
        "tests/cli/lint/test_lint.py",
        "tests/cli/build_/test_build.py",
    ),
    "mirror": ("tests/cli/images/test_images.py", "tests/journeys/test_registry.py", "tests/emit/test_registry.py"),
    "model": (
        "tests/catalog/test_catalog_versions.py",
        "tests/rules/fleet",
        "tests/plan",
        "tests/cli/edits/test_spec_changes.py",
        "tests/cli/test_rings.py",
    ),
    "patch": ("tests/adjust", "tests/lint/test_patch_files.py", "tests/simulate/test_patches.py"),
    "runs/build": (
        "tests/jobs",
        "tests/cli/build_/test_build.py",
        "tests/cli/test_jobs.py",
        "tests/cli/test_allowed_errors.py",
    ),
    "plan": ("tests/emit", "tests/mirror", "tests/test_example.py"),
    "policy": ("tests/cli/test_allowed_errors.py", "tests/cli/lint/test_lint.py", "tests/cli/rule/test_rule.py"),
    "refresh": ("tests/journeys/test_fresh_catalog.py",),
    "registry": ("tests/rules/objects/test_rules.py", "tests/cli/test_help.py"),
    "report": ("tests/refresh", "tests/cli"),
    "rule": ("tests/lint/test_lint.py", "tests/cli/rule/test_rule.py"),
    "schedule": ("tests/simulate",),
    "simulate": ("tests/cli/simulate/test_simulate.py", "tests/report"),
    "runs/simulate": ("tests/simulate", "tests/cli/simulate/test_simulate.py"),
    "source": ("tests/load/test_yaml.py", "tests/load/configuration", "tests/report"),
    "write": (
        "tests/cli/build_/test_build.py",
        "tests/cli/init/test_init.py",
        "tests/cli/import_/test_import.py",
        "tests/cli/edits/test_spec_changes.py",
        "tests/test_example.py",
    ),
}
# The kinds of rule that use a folder, whose examples and cases are tried before the tests.
DOCUMENTS: dict[str, tuple[str, ...]] = {
    "objects": ("object",),
    "rules/fleet": ("fleet",),
    "rules/inputs": ("fleet",),
    "rules/objects": ("object",),
}
STAGES_OF_STAGES = {"rules", "runs"}  # what is in them has tests of its own


class Tried(NamedTuple):
    """A fault in a file."""

    file: str
    fault: Mutant

    @property
    def text(self) -> str:
        """Its place and its change, as text."""
        return f"{self.file}:{self.fault.line}: {self.fault.before}  ->  {self.fault.after}"


def modules(root: Path, folder: str, without: str = "") -> list[str]:
    """The modules of a folder, or one module, as paths below the root; none of sub-folders called `without`."""
    path = root / folder
    paths = [path] if path.is_file() else sorted(path.rglob("*.py"))
    return [file.relative_to(root).as_posix() for file in paths if without not in file.relative_to(root).parts[:-1]]


def chosen(root: Path, files: Iterable[str], count: int, seed: int) -> list[Tried]:
    """As many faults as asked for, by rng: the same for the same seed and the same code."""
    every = [Tried(file, fault) for file in files for fault in mutants((root / file).read_text(encoding="utf-8"))]
    sample = random.Random(seed).sample(every, min(count, len(every)))
    return sorted(sample, key=lambda tried: (tried.file, tried.fault.number))


def stage_of(folder: str) -> str:
    """The stage that a folder or module belongs to, such as `emit` or `rules/fleet`; "" for all of gitgpu."""
    parts = Path(folder).with_suffix("").parts[1:]
    return "/".join(parts[: 2 if parts and parts[0] in STAGES_OF_STAGES else 1])


def covering(root: Path, folder: str) -> list[str]:
    """The tests that have to notice a fault of a folder: its own and those that it shares."""
    stage = stage_of(folder)
    above, _, name = f"tests/{stage}".rpartition("/") if stage else ("", "", "")
    wanted = (f"tests/{stage}", f"{above}/test_{name}.py", *ALSO.get(stage, ()))
    return [test for test in dict.fromkeys(wanted) if (root / test).exists()] or [above]
