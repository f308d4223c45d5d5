"""What Flux and Argo CD need to know: the order of the layers, and when an object is ready."""
