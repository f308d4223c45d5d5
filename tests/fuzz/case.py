"""One case: some files and a command line, run in process under a watchdog."""

import io
import os
import signal
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import chdir, contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any, NamedTuple
from unittest.mock import patch

from gitgpu.cli.main import main
from gitgpu.report import format_names
from tests.fuzz.material import POOLS, WORKLOADS, dumped, material
from tests.fuzz.mutate import mutated

PATIENCE = 10  # seconds of CPU time, since other programs may use the processors
WAITING = 120  # seconds of wall time, for a program that waits and uses no CPU
CODES = (0, 1, 2)
BATCH = 8  # texts of a lint run: reading the catalog takes longer than looking at one


class Case(NamedTuple):
    """The files, by path below a directory that is otherwise empty, and the words of the command line."""

    files: Mapping[str, bytes]
    words: tuple[str, ...]


class HungError(BaseException):
    """The command took too long. Not an Exception: nothing that catches those may swallow it."""


def case(seed: int) -> Case:
    """The case for a seed, which is the same on every machine."""
    random = Random(seed)
    return random.choice(KINDS)(random)


def failure(case: Case) -> str:
    """The failure of the program for a case, or ""."""
    out, err = io.StringIO(), io.StringIO()
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        Path(".git").mkdir()
        for name, content in case.files.items():
            Path(name).parent.mkdir(parents=True, exist_ok=True)
            Path(name).write_bytes(content)
        try:
            with _watched(), redirect_stdout(out), redirect_stderr(err), patch.dict(os.environ, {"GITGPU_DEBUG": "1"}):
                code = main(case.words)
        except HungError:
            return f"took more than {PATIENCE} s"
        except BaseException as error:  # noqa: BLE001  whatever comes out is what is looked for
            return f"{type(error).__name__}: {error}"
    output = out.getvalue() + err.getvalue()
    internal = next((line for line in output.splitlines() if "INT001" in line), "")
    return internal or ("" if code in CODES else f"exit status {code}")


@contextmanager
def _watched() -> Iterator[None]:
    def stop(*_: int | FrameType | None) -> None:
        raise HungError

    timers = ((signal.SIGPROF, signal.ITIMER_PROF, PATIENCE), (signal.SIGALRM, signal.ITIMER_REAL, WAITING))
    before = [signal.signal(sign, stop) for sign, _, _ in timers]
    for _, timer, seconds in timers:
        signal.setitimer(timer, seconds)
    try:
        yield
    finally:
        for (sign, timer, _), old in zip(timers, before, strict=True):
            signal.setitimer(timer, 0)
            signal.signal(sign, old)


def _lint(random: Random) -> Case:
    known = material()
    texts = [mutated(random.choice(known.manifests), random, list(known.objects)) for _ in range(BATCH)]
    files = {f"d/{number}.yaml": _bytes(text, random) for number, text in enumerate(texts)}
    more = random.choice(((), ("--whole-cluster",), ("--diff",), ("--strict",), ("--fix",), ("--today", "2027-01-01")))
    if random.random() < 0.3:
        keys = ("resources", "patchesStrategicMerge", "components", "bases")
        index = {random.choice(keys): [f"{n}.yaml" for n in range(BATCH)], "namespace": "x"}
        files["d/kustomization.yaml"] = mutated(dumped([index]), random, list(known.objects)).encode()
    return Case(files, ("lint", "d", "-o", random.choice(format_names()), *more))


def _lint_beside(random: Random) -> Case:
    """With CRDs and values that are mutated as well."""
    known = material()
    donors = list(known.objects)
    files = {"d/a.yaml": mutated(random.choice(known.manifests), random, donors).encode("utf-8", "replace")}
    words: tuple[str, ...] = ("lint", "d")
    if known.crds and random.random() < 0.6:
        files["crds/a.yaml"] = mutated(random.choice(known.crds), random, donors).encode("utf-8", "replace")
        words += ("--crds", "crds")
    values = random.choice(donors)
    files["values.yaml"] = mutated(dumped([values.get("spec", values)]), random, donors).encode("utf-8", "replace")
    chart = random.choice(("gpu-operator", "nvidia-device-plugin", "keda", "dcgm-exporter", "prometheus-adapter"))
    return Case(files, (*words, "--values", f"{chart}=values.yaml"))


def _simulate(random: Random) -> Case:
    known = material()
    pools = [random.choice(known.of_kinds(POOLS)) for _ in range(random.choice((1, 2, 4)))]
    work = [random.choice(known.of_kinds(WORKLOADS)) for _ in range(random.choice((1, 2, 4)))]
    donors = [*pools, *work]
    files = {
        "pools.yaml": mutated(dumped(pools), random, donors).encode("utf-8", "replace"),
        "work.yaml": mutated(dumped(work), random, donors).encode("utf-8", "replace"),
    }
    form = random.choice(("text", "json", "html"))
    return Case(files, ("simulate", "--pools", "pools.yaml", "--workloads", "work.yaml", "-o", form))


def _fleet(random: Random) -> Case:
    known = material()
    text = mutated(random.choice(known.fleets), random, _donors(known.fleets))
    if random.random() < 0.3:
        text += "\n---\n" + mutated(random.choice(known.fleets), random, list(known.objects))
    words = random.choice(
        (
            ("validate",), ("validate", "--diff"), ("build",), ("build", "-o", "sarif"), ("build", "--check"),
            ("plan",), ("plan", "-o", "json"), ("simulate",), ("simulate", "-o", "html"), ("lint", "."),
        )
    )  # fmt: skip
    return Case({"fleet.yaml": _bytes(text, random)}, words)


def _plan(random: Random) -> Case:
    """A fleet next to overlays of another fleet."""
    known = material()
    texts = [mutated(random.choice(known.manifests), random, list(known.objects)) for _ in range(4)]
    places = ("nodes", "controllers", "sync", "workloads", "monitoring")
    files = {
        f"old/c1/{random.choice(places)}/{number}.yaml": text.encode("utf-8", "replace")
        for number, text in enumerate(texts)
    }
    fleet = random.choice(known.fleets).encode()
    form = random.choice(("text", "json", "markdown"))
    return Case({**files, "fleet.yaml": fleet}, ("plan", "--against", "old", "-o", form))


def _donors(texts: Sequence[str]) -> list[dict[str, Any]]:
    from tests.fuzz.material import documents  # noqa: PLC0415

    return [document for text in texts[:40] for document in documents(text) if isinstance(document, dict)]


def _bytes(text: str, random: Random) -> bytes:
    """The text, now and then cut in the middle of a character or with an invalid byte."""
    raw = text.encode("utf-8", "replace")
    if random.random() < 0.03:
        at = random.randrange(len(raw) + 1)
        return raw[:at] + random.choice((b"", b"\xff", b"\x00", b"\xef\xbb\xbf", b"\r"))
    return raw


KINDS = (_lint, _lint, _lint, _lint_beside, _simulate, _simulate, _fleet, _fleet, _plan)
