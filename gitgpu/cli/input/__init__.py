"""What a command works on: texts, manifests, clusters, regions and sizes, as the command line names them."""
