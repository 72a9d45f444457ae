"""What a unit can still be ordered, chapter by chapter: every line is read by the reader and passed by the checks."""
