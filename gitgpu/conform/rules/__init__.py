"""The rules about Kubernetes objects: a module is a rule, its `RULE` is collected from here."""
