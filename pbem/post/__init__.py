"""Mail in and mail out: it knows no rules of any game."""
