"""What a power, a battle, a fleet or a unit can still be ordered on top of a sheet, by the rules themselves."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice

from games.encounters.orders.headers import EMPIRE, Place, split_explicit
from games.encounters.orders.offering import Desk, Wares
from games.encounters.orders.offers_battle import (
    Front,
    damage,
    endings,
    fighting,
    forcing,
    landing,
    lists,
    title_of_front,
)
from games.encounters.orders.offers_empire import doctrines, empire_offers, title_of_empire
from games.encounters.orders.offers_fleet import fleet_offers, title_of_fleet, title_of_unit, unit_offers
from games.encounters.orders.offers_squadron import flagships, formed, forming, missions, note_of, squadron_offers
from games.encounters.orders.records import Order, Where
from games.encounters.view import View
from pbem.kit.choices import Choice, Closed, Offer
from pbem.kit.sheet import Sheet, match_name

NOT_OFFERED: Mapping[str, str] = {
    "design": "a design is drawn freely: its name, class, stats and abilities",
    "rename": "a name is free",
    "screening": "another word for mission screen",
    "disruption": "another word for mission disrupt",
    "suppress": "another word for mission disrupt",
    "suppression": "another word for mission disrupt",
    "fire control": "another word for mission firecontrol",
    **{word: f"mission {word}, shorter" for word in ("engage", "screen", "disrupt", "firecontrol", "disengage")},
}
"""Verbs that no choice holds, and why."""
MOST_CHOICES = 600


def choices(view: View, sheet: Sheet[Order], unit: str) -> Offer:
    """What the unit can still be ordered; squadrons that the sheet forms count as units too."""
    if view.own is None or view.own.out or view.ended:
        return Offer(unit, f"{unit}: there is nothing to order")
    return offer_for(Desk(view, sheet), unit)


def offer_for(desk: Desk, unit: str) -> Offer:
    """The offer of one unit; a desk may be asked for many."""
    if desk.view.phase == "strategic":
        return strategic_offer(desk, unit)
    return battle_offer(desk, unit)


def gathered(unit: str, title: str, wares: Wares) -> Offer:
    offered = list(wares)
    shut = tuple(dict.fromkeys(ware for ware in offered if isinstance(ware, Closed)))
    return Offer(unit, title, tuple(islice((w for w in offered if isinstance(w, Choice)), MOST_CHOICES)), shut)


# --- strategic -------------------------------------------------------------------------------------------------------


def strategic_offer(desk: Desk, unit: str) -> Offer:
    if unit == EMPIRE:
        return gathered(unit, title_of_empire(desk), empire_offers(desk))
    if desk.letter.heads(unit):
        return gathered(unit, title_of_fleet(desk, unit), fleet_offers(desk, unit))
    own = {mine.name: mine for mine in (*desk.table.of(desk.side), *desk.letter.end.table.of(desk.side))}
    if unit in own:
        return gathered(unit, title_of_unit(desk, own[unit]), unit_offers(desk, own[unit]))
    gone = Closed("move", f"{unit} is no fleet or unit of yours, or ceases by the orders given", "EN-MOV-7")
    return Offer(unit, f"{unit}: nothing is left of it", (), (gone,))


# --- battle and ground -----------------------------------------------------------------------------------------------


def battle_offer(desk: Desk, unit: str) -> Offer:
    where: Where = "battle" if desk.view.phase == "battle" else "ground"
    fronts = {f"{where.capitalize()} {name}": Front(desk, Place(where, name)) for name in desk.view.places}
    if unit in fronts:
        return gathered(unit, title_of_front(fronts[unit]), front_offers(fronts[unit]))
    if unit == EMPIRE:
        return gathered(unit, f"{desk.own.name}: standing doctrine", doctrines(desk, ""))
    if (desk.side, unit) in desk.table.fleets:
        place = desk.table.fleets[desk.side, unit].location
        return gathered(unit, f"{unit}: at {place}", doctrines(desk, unit))
    own = next((mine for mine in desk.table.of(desk.side) if mine.name == unit), None)
    if own is not None:
        design, front = desk.table.design(own), fronts.get(f"{where.capitalize()} {own.location}")
        title = f"{unit}: {design.name} ({design.mark}), {own.state}, at {own.location}"
        if front is None:
            return Offer(unit, title, (), (Closed("mission", f"no {where} of yours at {own.location}", "EN-VAL-38"),))
        return gathered(header_of(desk, front, unit), title, missions(front, own))
    return offer_of_squadron(desk, list(fronts.values()), unit)


def front_offers(front: Front) -> Wares:
    if front.place.where == "battle":
        yield from fighting(front)
    else:
        yield from landing(front)
    yield from forming(front)
    yield from flagships(front)
    yield from lists(front)
    yield from forcing(front)
    yield from damage(front)
    yield from endings(front)


def header_of(desk: Desk, front: Front, unit: str) -> str:
    """The unit's name; with its battle in brackets where the letter has another block for the same system."""
    elsewhere = Place("ground" if front.place.where == "battle" else "battle", front.place.system).header
    return f"{unit} ({front.place.header})" if any(block.unit == elsewhere for block in desk.blocks) else unit


def offer_of_squadron(desk: Desk, fronts: list[Front], unit: str) -> Offer:
    """``Red``, or ``Red (Battle Altair)``: a squadron that the letter forms."""
    name, place = split_explicit(unit, sorted(desk.table.systems))
    for front in fronts:
        squadron = match_name(name, dict(formed(front)))
        if squadron is None or place not in (None, front.place):
            continue
        header = squadron if len(fronts) == 1 else f"{squadron} ({front.place.header})"
        ships = dict(formed(front))[squadron]
        title = f"{squadron}: {', '.join(ship.name for ship in ships)}; {note_of(front, ships)}"
        return gathered(header, title, squadron_offers(front, squadron))
    return Offer(
        unit, f"{unit}: no such unit or squadron", (), (Closed("mission", f"{unit} is not formed", "EN-SQD-2"),)
    )
