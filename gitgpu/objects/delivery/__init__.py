"""Which files Flux, Argo CD and Kustomize apply, and how they change them."""
