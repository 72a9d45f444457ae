"""FA 3.2 step 3.2: squadrons fly their plots, pulse by pulse (FA-FRM, FA-MAP-8, FA-WDR-6)."""

from __future__ import annotations

from dataclasses import replace

from games.fleet_action.orders.records import ModeOrder, PathOrder, ShiftOrder, SpeedOrder, WithdrawOrder
from games.fleet_action.rules import (
    fighters,
    formation,
    geometry,
    jump,
    leaving,
    movement,
    plotting,
    sequence,
    withdrawal,
)
from games.fleet_action.rules.movement import SpeedChange
from games.fleet_action.rules.plotting import Plot
from games.fleet_action.state import Ship, Squadron
from games.fleet_action.table import Table, printed
from pbem.kit.hexgrid import Hex


def plot_all(table: Table) -> None:
    """FA-MOV-14, 16: the plots of the turn, checked against the limits at its start."""
    for squadron in table.in_play():
        table.plots[squadron.name] = _plot(table, squadron)
        mode = table.book.first(ModeOrder, squadron.name)
        table.change(squadron, mode=mode.mode if mode else "absolute")


def _plot(table: Table, squadron: Squadron) -> Plot:
    speed = table.book.first(SpeedOrder, squadron.name)
    path = table.book.first(PathOrder, squadron.name)
    change = SpeedChange(speed.change(squadron.speed), speed.pulse) if speed else SpeedChange(0)
    if path is None and _withdraws(table, squadron) and not jump.is_jumping(table, squadron):
        return withdrawal.retreat(table, squadron)
    if path is not None:
        of = movement.limits(table, squadron)
        pivots = table.state.switches.pivot_at_zero
        checked = movement.check_path(path.steps, squadron.speed, change, of, pivot_at_zero=pivots)
        if isinstance(checked, Plot):
            return checked
    return movement.straight(squadron.speed, change)


def _withdraws(table: Table, squadron: Squadron) -> bool:
    return squadron.state == "withdrawing" or table.book.first(WithdrawOrder, squadron.name) is not None


def move_squadrons(table: Table) -> None:
    """Step 3.2: every squadron in the order of FA-SEQ: shift, move, launch flights."""
    for name in sequence.squadron_order(table):
        squadron = table.squadrons[name]
        if not table.members(squadron) or not table.is_on_map(squadron):
            continue
        if _is_held(table, squadron):
            continue
        _change_speed(table, squadron)
        _shift(table, table.squadrons[name])
        _move(table, table.squadrons[name])
        fighters.launch(table, name)


def _is_held(table: Table, squadron: Squadron) -> bool:
    """FA-SPC-8: a held ship does not fly, it is carried."""
    return any(ship.held_by for ship in table.members(squadron))


def _change_speed(table: Table, squadron: Squadron) -> None:
    """FA-MOV-3: the new speed holds from the pulse of the change on."""
    speed = table.plots[squadron.name].speeds[table.pulse - 1]
    if speed != squadron.speed:
        facts = {"side": squadron.side, "squadron": squadron.name, "old": squadron.speed, "new": speed}
        table.tell("speed", "FA-MOV-3", table.audience, facts)
        table.change(squadron, speed=speed)


def _shift(table: Table, squadron: Squadron) -> None:
    """FA-FRM-6: at activation in the named pulse, before the squadron moves."""
    order = table.book.first(ShiftOrder, squadron.name)
    if order is None or (1 if order.form == "to" else order.pulse) != table.pulse:
        return
    ship = table.ships[order.ship]
    if ship.fate != "in play" or ship.name == squadron.command_ship or ship.name not in squadron.ships:
        text, reason = f"shift {order.ship}", f"{order.ship} cannot shift any more"
        table.tell_impossible("FA-FRM-6", squadron.side, order.unit, text, ("FA-E-16", reason, "no shift"))
        return
    most = formation.allowance(table.plots[squadron.name])
    offset = formation.shifted(table, squadron, order, most)
    if offset == squadron.formation[order.ship]:
        return
    squadron = table.change(squadron, formation={**squadron.formation, order.ship: offset})
    to = formation.place_of(squadron, order.ship)
    facts = {"side": squadron.side, "squadron": squadron.name, "ship": order.ship}
    table.tell("shift", "FA-FRM-6", table.audience, {**facts, "from": printed(ship.hex), "to": printed(to)})
    table.put(formation.moved(ship, to))


