"""The rules about Kubernetes objects: a folder for each subject, a module for each rule, exported as RULE."""
