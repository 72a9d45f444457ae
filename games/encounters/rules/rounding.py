"""EN-GEN-2: values are exact and rounded once, to the nearest whole, halves up."""

from __future__ import annotations

from fractions import Fraction
from math import floor

HALF = Fraction(1, 2)


def nearest_whole(value: Fraction | int) -> int:
    """R(x): nearest whole, halves up."""
    return floor(value + HALF)


def percent_of(value: Fraction | int, percent: int) -> Fraction:
    return Fraction(value) * percent / 100