def _move(table: Table, squadron: Squadron) -> None:
    """FA-MOV-13: the command ship flies its tokens, the members follow."""
    plot = table.plots[squadron.name]
    segment = plot.segments[table.pulse - 1]
    way, heading = plotting.fly(squadron.hex, squadron.heading, segment)
    before = {ship.name: ship.hex for ship in table.members(squadron)}
    end = way[-1] if way else squadron.hex
    moved = replace(squadron, hex=end, heading=heading)
    places = _places(table, squadron, moved)
    if squadron.mode == "relative":
        offsets = {name: geometry.to_frame(at.minus(end), heading) for name, at in places.items()}
        moved = replace(moved, formation={**moved.formation, **offsets})
    table.put(moved)
    for ship in table.members(squadron):
        _place(table, ship, places[ship.name], way, squadron)
    _tell_move(table, squadron, moved, before, way)
    leaving.leave_by_edge(table, moved, _off_map(table, squadron, places, way))


def _places(table: Table, squadron: Squadron, moved: Squadron) -> dict[str, Hex]:
    """FA-FRM-2, 3: wheeling with the commander, or every ship flying his tokens from its own hex."""
    members = table.members(squadron)
    if squadron.mode == "absolute" or _is_entering(table, squadron):
        return {ship.name: _slot(table, moved, ship.name) for ship in members}
    step = moved.hex.minus(squadron.hex)
    return {ship.name: ship.hex.plus(step) for ship in members}


def _slot(table: Table, squadron: Squadron, ship: str) -> Hex:
    """FA-FRM-2; in the turn of entry a member whose place is still off the map stands with its command ship."""
    at = formation.place_of(squadron, ship)
    behind = squadron.arrives == table.turn and not table.on_map(at) and table.on_map(squadron.hex)
    return squadron.hex if behind else at


def _is_entering(table: Table, squadron: Squadron) -> bool:
    """FA-JMP-9: in the first pulse of its entry it comes out of the vortex into its formation."""
    return table.pulse == 1 and squadron.arrives == table.turn


def _place(table: Table, ship: Ship, to: Hex, way: list[Hex], squadron: Squadron) -> None:
    """FA-FRM-9: prev_hex is the hex before; along a path, the hex before the last step."""
    prev = ship.prev_hex
    if to != ship.hex:
        leads = ship.name == squadron.command_ship
        flown = len(way) > 1 and (leads or (squadron.mode == "relative" and not _is_entering(table, squadron)))
        prev = to.plus(way[-2].minus(way[-1])) if flown else ship.hex
    table.change(ship, hex=to, prev_hex=prev)
    if ship.holding:
        _carry(table, ship, to.minus(ship.hex))


def _carry(table: Table, holder: Ship, step: Hex) -> None:
    """FA-SPC-8: a held ship moves with the holder at constant map offset."""
    held = table.ships.get(holder.holding or "")
    flight = table.flights.get(holder.holding or "")
    if flight is not None and flight.hex is not None:
        table.change(flight, hex=flight.hex.plus(step), prev_hex=flight.hex)
    if held is None or held.fate != "in play":
        return
    to = held.hex.plus(step)
    table.put(formation.moved(held, to))
    carrier, stray = table.squadron(holder), table.squadron(held)
    table.change(stray, hex=to, heading=carrier.heading, speed=carrier.speed)


def _tell_move(table: Table, before: Squadron, after: Squadron, places: dict[str, Hex], way: list[Hex]) -> None:
    segment = table.plots[before.name].segments[table.pulse - 1]
    if not segment and all(table.ships[name].hex == at for name, at in places.items()):
        return
    ships = [{"name": name, "from": printed(at), "to": printed(table.ships[name].hex)} for name, at in places.items()]
    facts = {
        "side": after.side,
        "squadron": after.name,
        "from": printed(before.hex),
        "to": printed(after.hex),
        "path": plotting.written(segment),
        "hexes": [printed(at) for at in (before.hex, *way)],
        "heading": after.heading,
        "speed": after.speed,
        "ships": ships,
    }
    table.tell("move", "FA-MOV-13", table.audience, facts)


def _off_map(table: Table, squadron: Squadron, places: dict[str, Hex], way: list[Hex]) -> list[str]:
    """FA-MAP-8: the ships whose step leaves the map."""
    gone = [name for name, at in places.items() if not table.on_map(at)]
    if squadron.mode == "relative":
        for ship in table.members(squadron):
            offset = places[ship.name].minus(way[-1]) if way else geometry.HERE
            if any(not table.on_map(at.plus(offset)) for at in way):
                gone.append(ship.name)
    elif any(not table.on_map(at) for at in way):
        gone.append(squadron.command_ship)
    return list(dict.fromkeys(gone))
