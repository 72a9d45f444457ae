"""What a rules author builds with; the only part of pbem that a game may import."""
