"""Objects of any kind: names, labels, scope, data, references."""
