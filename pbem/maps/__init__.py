"""Scenes to pictures: SVG for print, PNG for every mail program."""
