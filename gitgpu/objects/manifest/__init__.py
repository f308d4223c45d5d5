"""Files with Kubernetes objects: reading, templates, placeholders."""
