"""What the desk, the turns and the office share: the house, where a campaign stands, its calendar and its mail."""
