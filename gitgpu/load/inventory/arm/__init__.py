"""ARM templates, and what Bicep compiles to: expressions and resources."""
