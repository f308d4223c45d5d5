"""ARM templates, which Bicep also compiles to: expressions and resources."""
