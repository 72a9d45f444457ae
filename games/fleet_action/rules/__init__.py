"""The rules of Fleet Action, one module for each chapter of section 4."""
