"""Battleshift: mass starship battles on an inch table."""
