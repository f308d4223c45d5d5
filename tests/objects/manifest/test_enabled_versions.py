"""API versions that the configuration of a cluster enables are not reported as off."""

from gitgpu.objects.manifest.enabled_versions import enabled_versions, is_enabled
from tests.helping.cases import for_each
from tests.lint.test_lint import codes

KIND = "kind: Cluster\napiVersion: kind.x-k8s.io/v1alpha4\n"
CLAIM = """\
apiVersion: resource.k8s.io/v1beta1
kind: ResourceClaim
metadata: {name: gpu, namespace: serving}
spec: {devices: {requests: [{name: gpu, deviceClassName: gpu.nvidia.com}]}}
"""


@for_each(
    "configuration",
    [
        f'{KIND}runtimeConfig:\n  "resource.k8s.io/v1beta1": "true"\n',
        f"{KIND}runtimeConfig: {{api/beta: true}}\n",
        f"{KIND}runtimeConfig:\n  api/all: 'true'\n",
        f"{KIND}kubeadmConfigPatches:\n- |\n  runtime-config: api/alpha=true,resource.k8s.io/v1beta1=true\n",
        "apiVersion: kubeadm.k8s.io/v1beta4\nargs: [{name: runtime-config, value: resource.k8s.io/v1beta1=true}]\n",
    ],
)
def test_a_cluster_that_enables_the_version_serves_it(configuration: str) -> None:
    assert is_enabled("resource.k8s.io/v1beta1", enabled_versions([configuration]))
    assert "CNF016" not in codes({"kind.yaml": configuration, "claim.yaml": CLAIM})


@for_each(
    "configuration",
    [
        "",
        KIND,
        f'{KIND}runtimeConfig:\n  "resource.k8s.io/v1beta1": "false"\n',
        f'{KIND}runtimeConfig:\n  "resource.k8s.io/v1beta2": "true"\n',
        f"{KIND}runtimeConfig: {{api/alpha: true}}\n",
        "runtimeConfig: {api/beta: true}\n",
    ],
)
def test_other_configurations_do_not_enable_it(configuration: str) -> None:
    assert not is_enabled("resource.k8s.io/v1beta1", enabled_versions([configuration]))


def test_without_such_a_configuration_the_version_is_reported() -> None:
    assert "CNF016" in codes({"claim.yaml": CLAIM, "kind.yaml": KIND})
