"""AMD's driver: its package, installed by the node's own package manager.

The pod uses the host network, because the node's name server is there. A node that already has the release only loads
it.
"""

from collections.abc import Iterator
from functools import reduce

from gitgpu.emit.emitter import Body, Emitter, daemon_set
from gitgpu.emit.manifest import Layer, Manifest
from gitgpu.emit.pod.host import host_volumes, on_host, on_host_probe
from gitgpu.emit.pod.resources import resources
from gitgpu.model.names.labels import APP_NAME_LABEL
from gitgpu.plan.decided.cluster import ClusterPlan
from gitgpu.plan.decided.hardware import AmdOperator, Package

NAME = "amdgpu-driver"
LABELS = {APP_NAME_LABEL: NAME}
# The package compiles the module with a job for each of up to 96 CPUs, and GCC takes up to 2 GiB for each.
MEMORY = {"requests": "256Mi", "limits": "192Gi"}
SCRIPT = """\
export DEBIAN_FRONTEND=noninteractive
. /etc/os-release
key=/etc/apt/keyrings/amdgpu.asc
list=/etc/apt/sources.list.d/amdgpu.list
source="deb [arch=amd64 signed-by=$key] @REPOSITORY $VERSION_CODENAME main"
state=$(dpkg-query --show --showformat '${db:Status-Status}' @PACKAGE 2>/dev/null || true)
if [ "$(cat "$list" 2>/dev/null)" != "$source" ] || [ "$state" != installed ]; then
  mkdir -p /etc/apt/keyrings
  curl --fail --silent --show-error --location --retry 5 --output "$key" @KEY
  echo "$source" >"$list"
  apt-get -o DPkg::Lock::Timeout=600 update
  modules="linux-modules-extra-$(uname -r)"
  apt-cache show "$modules" >/dev/null 2>&1 || modules=
  apt-get -o DPkg::Lock::Timeout=600 install --yes "linux-headers-$(uname -r)" $modules @PACKAGE
fi
modprobe amdgpu
exec sleep infinity
"""


def emit(plan: ClusterPlan) -> Iterator[Manifest]:
    """DaemonSets on the nodes of AMD's operator, which waits for the driver."""
    if plan.amd:
        for placement in plan.amd.placements:
            body = daemon_set(NAME, plan.amd.chart.namespace, LABELS, placement, _pod(plan.amd))
            yield Manifest(plan.cluster.name, Layer.CONTROLLERS, body, plan.mark, rows=plan.amd.rows)


def _pod(amd: AmdOperator) -> Body:
    container = {
        **on_host(NAME, amd.installer, _script(amd.driver), resources("50m", MEMORY)),
        "env": [{"name": "DRIVER", "value": amd.driver.release}],
        "readinessProbe": on_host_probe("test", "-d", "/sys/module/amdgpu/drivers") | {"periodSeconds": 10},
    }
    return {"hostNetwork": True, "containers": [container], "volumes": host_volumes()}


def _script(driver: Package) -> str:
    repository = driver.repository.replace("$release", "$DRIVER")
    replacements = {"@REPOSITORY": repository, "@KEY": driver.key, "@PACKAGE": driver.name}
    return reduce(lambda text, word: text.replace(word, replacements[word]), replacements, SCRIPT)


EMITTER = Emitter("AMD driver", emit)
