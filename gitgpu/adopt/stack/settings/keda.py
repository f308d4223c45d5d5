"""How KEDA is installed: as the AKS add-on, from its chart, or not at all."""

from collections.abc import Iterator
from itertools import chain

from gitgpu.adopt.stack.addons import Addon, installers, is_unseen
from gitgpu.adopt.stack.evidence import Evidence
from gitgpu.adopt.stack.view import View
from gitgpu.model.names.groups import KEDA_GROUP
from gitgpu.model.names.kinds import SCALED_JOB, SCALED_OBJECT

_ADDON = Addon("keda", "KEDA", "the KEDA add-on", "keda", "keda-operator")
_PATH = (_ADDON.key,)
_KINDS = (SCALED_OBJECT.kind, SCALED_JOB.kind)


def infer(view: View) -> Iterator[Evidence]:
    """Evidence from the add-on that Azure reports, then from releases, KEDA's operator, and objects for KEDA."""
    yield from installers(view, _ADDON)
    scaled = next(chain.from_iterable(view.objects.of(KEDA_GROUP, kind) for kind in _KINDS), None)
    if scaled and is_unseen(view, _ADDON):
        name = f"{scaled.identity.kind} {scaled.identity.name}"
        reason = f"{name} needs KEDA, and the input does not show how it is installed: the add-on is assumed"
        yield Evidence(_PATH, "addon", reason, view.original(scaled))
    yield Evidence(_PATH, "none", "nothing in the input installs KEDA", view.bare)
