"""Reading and checking orders (rule book, sections 6 and 7)."""
