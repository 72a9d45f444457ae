"""Orders of Battleshift: words, readers, checks, fleets."""
