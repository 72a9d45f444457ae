"""A whole turn: sequence, initiative, activations, end (section 3, BS-TURN, BS-INIT)."""

from __future__ import annotations

from dataclasses import replace

from games.battleshift.data import DIE
from games.battleshift.orders.records import DetachedOrder, FlagshipTo, Initiative, Sequence, Target
from games.battleshift.rules.advance import advance
from games.battleshift.rules.boarding import board_all
from games.battleshift.rules.deactivation import deactivate
from games.battleshift.rules.fighters import act_flights, clear_lost
from games.battleshift.rules.fire import A2_FAMILIES, commit_super, fire_heavy
from games.battleshift.rules.missiles import fly_missiles, launch_missiles
from games.battleshift.rules.planets import fire_out, flights_of, ground_war, launch_out, launch_wings
from games.battleshift.rules.planning import Activation, Missile
from games.battleshift.rules.shifting import shift_out
from games.battleshift.rules.targets import named_targets
from games.battleshift.rules.units import Body, Flight, Squadron, Taskforce
from games.battleshift.state import Flags
from games.battleshift.table import Table

Item = Taskforce | Body | Squadron | Flight


def play_turn(table: Table) -> None:
    """Section 3.2: steps 1 to 4; activations are numbered through the turn."""
    lists = {side: sequence(table, side) for side in table.sides}
    first = initiative(table)
    slot = _alternate(table, lists, first, 0)
    _alternate(table, {side: detached_items(table, side) for side in table.sides}, first, slot)


def _alternate(table: Table, lists: dict[str, list[Item]], side: str, slot: int) -> int:
    """BS-TURN-4: the sides take turns; what no longer exists is skipped without using the slot; gives the last."""
    while any(lists.values()):
        items = lists[side]
        while items and not is_due(table, items[0]):
            items.pop(0)
        if items:
            slot += 1
            table.step = f"activation {slot}"
            _activate(table, items.pop(0), slot)
        side = table.enemy(side)
    return slot


# --- lists -----------------------------------------------------------------------------------------------------------


def taskforces_of(table: Table, side: str) -> list[Item]:
    """Taskforces and defended bodies in fleet-list order."""
    tfs: list[Item] = [tf for tf in table.forces.values() if tf.side == side and tf.on_table]
    return tfs + [body for body in table.bodies if body.side == side and body.is_defended]


def sequence(table: Table, side: str) -> list[Item]:
    """BS-TURN-3: the ordered list without repeats and absentees, then the rest in fleet-list order."""
    own = taskforces_of(table, side)
    order = table.books[side].own("", "sequence", Sequence)
    named = [item for name in (order.units if order else ()) for item in own if item.name == name]
    return list(dict.fromkeys([*named, *own]))


def detached_items(table: Table, side: str) -> list[Item]:
    """BS-TURN-5: squadrons that have not acted, by the `detached` line, then by cost; uncontrolled flights last."""
    squadrons = [squadron for squadron in table.of(side) if _acts_alone(table, squadron)]
    squadrons.sort(key=lambda s: (-s.cls.cost * len(s.active), s.name))
    flights = [f for f in table.aloft.values() if f.side == side and not f.now.acted and not table.is_controlled(f)]
    flights.sort(key=lambda flight: flight.name)
    order = table.books[side].own("", "detached", DetachedOrder)
    items: list[Item] = [*squadrons, *flights]
    named = [item for name in (order.units if order else ()) for item in squadrons if item.name == name]
    return list(dict.fromkeys([*named, *items]))


def _acts_alone(table: Table, squadron: Squadron) -> bool:
    if squadron.now.acted or not (squadron.present or squadron.now.docked):
        return False
    captor = table.squadron(squadron.side, squadron.now.captor) if squadron.now.captor else None
    return captor is None or not captor.present


def is_due(table: Table, item: Item) -> bool:
    """BS-TURN-1: still there and not yet activated this turn."""
    if isinstance(item, Taskforce):
        return item.on_table and not item.acted and any(not s.now.acted for s in item.living)
    if isinstance(item, Body):
        return not item.now.acted
    if isinstance(item, Flight):
        return item.exists and item.now.wings > 0 and not item.now.acted and not table.is_controlled(item)
    return _acts_alone(table, item)


# --- initiative ------------------------------------------------------------------------------------------------------


def initiative(table: Table) -> str:
    """BS-INIT-1, BS-INIT-2: the higher roll wins and takes its choice; ties reroll both dice."""
    table.step = "initiative"
    one, two = table.sides
    count = {side: len(taskforces_of(table, side)) for side in table.sides}
    bonus = {side: _initiative_bonus(table, side, count) for side in table.sides}
    throws, rolls = 0, []
    while True:
        throws += 1
        drawn = {side: table.roll(DIE, side, throws) for side in table.sides}
        rolls += list(drawn.values())
        total = {side: drawn[side].face + sum(bonus[side].values()) for side in table.sides}
        if total[one] != total[two]:
            break
    winner = one if total[one] > total[two] else two
    order = table.books[winner].own("", "initiative", Initiative)
    choice = order.choice if order else "first"
    facts = {
        "dice": {side: drawn[side].face for side in table.sides},
        "mods": {side: dict(bonus[side]) for side in table.sides},
        "totals": total,
        "throws": throws,
        "winner": winner,
        "choice": choice,
    }
    table.tell("initiative", "BS-INIT-1", table.sides, facts, rolls)
    return winner if choice == "first" else table.enemy(winner)


