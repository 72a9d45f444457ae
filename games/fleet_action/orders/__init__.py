"""Sections 6 and 7: order text to orders and problems."""
