"""The input of commands: texts, manifests, clusters, regions and sizes, as the command line names them."""
