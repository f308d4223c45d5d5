"""The cluster of the last step of the tutorial is the one that its fleet builds, with the Job of `init` on it."""

from pathlib import Path
from typing import Any

import yaml

from tests.journeys.repository import repository

SAMPLE = Path(__file__).parents[2] / "docs/samples/hello-gpu"


def recorded(name: str) -> dict[str, Any]:
    """The objects of a recorded state by kind."""
    items = yaml.load((SAMPLE / name).read_text(encoding="utf-8"), yaml.CSafeLoader)["items"]
    return {item["kind"]: item for item in items}


def test_the_pod_of_the_tutorial_is_on_a_gpu(tmp_path: Path) -> None:
    work = repository(tmp_path / "work")
    assert work.gitgpu("init", "--quiet") == work.gitgpu("build", "--quiet") == 0
    before, after = recorded("pending.yaml"), recorded("running.yaml")
    pool = yaml.load(
        (work.root / "overlays/my-cluster/nodes/nodepool-t4.yaml").read_text(encoding="utf-8"), yaml.CSafeLoader
    )
    assert before["NodePool"] == after["NodePool"]
    assert contains(before["NodePool"]["spec"], pool["spec"])

    node = after["Node"]
    [sizes, capacity] = pool["spec"]["template"]["spec"]["requirements"]
    assert node["metadata"]["labels"][sizes["key"]] in sizes["values"]
    assert node["metadata"]["labels"][capacity["key"]] in capacity["values"]
    assert node["spec"]["taints"] == pool["spec"]["template"]["spec"]["taints"]
    assert node["status"]["allocatable"]["nvidia.com/gpu"] == "1"

    job = yaml.load((work.root / "hello-gpu/job.yaml").read_text(encoding="utf-8"), yaml.CSafeLoader)["spec"][
        "template"
    ]["spec"]
    for pod in (before["Pod"], after["Pod"]):
        [container], [defined] = pod["spec"]["containers"], job["containers"]
        assert pod["spec"]["tolerations"] == job["tolerations"]
        assert {**container, "resources": None} == {**defined, "resources": None}
        assert container["resources"]["limits"]["nvidia.com/gpu"] == str(
            defined["resources"]["limits"]["nvidia.com/gpu"]
        )
    assert "nodeName" not in before["Pod"]["spec"]
    assert after["Pod"]["spec"]["nodeName"] == node["metadata"]["name"]


def contains(stored: Any, built: Any) -> bool:
    """Whether the stored object has every value of the built one. The API server adds defaults."""
    if isinstance(built, dict):
        return all(key in stored and contains(stored[key], value) for key, value in built.items())
    return bool(stored == built)
