"""`gitgpu explain`: a field of the schemas, or a document with the defaults and overrides of a cluster."""
