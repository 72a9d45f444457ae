"""The rules of Battleshift, one module a chapter."""
