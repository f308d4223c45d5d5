"""Fleets for tests of the command line."""

from pathlib import Path

HEAD = "apiVersion: gitgpu.dev/v1alpha1\nkind: "
FLEET = f"{HEAD}Fleet\nmetadata: {{name: f}}\nspec: {{delivery: {{repository: https://example.com/x}}}}\n"
CLUSTER = f'{HEAD}Cluster\nmetadata: {{name: c1}}\nspec: {{region: swedencentral, kubernetesVersion: "1.36"}}\n'
POOL = (
    f"{HEAD}GpuPool\nmetadata: {{name: t4}}\n"
    "spec: {clusters: [c1], sku: Standard_NC16as_T4_v3, limits: {gpus: 2}}\n"
)
SOUND = f"{FLEET}---\n{CLUSTER}---\n{POOL}"
WARNED = SOUND.replace("limits: {gpus: 2}", "limits: {cpu: 64}")  # one warning, no error
BROKEN = SOUND.replace("[c1]", "[c2]")


def write(content: str | bytes, path: str = "fleet.yaml") -> None:
    """Writes a file below the current directory."""
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_bytes(content.encode() if isinstance(content, str) else content)


def many(*names: str) -> str:
    """A fleet of several clusters with one pool on each."""
    clusters = [CLUSTER.replace("name: c1", f"name: {name}") for name in names]
    return "---\n".join((FLEET, *clusters, POOL.replace("[c1]", f"[{', '.join(names)}]")))


def tree(folder: str = "overlays") -> dict[str, bytes]:
    """Every file below a directory, with its bytes."""
    paths = (path for path in Path(folder).rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}
