"""What ships in contact can be told: boarding, assault, engulfing, towing, docks, ground (BS-BRD, BS-ENG, BS-PLN)."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from games.battleshift.data import LIMITS, WEAPONS
from games.battleshift.orders import records as o
from games.battleshift.orders.desk import Desk
from games.battleshift.orders.offer_flights import free_name
from games.battleshift.rules.boarding import can_board, can_engulf, why_not_docked
from games.battleshift.rules.moving import inches
from games.battleshift.rules.planets import ADJACENT
from games.battleshift.rules.towing import can_tow
from games.battleshift.rules.units import Body, Quadrant, Ship, Squadron, ships_within
from games.battleshift.state import QUADRANTS
from pbem.kit.choices import Number
from pbem.kit.plane import whole_distance

NEAR = 900
"""Ships so near are worth a word why they cannot be boarded."""


def offer_boarding(desk: Desk) -> None:
    squadron, switches = desk.squadron, desk.table.switches
    if squadron is None or not squadron.active or squadron.is_prize:
        return
    foes = [
        ship for mate in desk.table.near(desk.table.enemy(desk.side), squadron.spots, NEAR) for ship in mate.present
    ]
    known = [ship for ship in foes if desk.table.identifies(desk.side, ship.squadron)]
    if switches.may_board and desk.kind == "squadron":
        _act(desk, "board", (ship for ship in known if _is_open(ship)), can_board, _chance)
        own = [ship for mate in desk.table.on_table(desk.side) if mate is not squadron for ship in mate.present]
        helpless = [ship for ship in (*known, *own) if ship.now.status == "disabled" or ship.squadron.is_prize]
        _act(desk, "tow", helpless, can_tow, _size)
        _close_boarding(desk, squadron, known)
    if switches.assault:
        _act(desk, "assault", known, _can_storm, _units)
    if switches.engulf and squadron.cls.engulf != "none" and desk.kind == "squadron":
        mates = [ship for mate in desk.table.on_table(desk.side) if mate is not squadron for ship in mate.present]

        def engulfs(holder: Ship, ship: Ship) -> bool:
            return can_engulf(desk.table, holder, ship)

        _act(desk, "engulf", (*known, *mates), engulfs, _size)
        _offer_release(desk, squadron)


def _act(
    desk: Desk,
    verb: str,
    ships: Iterable[Ship],
    able: Callable[[Ship, Ship], bool],
    note: Callable[[Squadron, Ship, int], str],
) -> None:
    """One choice for each ship that an active ship of the squadron can get at, unless it is ordered already."""
    squadron = desk.squadron
    assert squadron is not None
    said = {text.casefold() for text in desk.texts_of(verb)}
    for ship in ships:
        line, near = f"{verb} {ship.name}", [mine for mine in squadron.active if able(mine, ship)]
        if near and line.casefold() not in said:
            desk.add(verb, ship.name, line, note=note(squadron, ship, len(near)), spot=ship.spot)


def _is_open(ship: Ship) -> bool:
    """BS-BRD-1, BS-BRD-4."""
    return ship.now.status == "disabled" or ship.cls.is_station


def _chance(squadron: Squadron, ship: Ship, boarders: int) -> str:
    ours = boarders * squadron.size
    return f"a die and {ours} against a die and {ship.cls.size}"


def _size(_squadron: Squadron, ship: Ship, _near: int) -> str:
    return f"size {ship.cls.size}, {ship.now.status}"


def _units(squadron: Squadron, ship: Ship, _near: int) -> str:
    units = sum(mine.assault_left for mine in squadron.active if _can_storm(mine, ship))
    return f"{units} assault units against size {ship.cls.size}"


def _can_storm(mine: Ship, ship: Ship) -> bool:
    return mine.assault_left > 0 and ships_within(mine, ship, WEAPONS["assault"].range)


def _close_boarding(desk: Desk, squadron: Squadron, known: list[Ship]) -> None:
    prey = [ship for ship in known if _is_open(ship)]
    if prey and not any(choice.group == "board" for choice in desk.choices):
        far, ship = min(
            ((whole_distance(a.spot, s.spot), s) for s in prey for a in squadron.active), key=lambda p: p[0]
        )
        desk.close("board", f'{ship.name} is {inches(far)}" away, contact is 0.50', "BS-V-43")


def _offer_release(desk: Desk, squadron: Squadron) -> None:
    """BS-ENG-4: friends alone."""
    said = {text.casefold() for text in desk.texts_of("release")}
    for key in (key for ship in squadron.active for key in ship.now.holds):
        side, _, name = key.partition("/")
        if side == desk.side and f"release {name}".casefold() not in said:
            desk.add("release", name, f"release {name}", note="it acts next turn")


# --- docks -----------------------------------------------------------------------------------------------------------


def offer_docks(desk: Desk) -> None:
    """BS-STN-7."""
    squadron = desk.squadron
    if squadron is None or desk.kind != "squadron" or not desk.table.switches.docking:
        return
    if squadron.now.docked:
        desk.add("dock", "undock", "undock", note=f"leaves {squadron.now.docked} at the start of its move")
        return
    for station in desk.table.on_table(desk.side) if squadron.active else ():
        if not station.cls.is_station or station is squadron:
            continue
        why = why_not_docked(desk.table, squadron, station)
        if why:
            desk.close("dock", f"not at {station.name}: {why}", "BS-STN-7")
        else:
            desk.add("dock", station.name, f"dock {station.name}", note="it cannot be shot at, move or fire")


# --- ground ----------------------------------------------------------------------------------------------------------


def offer_landings(desk: Desk) -> None:
    """BS-PLN-11: assault units of a squadron at the rim."""
    squadron = desk.squadron
    if squadron is None or desk.kind != "squadron" or not squadron.active:
        return
    units = sum(ship.assault_left for ship in squadron.active)
    units -= sum(order.units for order in desk.given(o.Land))
    for body in desk.table.bodies if units > 0 else ():
        if not body.name or not body.quadrants:
            continue
        if not squadron.acts_near(body.spot, body.radius + LIMITS.contact):
            continue
        for place in QUADRANTS:
            if place in body.quadrants:
                fill, note = Number(1, units, units), f"{units} units aboard; held by {_holder(body.quadrants[place])}"
                desk.add("land", f"{body.name} {place}", f"land {{}} {body.name} {place}", note=note, fill=fill)
        if not any(choice.group == "land" for choice in desk.choices):
            need = LIMITS.descent if not body.is_moon else 0
            desk.close("land", f'{inches(need)}" of movement must be left to land on {body.name}', "BS-V-45")


def _holder(quadrant: Quadrant) -> str:
    return quadrant.side or "nobody"


def offer_ground(desk: Desk) -> None:
    """BS-PLN-9, BS-PLN-13: wings and units of a body."""
    body = desk.body
    if body is None:
        return
    for place, quadrant in body.quadrants.items():
        if quadrant.side == desk.side == body.side:
            _offer_ground_launch(desk, body, place, quadrant)
        units = quadrant.now.assault if quadrant.side == desk.side else quadrant.now.invaders
        units -= sum(order.units for order in desk.given(o.TransferGround) if order.start == place)
        for end in ADJACENT[place] if units > 0 else ():
            if end in body.quadrants:
                line, note = f"transfer {{}} {place} to {end}", f"{units} units are in {place}"
                desk.add("transfer", f"{place} to {end}", line, note=note, fill=Number(1, units, units))


def _offer_ground_launch(desk: Desk, body: Body, place: str, quadrant: Quadrant) -> None:
    ready = quadrant.now.wings_aboard
    ready -= sum(order.wings for order in desk.given(o.Launch) if order.quadrant == place)
    if ready > 0:
        name = free_name(desk, f"{body.name} {place}")
        line, fill = f"launch {{}} {place} as {name}", Number(1, ready, ready)
        desk.add("launch", f"from {place}, {name}", line, note=f"{ready} wings are ready", fill=fill)
