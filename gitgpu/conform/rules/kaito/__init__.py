"""KAITO: Workspace, InferenceSet and RAGEngine."""
