"""One case: some files and a command line, run in process under a watchdog."""

import io
import json
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
from tests.fuzz.material import POOLS, WORKLOADS, documents, dumped, material
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


def _import(random: Random) -> Case:
    """Running objects, as Kubernetes objects or in the formats of Azure and Terraform."""
    known = material()
    texts = [random.choice(known.inventories), random.choice(known.manifests)]
    files = {}
    for number, text in enumerate(random.sample(texts, random.choice((1, 2)))):
        odd = mutated(text, random, list(known.objects)) if not text.lstrip().startswith("{") else _json(text, random)
        files[f"d/{number}.{'json' if odd.lstrip().startswith('{') else 'yaml'}"] = _bytes(odd, random)
    known_facts = ("--cluster", "lab", "--region", "swedencentral", "--kubernetes", "1.36")
    more = random.choice(
        ((), known_facts, known_facts, ("--dry-run",), ("--dry-run", "-o", "json"), ("-o", "markdown"))
    )
    if random.random() < 0.3:
        text = random.choice(known.fleets)
        files["fleet/fleet.yaml"] = mutated(text, random, _donors(known.fleets)).encode("utf-8", "replace")
        more = (*more, random.choice(("--check", "--force")))
    return Case(files, ("import", "d", *more))


def _json(text: str, random: Random) -> str:
    """A changed JSON text."""
    try:
        value = json.loads(text)
    except ValueError:
        return text
    changed = documents(mutated(dumped([value]), random, [value] if isinstance(value, dict) else [{"a": value}]))
    return json.dumps(changed[0] if changed else None, default=str)


def _pins(random: Random) -> Case:
    """Commands that read or change a fleet in place."""
    known = material()
    text = mutated(random.choice(known.fleets), random, _donors(known.fleets))
    name = random.choice(("gpu-operator", "dcgm-exporter", "keda", "gpu-operator=v26.3.3", "keda=x", "x", ""))
    words = random.choice(
        (
            ("images",), ("images", "-o", "json"), ("images", "-o", "skopeo"), ("outdated",),
            ("outdated", "-o", "json"),
            ("upgrade", name), ("upgrade", "--pin"), ("upgrade", name, "--dry-run", "-o", "json"),
            ("promote", "canary", "prod"), ("promote", "a", "b", "--dry-run"), ("validate", "--effective", "gpu"),
            ("sku", "list"), ("rule", "list", "-o", "json"),
        )
    )  # fmt: skip
    return Case({"fleet.yaml": _bytes(text, random)}, words)


def _explain(random: Random) -> Case:
    """Odd words, and an odd configuration."""
    kind = random.choice(("GpuPool", "Fleet", "Cluster.spec", "Config", "GpuWorkload.spec.scaling", "x", "SCH001"))
    odd = mutated(dumped([{"a": kind}]), random, [{"b": "spec"}])[:60].replace("\0", "")
    words = random.choice(
        (
            ("explain", kind), ("explain", odd), ("rule", "show", odd), ("sku", "show", odd), ("schema", odd),
            ("sku", "diff", odd, "Standard_NC24ads_A100_v4"), ("lint", "--select", odd), ("validate", "--ignore", odd),
            ("sku", "list", "--region", odd), ("explain", kind, "-o", "json"),
        )
    )  # fmt: skip
    config = dumped([{"fleet": "fleet.yaml", "out": "overlays", "catalog": ["catalog"], "select": ["SCH"],
                      "lint": {"skip": ["Pod"], "kubernetesVersion": "1.34", "paths": ["d"]}}])  # fmt: skip
    return Case({".gitgpu.yaml": mutated(config, random, [{"out": "."}]).encode("utf-8", "replace")}, words)


def _catalog(random: Random) -> Case:
    """Answers of Azure and of chart repositories, and rows of one's own catalog."""
    known = material()
    files = {"fleet.yaml": random.choice(known.fleets).encode()}
    if random.random() < 0.5:
        files["answer.json"] = _json(random.choice(known.answers), random).encode("utf-8", "replace")
        option = random.choice(("--skus", "--prices", "--usage", "--versions", "--charts"))
        more = random.choice((("--dry-run",), ("-o", "json")))
        words = ("catalog", "refresh", option, "answer.json", "--out", "catalog", "--today", "2027-06-30", *more)
        return Case(files, words)
    folder, row = random.choice(known.rows)
    files[f"own/{folder}/a.yaml"] = mutated(row, random, list(known.objects)).encode("utf-8", "replace")
    files[".gitgpu.yaml"] = b"catalog: own\n"
    words = random.choice(
        (("validate",), ("catalog", "diff", "own"), ("build", "--check"), ("sku", "list"), ("lint", "."))
    )
    return Case(files, words)


def _donors(texts: Sequence[str]) -> list[dict[str, Any]]:
    return [document for text in texts[:40] for document in documents(text) if isinstance(document, dict)]


def _bytes(text: str, random: Random) -> bytes:
    """The text, now and then cut in the middle of a character or with an invalid byte."""
    raw = text.encode("utf-8", "replace")
    if random.random() < 0.03:
        at = random.randrange(len(raw) + 1)
        return raw[:at] + random.choice((b"", b"\xff", b"\x00", b"\xef\xbb\xbf", b"\r"))
    return raw


KINDS = (
    *(_lint, _lint, _lint, _lint_beside, _simulate, _simulate, _fleet, _fleet, _plan),
    *(_import, _import, _import, _pins, _explain, _catalog),
)
