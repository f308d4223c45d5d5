"""What gitgpu adds to a NodePool's template by itself, and how the spec keeps running nodes without it."""

from collections.abc import Iterator, Sequence

from gitgpu.compare.change import Field

OPT_OUT = 'spec.template.metadata.labels."nvidia.com/gpu.deploy.operands"'
CLASS = "spec.template.spec.nodeClassRef.name"


def remedies(fields: Sequence[Field]) -> Iterator[str]:
    """What to write in the spec so that these changes of a NodePool do not happen."""
    for field in fields:
        if field.path == OPT_OUT and field.before is None:
            yield "operatorOptOut: false leaves the label nvidia.com/gpu.deploy.operands away"
        if field.path == OPT_OUT and field.after is None:
            yield "operatorOptOut: true keeps the label nvidia.com/gpu.deploy.operands"
        if field.path == CLASS and field.before:
            yield f"nodeClass: {{name: {field.before}}} keeps the AKSNodeClass"
