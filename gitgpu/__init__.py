"""gitgpu compiles one fleet spec into the manifests that a GitOps engine applies to AKS GPU clusters.

The folders are the stages of a build: load, model, rules/fleet, plan, emit, patch, rules/objects, write. See
docs/architecture.md.
"""

__version__ = "0.1.0"
