"""Settings for all tests."""

import gc
import os
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st

from tests.helping.forked_program import forked_program

# No deadline, because the first example of a run reads the catalog. Each run tries other examples, except in CI: a
# change must not fail there because of an example that was never tried before.
CI = "CI" in os.environ
CACHED = type(cache(lambda: None))
MEMORY = "/dev/shm"  # writing small files takes half as long as on a disk
settings.register_profile("gitgpu", deadline=None, max_examples=10, derandomize=CI)
settings.register_profile("thorough", deadline=None, max_examples=1000)
settings.load_profile("gitgpu")

# The program itself runs without the garbage collector. Tests keep many objects and make few cycles, so that frequent
# collections cost time and free little.
gc.set_threshold(50_000, 20, 20)


def pytest_configure(config: pytest.Config) -> None:
    """Tests run on one core, so that commands start no process unless they are told to: each would import all rules.

    Workers of pytest-xdist are on different cores; the process that starts them runs none. Control planes and browsers
    need all cores.
    """
    has_tests = hasattr(config, "workerinput") or not config.getoption("tx", [])
    needs_all = any(folder in path for path in config.args for folder in ("e2e", "browser"))
    if hasattr(os, "sched_setaffinity") and has_tests and not needs_all:
        cores = sorted(os.sched_getaffinity(0))
        worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
        os.sched_setaffinity(0, {cores[worker % len(cores)]})
    if not needs_all and "TMPDIR" not in os.environ and _is_spacious(MEMORY):
        os.environ["TMPDIR"] = tempfile.tempdir = MEMORY


def _is_spacious(folder: str) -> bool:
    """Whether temporary files can be in a folder: there is a gigabyte, and it can hold programs."""
    if not os.access(folder, os.W_OK):
        return False
    system = os.statvfs(folder)
    return system.f_bavail * system.f_frsize > 1 << 30 and not system.f_flag & os.ST_NOEXEC


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    """Hypothesis makes its table of characters before the process is large: in a new checkout, this takes 200 MB."""
    st.characters(codec="utf-8").validate()
    if hasattr(session.config, "workerinput") and session.config.args == session.config.getini("testpaths"):
        _import_modules(session.config)


def _import_modules(config: pytest.Config) -> None:
    """Each worker begins at another module: in a new checkout, it compiles its part, and reads what others compiled."""
    others, worker = config.getini("norecursedirs"), vars(config)["workerinput"]
    paths = sorted(path for path in Path("tests").rglob("test_*.py") if path.parts[1] not in others)
    first = len(paths) * int(worker["workerid"].removeprefix("gw")) // worker["workercount"]
    for path in paths[first:]:
        with suppress(Exception):  # pytest reports it
            import_module(".".join(path.with_suffix("").parts))


def pytest_collection_finish() -> None:
    """What has been imported stays: the garbage collector need not look at it again."""
    gc.collect()
    gc.freeze()


def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """What the functions of a module have cached is not needed after its last test."""
    module = item.getparent(pytest.Module)
    if module and (nextitem is None or nextitem.getparent(pytest.Module) is not module):
        for value in vars(module.obj).values():
            if isinstance(value, CACHED) and value.__module__ == module.obj.__name__:
                value.cache_clear()


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish() -> None:
    """Garbage is collected once, and what is left is not looked at again: pytest and Python do it several times."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def gitgpu() -> Iterator[str]:
    """The text of an executable file that behaves like `gitgpu` of this checkout, for scripts."""
    with forked_program() as text:
        yield text
