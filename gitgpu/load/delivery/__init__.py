"""What Flux, Argo CD and Kustomize apply from which files."""
