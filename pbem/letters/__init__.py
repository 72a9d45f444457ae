"""Views and seen events to letters: text, HTML, JSON and calendar."""
