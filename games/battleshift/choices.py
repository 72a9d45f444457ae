"""What a unit can still be ordered on top of a letter, computed by the real rules on an imagined table."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from games.battleshift.imagined import imagined
from games.battleshift.orders import offer_command, offer_contact, offer_fire, offer_flights, offer_moves
from games.battleshift.orders.checks import commander
from games.battleshift.orders.desk import Desk
from games.battleshift.orders.offer_setup import SetupDesk
from games.battleshift.orders.reading import launched_names
from games.battleshift.orders.records import Order, Player
from games.battleshift.orders.verbs import whereabouts
from games.battleshift.orders.words import Names
from games.battleshift.rules.fog import table_of
from games.battleshift.rules.moving import at, inches, reach_of
from games.battleshift.view import View
from pbem.kit.choices import Offer
from pbem.kit.dice import KeyedDice
from pbem.kit.sheet import Sheet

FLEET = "Fleet"
SAME_DICE = b"choices"
"""What is hidden is imagined the same way every time."""
NOT_OFFERED: Mapping[str, str] = {
    "concede": "it ends the game; nobody should give up by a slip of the finger",
    "player": "the name of whoever writes is his own to give",
    "design": "a class is designed freely",
    "squadron": "a squadron is named and manned freely",
    "taskforce": "a taskforce is named and put together freely",
    "loose": "it follows from the squadrons and taskforces of a fleet of one's own",
}

Part = Callable[[Desk], None]
LEADING: tuple[Part, ...] = (offer_moves.offer_moves, offer_moves.offer_facings, offer_moves.offer_formations)
SHOOTING: tuple[Part, ...] = (offer_fire.offer_fire, offer_fire.offer_missiles)
LASTING: tuple[Part, ...] = (
    offer_fire.offer_intercepts,
    offer_fire.offer_light_guns,
    offer_fire.offer_losses,
    offer_command.offer_escapes,
    offer_command.offer_clearing,
)
FLYING: tuple[Part, ...] = (offer_flights.offer_launches, offer_flights.offer_recoveries)
TOUCHING: tuple[Part, ...] = (offer_contact.offer_boarding, offer_contact.offer_docks, offer_contact.offer_landings)
SQUADRON: tuple[Part, ...] = (
    *(*LEADING, *SHOOTING, *FLYING, *TOUCHING),
    *(offer_command.offer_members, offer_command.offer_shifts, offer_command.offer_arrivals, *LASTING),
)
PARTS: Mapping[str, tuple[Part, ...]] = {
    "fleet": (offer_command.offer_fleet,),
    "taskforce": (
        *(offer_command.offer_mode, *LEADING, *SHOOTING),
        *(offer_command.offer_members, offer_command.offer_shifts, *LASTING),
    ),
    "squadron": SQUADRON,
    "station": SQUADRON,
    "flight": (
        offer_flights.offer_sorties,
        offer_flights.offer_dogfights,
        offer_fire.offer_intercepts,
        offer_command.offer_clearing,
    ),
    "planet": (*SHOOTING, offer_contact.offer_ground, offer_command.offer_clearing),
}
"""The chapters of an offer, by kind of unit, in the order in which a player decides."""


def choices(view: View, sheet: Sheet[Order], unit: str) -> Offer:
    """Every whole line that the unit's block could still hold, and what is closed to it and why."""
    if view.side is None or view.stage == "over":
        return Offer(unit, f"{unit}: no orders are open")
    state = imagined(view, KeyedDice(SAME_DICE))
    name = "" if unit == FLEET else unit
    if view.stage == "setup":
        return SetupDesk(state, view.side, sheet, name).offer(unit)
    launched = launched_names("\n".join(entry.text for entry in sheet.accepted))
    desk = Desk(Names(table_of(state), view.side, launched), sheet, name)
    if not _is_out_of_hand(desk):
        for part in PARTS[desk.kind] if name in desk.names.own or not name else ():
            part(desk)
    return desk.offer(unit, title_of(desk, unit))


def _is_out_of_hand(desk: Desk) -> bool:
    """BS-V-3, BS-V-5: commanded by somebody else, or away; whoever is to arrive may be told where."""
    writers = [entry.order.detail.name for entry in desk.sheet.accepted if isinstance(entry.order.detail, Player)]
    admiral = next(record.admiral for record in desk.table.state.sides if record.id == desk.side)
    chief = commander(desk.table, desk.side, desk.unit) if desk.unit else admiral
    if writers and admiral and chief and chief.casefold() != writers[0].casefold():
        desk.close("orders", f"{desk.unit or 'the fleet'} is commanded by {chief}", "BS-V-3")
        return True
    away = whereabouts(desk.names, desk.unit, desk.kind) if desk.unit else ""
    if away:
        desk.close("orders", f"it is not on the table: {away}", "BS-V-5")
        offer_command.offer_arrivals(desk)
        offer_command.offer_clearing(desk)
    return bool(away)


def title_of(desk: Desk, unit: str) -> str:
    """`Lion: 16.00,42.00 facing 000, speed 12.00, damage 3/12`."""
    lead, flight, body = desk.lead, desk.flight, desk.body
    if flight is not None:
        return f"{unit}: {flight.now.wings} wings at {at(flight.spot)}"
    if body is not None:
        return f"{unit}: {body.kind} at {at(body.spot)}, radius {inches(body.radius)}"
    if lead is not None and lead.now.where:
        return f"{unit}: {lead.now.where}"
    if lead is None or lead.leader is None:
        return f"{unit}: turn {desk.table.turn} of {desk.table.state.turn_limit}"
    place = f"{at(lead.leader.spot)} facing {lead.now.facing:03d}, speed {inches(reach_of(desk.table, lead).speed)}"
    if desk.taskforce is not None:
        return f"{unit}: flagship {desk.taskforce.flagship.name} at {place}"
    return f"{unit}: {place}, damage {lead.now.damage}/{lead.now.total}"
