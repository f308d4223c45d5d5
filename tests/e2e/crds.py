"""CRDs: read from folders, prepared for the tests, and installed."""

import os
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Any

import yaml

from tests.e2e.client import Client, Object, RefusedError
from tests.e2e.processes import until

SHARED = Path(__file__).parents[3] / "shared"
EVERY = "*.yaml"
KUEUE = "kueue-0.19.2"  # the shared folder of definitions has four of its kinds


def folders() -> list[Path]:
    """Where definitions are: a folder that GITGPU_E2E_CRDS names, else `../shared/crds`.

    A sub-folder, or a folder next to the shared one that is called `crds-of-charts`, holds what a chart installs: that
    wins over the definition of the project, because it is what clusters have.
    """
    named = os.environ.get("GITGPU_E2E_CRDS")
    main = Path(named) if named else SHARED / "crds"
    charts = main if named else SHARED / "crds-of-charts"
    more = [] if named else [path for path in (SHARED / "upstream" / "crds" / KUEUE,) if path.is_dir()]
    return [main, *more, *sorted(path for path in charts.glob("*") if path.is_dir())] if main.is_dir() else []


def read(folder: Path) -> dict[str, Object]:
    """The definitions in a folder, by name."""
    bodies = [
        document
        for path in sorted(folder.glob(EVERY))
        for document in yaml.load_all(path.read_text(encoding="utf-8"), yaml.CSafeLoader)
    ]
    return {
        body["metadata"]["name"]: fit(body) for body in bodies if body and body["kind"] == "CustomResourceDefinition"
    }


def fit(definition: Object) -> Object:
    """A definition for the API server of the tests: no conversion webhook, and no descriptions, which take time."""
    spec = {**plain(definition["spec"]), "conversion": {"strategy": "None"}}
    kept = {key: definition["metadata"].get(key) for key in ("name", "annotations", "labels")}
    metadata = {key: value for key, value in kept.items() if value}
    return {"apiVersion": definition["apiVersion"], "kind": definition["kind"], "metadata": metadata, "spec": spec}


def plain(node: Any) -> Any:
    """A schema without its sentences; a property that is called `description` is a mapping, and stays."""
    if isinstance(node, list):
        return [plain(item) for item in node]
    if not isinstance(node, dict):
        return node
    return {key: plain(value) for key, value in node.items() if not (key == "description" and isinstance(value, str))}


def install(client: Client, sources: Iterable[Path]) -> int:
    """Install the definitions of these folders, later ones over earlier ones, and wait until they are served."""
    wanted: dict[str, Object] = {}
    for folder in sources:
        wanted |= read(folder)
    for definition in wanted.values():
        try:
            client.create(definition)
        except RefusedError as error:
            raise RuntimeError(f"{definition['metadata']['name']}: {error}") from error
    for definition in wanted.values():
        until(partial(established, client, definition), f"{definition['metadata']['name']} is served")
    return len(wanted)


def established(client: Client, definition: Object) -> bool:
    """Whether the API server serves the kind and uses its schema."""
    conditions = ((client.get(definition) or {}).get("status") or {}).get("conditions") or ()
    return any(condition["type"] == "Established" and condition["status"] == "True" for condition in conditions)
