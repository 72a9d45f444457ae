"""pbem: a play-by-e-mail turn processor for fleet wargames."""

__version__ = "0.1.0"
