"""Objects of any kind: names, labels, scope, data, references."""

from gitgpu.conform.kinds import ANY, kinds

KINDS = kinds(ANY)
