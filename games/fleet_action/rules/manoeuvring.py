"""FA 3.2 step 3.2: squadrons fly their plots, pulse by pulse (FA-FRM, FA-MAP-8, FA-WDR-6)."""

from __future__ import annotations

from dataclasses import replace

from games.fleet_action import geometry
from games.fleet_action.battle import Battle, printed
from games.fleet_action.orders.records import ModeOrder, PathOrder, ShiftOrder, SpeedOrder, WithdrawOrder
from games.fleet_action.rules import fighters, formation, jump, leaving, movement, plotting, sequence, withdrawal
from games.fleet_action.rules.movement import Plot, SpeedChange
from games.fleet_action.state import Ship, Squadron
from pbem.kit.hexgrid import Hex


def plot_all(battle: Battle) -> None:
    """FA-MOV-14, 16: the plots of the turn, checked against the limits at its start."""
    for squadron in battle.in_play():
        battle.plots[squadron.name] = _plot(battle, squadron)
        mode = battle.book.one(ModeOrder, squadron.name)
        battle.put(replace(squadron, mode=mode.mode if mode else "absolute"))


def _plot(battle: Battle, squadron: Squadron) -> Plot:
    speed = battle.book.one(SpeedOrder, squadron.name)
    path = battle.book.one(PathOrder, squadron.name)
    change = SpeedChange(speed.change(squadron.speed), speed.pulse) if speed else SpeedChange(0)
    if path is None and _withdraws(battle, squadron) and not jump.is_jumping(battle, squadron):
        return withdrawal.retreat(battle, squadron)
    if path is not None:
        of = movement.limits(battle, squadron)
        pivots = battle.state.switches.pivot_at_zero
        checked = movement.check_path(path.steps, squadron.speed, change, of, pivot_at_zero=pivots)
        if isinstance(checked, Plot):
            return checked
    return movement.straight(squadron.speed, change)


def _withdraws(battle: Battle, squadron: Squadron) -> bool:
    return squadron.state == "withdrawing" or battle.book.one(WithdrawOrder, squadron.name) is not None


def move_squadrons(battle: Battle) -> None:
    """Step 3.2: every squadron in the order of FA-SEQ: shift, move, launch flights."""
    for name in sequence.squadron_order(battle):
        squadron = battle.squadrons[name]
        if not battle.members(squadron) or not battle.is_on_map(squadron):
            continue
        if _is_held(battle, squadron):
            continue
        _change_speed(battle, squadron)
        _shift(battle, battle.squadrons[name])
        _move(battle, battle.squadrons[name])
        fighters.launch(battle, name)


def _is_held(battle: Battle, squadron: Squadron) -> bool:
    """FA-SPC-8: a held ship does not fly, it is carried."""
    return any(ship.held_by for ship in battle.members(squadron))


def _change_speed(battle: Battle, squadron: Squadron) -> None:
    """FA-MOV-3: the new speed holds from the pulse of the change on."""
    speed = battle.plots[squadron.name].speeds[battle.pulse - 1]
    if speed != squadron.speed:
        facts = {"side": squadron.side, "squadron": squadron.name, "old": squadron.speed, "new": speed}
        battle.tell("speed", "FA-MOV-3", battle.audience, facts)
        battle.put(replace(squadron, speed=speed))


def _shift(battle: Battle, squadron: Squadron) -> None:
    """FA-FRM-6: at activation in the named pulse, before the squadron moves."""
    order = battle.book.one(ShiftOrder, squadron.name)
    if order is None or (1 if order.form == "to" else order.pulse) != battle.pulse:
        return
    ship = battle.ships[order.ship]
    if ship.fate != "in play" or ship.name == squadron.command_ship or ship.name not in squadron.ships:
        text, reason = f"shift {order.ship}", f"{order.ship} cannot shift any more"
        battle.order_error("FA-FRM-6", squadron.side, order.unit, text, ("FA-E-16", reason, "no shift"))
        return
    most = formation.allowance(battle.plots[squadron.name])
    offset = formation.shifted(battle, squadron, order, most)
    if offset == squadron.formation[order.ship]:
        return
    squadron = replace(squadron, formation={**squadron.formation, order.ship: offset})
    battle.put(squadron)
    to = formation.place_of(squadron, order.ship)
    facts = {"side": squadron.side, "squadron": squadron.name, "ship": order.ship}
    battle.tell("shift", "FA-FRM-6", battle.audience, {**facts, "from": printed(ship.hex), "to": printed(to)})
    battle.put(formation.moved(ship, to))


