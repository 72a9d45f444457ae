"""Encounters: a campaign of star systems, fleets and ground battles."""
