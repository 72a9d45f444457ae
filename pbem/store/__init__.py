"""The tables and the questions asked of them; the only place with transactions."""