def _initiative_bonus(table: Table, side: str, count: dict[str, int]) -> dict[str, int]:
    bonus = {}
    if count[side] > count[table.enemy(side)]:
        bonus["more taskforces"] = 1
    record = next(record for record in table.state.sides if record.id == side)
    flagship = any(tf.side == side and tf.on_table for tf in table.forces.values())
    if record.veteran_admiral and flagship:
        bonus["veteran admiral"] = 1
    return bonus


# --- one activation --------------------------------------------------------------------------------------------------


def _activate(table: Table, item: Item, slot: int) -> None:
    act = _opened(table, item)
    facts = {"side": act.side, "unit": item.name, "slot": slot, "kind": type(item).__name__.lower()}
    about = () if isinstance(item, Body) else (item,)
    table.tell_both("activate", "BS-TURN-4", about, facts)
    clear_flags(table)
    if isinstance(item, Flight):
        act_flights(act)
        return
    if isinstance(item, Taskforce):
        transfer_command(table, item)
    commit_super(act)
    _first_fire(act)
    advance(act)
    if act.body is not None:
        launch_wings(act)
        fire_out(act, "light")
        fire_out(act, "ion")
    act_flights(act)
    fly_missiles(act)
    clear_lost(table)
    board_all(act)
    ground_war(act)
    deactivate(act)
    shift_out(act)


def _first_fire(act: Activation) -> None:
    """A1 and A2."""
    if act.body is None:
        launch_missiles(act)
        fire_heavy(act)
        return
    launch_out(act)
    for family in A2_FAMILIES:
        for weapon in family:
            fire_out(act, weapon)


def _opened(table: Table, item: Item) -> Activation:
    """Who takes part, in listing order; all of them have then acted."""
    if isinstance(item, Flight):
        return Activation(table, item, [], flights=[item])
    if isinstance(item, Body):
        item.change(acted=True)
        flights = [f for f in flights_of(table, item) if not f.now.acted]
        return Activation(table, item, [], flights=flights)
    members = item.squadrons if isinstance(item, Taskforce) else [item]
    squadrons = [s for s in members if (s.present or s.now.docked) and not s.now.acted]
    if isinstance(item, Taskforce):
        item.acted = True
    names = [squadron.name for squadron in squadrons]
    prizes = [s for s in table.on_table(item.side) if s.now.captor in names and not s.now.acted]
    for squadron in [*squadrons, *prizes]:
        squadron.change(acted=True)
    flights = [f for f in table.aloft.values() if f.home in squadrons and not f.now.acted and table.is_controlled(f)]
    return Activation(table, item, squadrons, flights, waiting_strikes(table, squadrons), prizes=prizes)


def waiting_strikes(table: Table, squadrons: list[Squadron]) -> list[Missile]:
    """Strikes a situation has already launched fly in their launcher's activation."""
    strikes = []
    for number, record in enumerate(table.state.strikes):
        launcher = next((s for s in squadrons if s.name == record.launcher and s.side == record.side), None)
        body, _, place = record.target.rpartition(" ")
        item = Target(body, quadrant=place) if table.body(body) else Target(record.target)
        targets = named_targets(table, record.side, item)
        if launcher is not None and targets:
            named = replace(record, name=record.name or f"{launcher.name} strike")
            strikes.append(Missile(named, f"{launcher.key} strike {number + 1}", targets[0], launcher))
    return strikes


def clear_flags(table: Table) -> None:
    """A0: per-activation flags of both sides."""
    for squadron in table.fleet.values():
        if squadron.now.flags != Flags():
            squadron.change(flags=Flags())
    for flight in table.aloft.values():
        if flight.now.reacted:
            flight.change(reacted=False)
    for quadrant in (quadrant for body in table.bodies for quadrant in body.quadrants.values()):
        if quadrant.now.reacted:
            quadrant.change(reacted=False)


def transfer_command(table: Table, tf: Taskforce) -> None:
    """BS-TF-5: to the first active ship of another squadron, at least as large as the flagship."""
    order = table.book(tf).own(tf.name, "flagship", FlagshipTo)
    if order is None:
        return
    squadron = next((s for s in tf.living if s.name == order.unit), None)
    fits = squadron is not None and squadron is not tf.flagship.squadron and squadron.size >= tf.flagship.cls.size
    if squadron is None or not fits or not squadron.active:
        table.warn(tf, "BS-V-33", f"command cannot pass to {order.unit}")
        return
    old = tf.flagship
    tf.change(flagship=squadron.active[0].name)
    facts = {"tf": tf.name, "old": old.name, "new": tf.flagship.name, "side": tf.side}
    table.tell_in_sight("transfer", "BS-TF-5", (tf, squadron), facts)
