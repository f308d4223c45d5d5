"""An annotation with a value that the delivery engine ignores."""

from collections.abc import Iterator

from gitgpu.access import reach
from gitgpu.diagnostic import Change, Repair, Severity
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule

_ENGINES = ("flux", "helm")  # rows of catalog/delivery; Argo CD has a rule for its options
_NO = ("false", "no", "off", "never")  # meant as `disabled`
_OFF = "disabled"


def _check(objects: Objects) -> Iterator[Finding]:
    values_by_key: dict[str, list[str]] = {}
    for engine in _ENGINES:
        values_by_key |= objects.catalog.must("delivery", engine)["annotations"]
    for item in objects.items:
        for field in ("annotations", "labels"):
            for key, value in (reach(item.body, "metadata", field) or {}).items():
                allowed = values_by_key.get(key)
                # Flux ignores case; Helm also removes spaces.
                if allowed and value and value.strip().lower() not in allowed:
                    place = ("metadata", field, key)
                    meant = _OFF if _OFF in allowed and value.lower() in _NO else ""
                    repair = Repair(Change.VALUE, place, meant) if meant else None
                    message = f"unknown value '{value}' for {key}"
                    remedy = f"use {meant}" if meant else f"use one of {', '.join(allowed)}"
                    yield Finding(item, place, message, remedy, repair=repair)


RULE = Rule(
    code="GIT001",
    name="invalid-delivery-annotation",
    severity=Severity.WARNING,
    summary="An annotation that protects an object has a value that Flux or Helm does not support.",
    help='Flux and Helm read only documented values: with prune: "false" the object is deleted anyway.',
    sources=(
        "https://github.com/fluxcd/kustomize-controller/blob/186fb3b29138ce82ff61ba1a9370b96a3dd598fe/docs/spec/v1/kustomizations.md#controlling-the-apply-behavior-of-resources",
        "https://helm.sh/docs/howto/charts_tips_and_tricks/#tell-helm-not-to-uninstall-a-resource",
    ),
    facts=("delivery/flux",),
    check=_check,
    fixable=True,
)
