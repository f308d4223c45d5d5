"""A preset that no KAITO release has."""

from collections.abc import Iterator
from itertools import chain

from gitgpu.diagnostic import Change, Repair, Severity
from gitgpu.model.names.kinds import INFERENCE_SET, WORKSPACE
from gitgpu.model.syntax.templates import is_template
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.kaito_models import models, rows
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.spelling import nearest


def _check(objects: Objects) -> Iterator[Finding]:
    presets = sorted(set(chain.from_iterable(row["presets"] for row in rows(objects))))
    for model in models(objects, WORKSPACE.kind, INFERENCE_SET.kind):
        for place, name in model.presets():
            # Names with "/" are models of Hugging Face, and "<" starts a placeholder.
            if "/" in name or "<" in name or is_template(name) or name.lower() in presets:
                continue
            closest = nearest(name, presets, 0.85)  # one slip in seven letters: presets have similar names
            repair = Repair(Change.VALUE, place, closest) if closest else None
            message = f"no known KAITO release has the preset '{name}'"
            remedy = f"did you mean {closest}?" if closest else "use another preset, or OWNER/NAME of Hugging Face"
            yield Finding(model.item, place, message, remedy, repair=repair)


RULE = Rule(
    code="KAI011",
    name="unknown-kaito-preset",
    twin="KTO002",
    severity=Severity.WARNING,
    summary="No known KAITO release has a preset of this name.",
    help="The admission webhook of KAITO accepts its presets, and models of Hugging Face, whose names have a slash. A "
    "newer release than those of the catalog can have more presets.",
    sources=(
        "https://github.com/kaito-project/kaito/blob/0894eb2b567d48cd2d66afe579acb1542b226af4/pkg/utils/plugin/plugin.go",
        "https://github.com/kaito-project/kaito/blob/461f75cd536b9ede07667b44bcc3e31ff7d6f13a/presets/workspace/models/supported_models.yaml",
    ),
    facts=("kaito/*",),
    check=_check,
    fixable=True,
)
