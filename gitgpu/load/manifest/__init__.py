"""Files of Kubernetes objects: reading, templates, placeholders."""
