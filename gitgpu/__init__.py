"""gitgpu compiles one fleet spec into the manifests that a GitOps engine applies to AKS GPU clusters.

The folders are the pipeline: load, model, check, plan, emit, conform, write. Start reading in `pipeline.py`.
"""

__version__ = "0.1.0"
