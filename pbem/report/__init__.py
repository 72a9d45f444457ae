"""Views and seen events to letters: text, HTML, map, JSON and calendar."""
