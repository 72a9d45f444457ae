"""The rule book, one module a chapter."""
