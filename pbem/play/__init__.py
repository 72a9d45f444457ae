"""The one way to play a phase: in a turn, in a proof, in a trial, and bots against bots."""
