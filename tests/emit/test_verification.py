"""The verification folder: a Job for each pool that no engine applies, with a script that reports correctly."""

import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from gitgpu.emit.manifest import Layer
from gitgpu.emit.namespaces import VERIFICATION
from tests.emit.fleets import MI300X, Body, Emitted, cluster, emitted, fleet, met, placed, pool, pools, taints
from tests.helping.laid_out import lay_out

VERIFY: Body = {"verify": True}
NVIDIA_SMI = '#!/bin/sh\nif [ "$1" = -L ]; then i=0; while [ $i -lt %d ]; do echo "GPU $i: T4"; i=$((i+1)); done\n%s'


def pod_of(output: Emitted, name: str) -> Body:
    """The pod of a pool's Job."""
    spec: Body = output.one("Job", name)["spec"]["template"]["spec"]
    return spec


def asked(pod: Body) -> dict[str, Any]:
    """The resources that the container requests."""
    limits: dict[str, Any] = pod["containers"][0]["resources"]["limits"]
    return limits


def environment(pod: Body) -> dict[str, str]:
    """The settings of the script."""
    return {variable["name"]: variable["value"] for variable in pod["containers"][0]["env"]}


@given(pools())
def test_each_pool_has_a_job_that_reaches_it(gpu_pools: list[Body]) -> None:
    result = emitted(fleet(stack=VERIFY), cluster(), *gpu_pools)
    names = sorted(body["metadata"]["name"] for body in gpu_pools)
    assert sorted(body["metadata"]["name"] for body in result.every("Job")) == names
    for name in names:
        pod = pod_of(result, name)
        assert placed(pod["affinity"]) == [name]
        assert met(result.one("NodePool", name), starting=False) <= taints(pod.get("tolerations", []))


def test_nothing_is_written_that_is_not_requested() -> None:
    assert not list(emitted(fleet(), cluster(), pool("t4")).every("Job"))


def test_no_engine_applies_the_job() -> None:
    output = emitted(fleet(stack=VERIFY), cluster(), pool("t4"))
    files = lay_out(output.manifests)
    assert "- job-t4.yaml" in files["one/verify/kustomization.yaml"]
    assert "verify" not in files["one/kustomization.yaml"]
    assert not any("verify" in text for path, text in files.items() if path.startswith("one/sync/"))
    ours = [manifest for manifest in output.manifests if manifest.layer is Layer.VERIFY]
    assert {manifest.ref.namespace or manifest.ref.name for manifest in ours} == {VERIFICATION}


def test_the_job_requests_all_gpus_of_the_smallest_node() -> None:
    sizes: Any = ["Standard_NC24ads_A100_v4", "Standard_NC48ads_A100_v4"]
    output = emitted(
        fleet(stack=VERIFY),
        cluster(),
        pool("both", sizes),
        pool("eight", "Standard_ND96isr_H100_v5"),
        pool("part", partition={"timeSlicing": {"replicas": 4}}),
        pool("amd", MI300X, driver="none"),
    )
    counts = {name: asked(pod_of(output, name)) for name in ("both", "eight", "part", "amd")}
    assert counts["both"] == counts["part"] == {"nvidia.com/gpu": "1"}
    assert counts["eight"] == {"nvidia.com/gpu": "8"}
    assert counts["amd"] == {"amd.com/gpu": "8"}


def test_the_job_uses_a_claim_if_gpus_are_claimed() -> None:
    output = emitted(
        fleet(stack={**VERIFY, "allocation": "dra"}),
        cluster(kubernetesVersion="1.36"),
        pool("t4"),
    )
    pod = pod_of(output, "t4")
    [claim] = pod["resourceClaims"]
    template = output.one("ResourceClaimTemplate", claim["resourceClaimTemplateName"])
    assert template["metadata"]["namespace"] == VERIFICATION
    assert pod["containers"][0]["resources"]["claims"] == [{"name": claim["name"]}]


@pytest.mark.parametrize(
    ("gpus", "driver", "computes", "passes"),
    [
        (1, "580.159.04", True, True),
        (1, "595.10.01", True, True),
        (0, "580.159.04", True, False),
        (2, "580.159.04", True, False),
        (1, "570.1.1", True, False),
        (1, "580.159.04", False, False),
    ],
)
def test_the_script_passes_only_if_the_gpus_work(
    tmp_path: Path, gpus: int, driver: str, computes: bool, passes: bool
) -> None:
    pod = pod_of(emitted(fleet(stack=VERIFY), cluster(), pool("t4")), "t4")
    shell, option, script = pod["containers"][0]["command"]
    program = tmp_path / "nvidia-smi"
    program.write_text(NVIDIA_SMI % (gpus, f"else echo {driver}; fi\n"))
    program.chmod(0o755)
    script = script.replace("/cuda-samples/vectorAdd", "true" if computes else "false")
    env = {**environment(pod), "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run([shell, option, script], env=env, capture_output=True, text=True, check=False)
    assert (done.returncode == 0) is passes, done
    assert f"GPUs: {gpus}, expected 1" in done.stdout


def test_on_azure_linux_the_release_of_the_driver_is_not_known() -> None:
    """There, the driver depends on the kernel, so the Job requires only the version that the CUDA sample needs."""
    ubuntu, azure_linux = (
        environment(pod_of(emitted(fleet(stack=VERIFY), cluster(), pool("t4", image={"family": family})), "t4"))
        for family in ("Ubuntu2204", "AzureLinux")
    )
    assert int(ubuntu["DRIVER"]) > int(azure_linux["DRIVER"])
