"""A model that scales on a cluster where KEDA is not installed from its chart."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.catalog import Facts
from gitgpu.model.inputs import Inputs
from gitgpu.model.value_origins import stack_with_place
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.served_models import Fault, ServedModel, findings


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Each finding once, regardless of the number of clusters."""
    return findings(inputs, _faults)


def _faults(placed: ServedModel, row: Facts) -> Iterator[Fault]:
    """Scaled models on clusters whose KEDA gitgpu does not install."""
    del row
    keda = placed.cluster.stack.keda
    # KTO008 reports scaling on the add-on.
    if "scaling" in placed.model.settings and keda != "helm" and not placed.on_add_on:
        where = stack_with_place(placed.cluster, "keda")
        message = f"keda-kaito-scaler must run in the KEDA namespace, but keda is {keda} on {where}"
        yield placed.place("scaling"), message, "set stack: {keda: helm}"


RULE = Rule(
    code="KTO011",
    name="kaito-scaler-not-in-keda-namespace",
    twin="KAI061",
    severity=Severity.ERROR,
    summary="A model scales on a cluster where KEDA is not installed from its chart.",
    help="keda-kaito-scaler stores the Secrets for its connection with KEDA, and KEDA reads them only in its own "
    "namespace. AKS runs its KEDA in kube-system, where gitgpu installs nothing.",
    sources=(
        "https://github.com/kaito-project/keda-kaito-scaler/blob/3ce909d4c4250ff30fb4850d0c238e74fd42998d/README.md",
    ),
    check=_check,
)
