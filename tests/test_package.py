"""The wheel contains every file that the program reads, and works outside the checkout. No network is needed."""

import json
import os
import subprocess
import sys
import tarfile
import zipfile
from importlib.util import find_spec
from pathlib import Path

import pytest

from gitgpu.load.catalog.rows import CatalogFiles

ROOT = Path(__file__).parents[1]
WATCHED = [ROOT / name for name in ("gitgpu", "schemas", "catalog", "overlays", "fleet.yaml")]
# Runs the installed program and prints the path of every file that it opens.
WATCHER = """\
import sys
opened = set()
sys.addaudithook(lambda event, found: opened.add(str(found[0])) if event == "open" else None)
import gitgpu.cli.main
status = gitgpu.cli.main.main(sys.argv[2:])
with open(sys.argv[1], "w", encoding="utf-8") as file:
    file.write("\\n".join([gitgpu.__file__, *sorted(opened)]))
sys.exit(status)
"""


def call(arguments: list[str], folder: Path, **environment: str) -> str:
    """The output of a program that must exit with 0."""
    variables = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "GITGPU_DEBUG")}
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env={**variables, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel built from the checkout, without a network."""
    return built(tmp_path_factory.mktemp("wheel"), "wheel", "*.whl")


def built(folder: Path, kind: str, pattern: str) -> Path:
    """A wheel or an sdist of the checkout. Skips the test if the tools are not installed."""
    for module in ("build", "hatchling"):
        if find_spec(module) is None:
            pytest.skip(f"{module} is not installed")
    call(["-m", "build", f"--{kind}", "--no-isolation", "--outdir", str(folder), str(ROOT)], folder)
    [path] = folder.glob(pattern)
    return path


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory in which only the wheel is installed."""
    target = tmp_path_factory.mktemp("installed")
    pip = ["-m", "pip", "install", "--no-deps", "--no-index", "--no-compile", "--disable-pip-version-check"]
    call([*pip, "--target", str(target), str(wheel)], target)
    return target


def gitgpu(installed: Path, folder: Path, *arguments: str) -> str:
    """The output of the installed program. Fails if it reads a file of the checkout."""
    log = installed.parent / "opened.txt"
    output = call(["-c", WATCHER, str(log), *arguments], folder, PYTHONPATH=str(installed))
    package, *opened = log.read_text(encoding="utf-8").splitlines()
    assert Path(package).is_relative_to(installed)
    assert any(Path(name).is_relative_to(installed) for name in opened)
    assert [name for name in opened if any(Path(name).is_relative_to(place) for place in WATCHED)] == []
    return output


def names(wheel: Path) -> set[str]:
    """The files in the wheel."""
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def test_the_wheel_holds_every_schema_and_every_row(wheel: Path) -> None:
    wanted = {
        f"gitgpu/_data/{path.relative_to(ROOT).as_posix()}"
        for folder, pattern in (("schemas", "*.json"), ("catalog", "*.yaml"))
        for path in (ROOT / folder).rglob(pattern)
    }
    assert len(wanted) > 200
    assert wanted <= names(wheel)


def test_the_wheel_holds_every_row_as_json_too(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        lines = archive.read("gitgpu/_data/rows.jsonl").decode("ascii").splitlines()
    shipped = {name: json.loads(row) for name, row in (line.split("\t") for line in lines)}
    catalog = CatalogFiles()
    rows = {f"{kind}/{name}": catalog.row(kind, name) for kind in catalog.kinds for name in catalog.names(kind)}
    assert {name: repr(row) for name, row in shipped.items()} == {
        name: repr(row.data) for name, row in rows.items() if row
    }


def test_the_wheel_holds_every_module_and_its_examples_and_nothing_else(wheel: Path) -> None:
    files = {name for name in names(wheel) if ".dist-info/" not in name and not name.startswith("gitgpu/_data/")}
    plugin = {name for name in files if name.endswith("/kubectl-gitgpu")}  # for the PATH, and where the command is
    assert len(plugin) == 2
    assert files - {"gitgpu/py.typed"} - plugin == package()


def test_the_sdist_holds_every_module_and_its_examples(tmp_path: Path) -> None:
    with tarfile.open(built(tmp_path, "sdist", "*.tar.gz")) as archive:
        files = {name.partition("/")[2] for name in archive.getnames()}
    assert package() <= files


def package() -> set[str]:
    """The modules of the checkout, and the examples of rules."""
    files = {
        path.relative_to(ROOT).as_posix() for path in (ROOT / "gitgpu").rglob("*") if path.suffix in (".py", ".yaml")
    }
    assert len([name for name in files if name.endswith(".yaml")]) > 600
    return files


def test_it_works_where_it_is_installed(installed: Path, tmp_path: Path) -> None:
    """`init` and `build` work in another directory."""
    gitgpu(installed, tmp_path, "init")
    gitgpu(installed, tmp_path, "build")
    assert list((tmp_path / "overlays").rglob("nodepool-*.yaml"))
    gitgpu(installed, tmp_path, "build", "--check")
    listed = json.loads(gitgpu(installed, tmp_path, "sku", "list", "-o", "json"))
    assert len(listed["skus"]) == len(list((ROOT / "catalog" / "skus").glob("*.yaml")))
    assert "kind: ScaledObject" in gitgpu(installed, tmp_path, "rule", "show", "KED041")


def test_there_is_a_console_script(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        [entry] = [name for name in archive.namelist() if name.endswith("entry_points.txt")]
        assert "gitgpu = gitgpu.cli.main:run" in archive.read(entry).decode()