def _move(battle: Battle, squadron: Squadron) -> None:
    """FA-MOV-13: the command ship flies its tokens, the members follow."""
    plot = battle.plots[squadron.name]
    segment = plot.segments[battle.pulse - 1]
    way, heading = plotting.fly(squadron.hex, squadron.heading, segment)
    before = {ship.name: ship.hex for ship in battle.members(squadron)}
    end = way[-1] if way else squadron.hex
    moved = replace(squadron, hex=end, heading=heading)
    places = _places(battle, squadron, moved)
    if squadron.mode == "relative":
        offsets = {name: geometry.to_frame(at.minus(end), heading) for name, at in places.items()}
        moved = replace(moved, formation={**moved.formation, **offsets})
    battle.put(moved)
    for ship in battle.members(squadron):
        _place(battle, ship, places[ship.name], way, squadron)
    _tell_move(battle, squadron, moved, before, way)
    leaving.leave_by_edge(battle, moved, _off_map(battle, squadron, places, way))


def _places(battle: Battle, squadron: Squadron, moved: Squadron) -> dict[str, Hex]:
    """FA-FRM-2, 3: wheeling with the commander, or every ship flying his tokens from its own hex."""
    members = battle.members(squadron)
    if squadron.mode == "absolute" or _is_entering(battle, squadron):
        return {ship.name: _slot(battle, moved, ship.name) for ship in members}
    step = moved.hex.minus(squadron.hex)
    return {ship.name: ship.hex.plus(step) for ship in members}


def _slot(battle: Battle, squadron: Squadron, ship: str) -> Hex:
    """FA-FRM-2; in the turn of entry a member whose place is still off the map stands with its command ship."""
    at = formation.place_of(squadron, ship)
    behind = squadron.arrives == battle.turn and not battle.on_map(at) and battle.on_map(squadron.hex)
    return squadron.hex if behind else at


def _is_entering(battle: Battle, squadron: Squadron) -> bool:
    """FA-JMP-9: in the first pulse of its entry it comes out of the vortex into its formation."""
    return battle.pulse == 1 and squadron.arrives == battle.turn


def _place(battle: Battle, ship: Ship, to: Hex, way: list[Hex], squadron: Squadron) -> None:
    """FA-FRM-9: prev_hex is the hex before; along a path, the hex before the last step."""
    prev = ship.prev_hex
    if to != ship.hex:
        leads = ship.name == squadron.command_ship
        flown = len(way) > 1 and (leads or (squadron.mode == "relative" and not _is_entering(battle, squadron)))
        prev = to.plus(way[-2].minus(way[-1])) if flown else ship.hex
    battle.put(replace(ship, hex=to, prev_hex=prev))
    if ship.holding:
        _carry(battle, ship, to.minus(ship.hex))


def _carry(battle: Battle, holder: Ship, step: Hex) -> None:
    """FA-SPC-8: a held ship moves with the holder at constant map offset."""
    held = battle.ships.get(holder.holding or "")
    flight = battle.flights.get(holder.holding or "")
    if flight is not None and flight.hex is not None:
        battle.put(replace(flight, hex=flight.hex.plus(step), prev_hex=flight.hex))
    if held is None or held.fate != "in play":
        return
    to = held.hex.plus(step)
    battle.put(formation.moved(held, to))
    carrier, stray = battle.squadrons[holder.squadron], battle.squadrons[held.squadron]
    battle.put(replace(stray, hex=to, heading=carrier.heading, speed=carrier.speed))


def _tell_move(battle: Battle, before: Squadron, after: Squadron, places: dict[str, Hex], way: list[Hex]) -> None:
    segment = battle.plots[before.name].segments[battle.pulse - 1]
    if not segment and all(battle.ships[name].hex == at for name, at in places.items()):
        return
    ships = [{"name": name, "from": printed(at), "to": printed(battle.ships[name].hex)} for name, at in places.items()]
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
    battle.tell("move", "FA-MOV-13", battle.audience, facts)


def _off_map(battle: Battle, squadron: Squadron, places: dict[str, Hex], way: list[Hex]) -> list[str]:
    """FA-MAP-8: the ships whose step leaves the map."""
    gone = [name for name, at in places.items() if not battle.on_map(at)]
    if squadron.mode == "relative":
        for ship in battle.members(squadron):
            offset = places[ship.name].minus(way[-1]) if way else geometry.HERE
            if any(not battle.on_map(at.plus(offset)) for at in way):
                gone.append(ship.name)
    elif any(not battle.on_map(at) for at in way):
        gone.append(squadron.command_ship)
    return list(dict.fromkeys(gone))
