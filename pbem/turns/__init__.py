"""The life of a campaign: deadlines, phases, resolution."""
