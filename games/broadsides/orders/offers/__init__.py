"""What a unit can still be ordered, one module a chapter; ``games.broadsides.choices`` is the way in."""
