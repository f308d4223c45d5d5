"""After a build, `validate` and `build --check` use the cache, with the same result as a complete check."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from gitgpu.cli.fleets.stamp import stamp_of
from gitgpu.cli.settings import fleet_settings
from gitgpu.load.spec.texts import read_spec
from gitgpu.report import format_names
from gitgpu.write.cache_path import FOLDER, cache_path
from gitgpu.write.tree import digest
from tests.cli.conftest import Run
from tests.cli.fleets import SOUND, WARNED, write

ROOT = Path(__file__).resolve().parents[3]
POOL = Path("overlays/c1/nodes/nodepool-t4.yaml")


@pytest.fixture
def built(run: Run) -> Run:
    """A directory whose output has just been built."""
    write(SOUND)
    assert run("build").code == 0
    return run


def test_an_unchanged_fleet_gets_the_result_of_a_complete_check(built: Run) -> None:
    for form in format_names():
        for command in (("validate",), ("build", "--check")):
            short = built(*command, "-o", form)
            shutil.move(FOLDER, "elsewhere")
            assert built(*command, "-o", form) == short
            shutil.rmtree(FOLDER, ignore_errors=True)
            shutil.move("elsewhere", FOLDER)


@pytest.mark.parametrize("words", ["'validate'", "'build', '--check'"])
def test_an_unchanged_fleet_imports_neither_rules_nor_yaml(built: Run, words: str) -> None:
    heavy = "{'gitgpu.runs.validate', 'gitgpu.runs.build', 'gitgpu.rules', 'yaml'}"
    code = f"import sys; from gitgpu.cli.main import main; main([{words}]); sys.exit(str({heavy} & {{*sys.modules}}))"
    done = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, check=False
    )
    assert done.stderr.decode().splitlines()[-1] == "set()"


def edited(path: Path) -> None:
    """Changes a file, but neither its size nor its timestamp."""
    before = path.stat()
    path.write_bytes(path.read_bytes().replace(b"nvidia", b"nvidai"))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


@pytest.mark.parametrize(
    "change",
    [
        lambda: edited(POOL),
        POOL.unlink,
        lambda: Path("overlays/c1/nodes/more.yaml").write_text("a: 1\n", "utf-8"),
        lambda: write(SOUND.replace("gpus: 2", "gpus: 3")),
    ],
    ids=("edited file", "missing file", "additional file", "other spec"),
)
def test_check_detects_a_change_of_any_input(built: Run, change: Callable[[], object]) -> None:
    change()
    assert built("build", "--check").code == 1
    assert built("validate").code == 0


def test_check_does_not_change_the_cache(built: Run) -> None:
    cache = Path(cache_path("overlays"))
    before = cache.read_bytes()
    os.utime(POOL, (1, 1))
    assert built("build", "--check").code == 0
    assert cache.read_bytes() == before


def test_a_build_renews_a_cache_that_is_older_than_the_program(built: Run) -> None:
    os.utime(cache_path("overlays"), (1, 1))
    assert built("build").err.startswith("overlays: 0 written, 0 removed")
    assert built("build").err == "overlays is up to date: nothing to do\n"


def test_a_cache_of_another_checkout_proves_nothing(built: Run) -> None:
    """It could have been committed with the stamp of an unchecked spec and the hashes of edited files."""
    cache = Path(cache_path("overlays"))
    text = cache.read_text("utf-8")
    old = digest(POOL.read_bytes())
    edited(POOL)
    cache.write_text(text.replace(old, digest(POOL.read_bytes())), "utf-8")
    assert built("build", "--check").code == 1
    shutil.rmtree("overlays")
    head = json.loads(text.splitlines()[0]) | {"digest": digest(b""), "latest": {}, "files": 0}
    cache.write_text(f"{json.dumps(head)}\n", "utf-8")
    assert built("build", "--check").code == 1


def own_catalog(config: str) -> None:
    """A catalog with a file that is not a row, and optionally a configuration that names it."""
    Path("facts/skus").mkdir(parents=True)
    Path("facts/skus/notes.txt").write_text("", "utf-8")
    Path(".gitgpu.yaml").write_text(f"apiVersion: gitgpu.dev/v1alpha1\nkind: Config\n{config}", "utf-8")


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda: write(WARNED), ""),
        (lambda: own_catalog("catalog: [facts]\n"), "CAT006"),
        (lambda: own_catalog("allow: [{code: SKU001, reason: none}]\n"), "ALW001"),
        (lambda: own_catalog("nothing: 1\n"), "CFG001"),
    ],
    ids=("spec", "catalog", "allowance", "configuration"),
)
def test_validate_detects_a_change_of_any_input(built: Run, change: Callable[[], object], code: str) -> None:
    change()
    ran = built("validate")
    assert "0 errors, 0 warnings" not in ran.err
    assert code in ran.out
    assert code in built("build").out


def test_an_allowance_that_allows_nothing_is_reported_after_a_build_of_a_path(run: Run) -> None:
    write(SOUND)
    own_catalog("allow: [{code: SKU001, reason: none}]\n")
    assert run("build", "fleet.yaml").code == 0
    assert "ALW001" not in run("validate", "fleet.yaml").out
    assert "ALW001" in run("validate").out


def test_a_cache_without_the_number_of_objects_is_not_used(built: Run) -> None:
    cache = Path(cache_path("overlays"))
    before = built("validate")
    cache.write_text(cache.read_text("utf-8").replace('"objects"', '"old"', 1), "utf-8")
    assert built("validate") == before


def test_another_date_is_checked_again(built: Run) -> None:
    for command in (("validate",), ("build", "--check")):
        assert "CLU" in built(*command, "--today", "2035-01-01").out


def test_fixes_are_counted_though_nothing_changed(built: Run) -> None:
    assert "0 fixable in 0 files" in built("validate", "--diff").err


@pytest.mark.parametrize("words", [("--ignore", "SKU008"), ("--select", "LNK"), ("--today", "2026-11-28")])
def test_a_build_after_one_that_options_narrow_reports_everything(run: Run, words: tuple[str, ...]) -> None:
    write(WARNED)
    assert run("build", *words).code == 0
    assert "warning[SKU008]" in run("build").out


def test_a_shortcut_needs_the_same_output_directory(built: Run) -> None:
    assert built("build", "--out", "other").err.startswith("other: ")
    assert built("build", "--out", "other").err == "other is up to date: nothing to do\n"


def test_a_stamp_counts_only_with_the_output_that_it_was_written_for(run: Run) -> None:
    write(WARNED)
    assert run("build").code == 0
    settings = fleet_settings(())
    texts, _ = read_spec(settings.paths, settings.target)
    cache = Path(cache_path("overlays"))
    first, rest = cache.read_text("utf-8").split("\n", 1)
    head = json.loads(first) | {"inputs": stamp_of(texts, settings).inputs}
    cache.write_text(f"{json.dumps(head)}\n{rest}", "utf-8")
    edited(POOL)
    for command in (("validate",), ("build", "--check")):
        assert "warning[SKU008]" in run(*command).out
