"""Booleans as text, as programs written in Go read them."""

# Those that strconv.ParseBool accepts: https://pkg.go.dev/strconv#ParseBool
GO_BOOLEANS = frozenset(("1", "t", "T", "true", "TRUE", "True", "0", "f", "F", "false", "FALSE", "False"))
