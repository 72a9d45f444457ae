"""What is read off a view: figures worth a chart, and how the map marks a foreign presence."""

from __future__ import annotations

from games.encounters.state import Contact
from games.encounters.view import View


def gauges(view: View) -> dict[str, dict[str, float]]:
    """Figures worth a chart: own income and strength; systems and points of all, which are public."""
    owners = [system.owner for system in view.systems.values()]
    return {
        "income": {key: books.income for key, books in view.books.items()},
        "treasury": {key: books.in_hand for key, books in view.books.items()},
        "strength": {key: books.strength for key, books in view.books.items()},
        "systems": {key: owners.count(key) for key in view.seats},
        "points": {key: view.relations[key].points for key in view.seats},
    }


def mark_of(contact: Contact) -> str:
    """``?``, ``>``, ``<``, ``=`` or a number: what the map shows."""
    if contact.count is not None:
        return str(contact.count)
    return {"more": ">", "fewer": "<", "as many": "="}.get(contact.compare, "?")


def neighbours(view: View, system: str) -> dict[str, str]:
    """The systems that a lane joins to this one, and the kind of the lane."""
    return dict(sorted((lane.other_end(system), lane.kind) for lane in view.lanes if system in lane.ends))
