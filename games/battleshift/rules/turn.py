"""A whole turn: sequence, initiative, activations, end (section 3, BS-TURN, BS-INIT)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from games.battleshift.orders.words import DetachedOrder, FlagshipTo, Initiative, Sequence, Target
from games.battleshift.rules.advance import advance
from games.battleshift.rules.boarding import board_all
from games.battleshift.rules.deactivation import deactivate
from games.battleshift.rules.fighters import act_flights, clear_lost
from games.battleshift.rules.fire import A2_FAMILIES, commit_super, fire_heavy
from games.battleshift.rules.missiles import fly_missiles, launch_missiles
from games.battleshift.rules.planets import fire_out, flights_of, ground_war, launch_out, launch_wings
from games.battleshift.rules.planning import Activation, Missile
from games.battleshift.rules.shifting import shift_out
from games.battleshift.rules.table import Battle
from games.battleshift.rules.targets import named_targets
from games.battleshift.rules.units import Body, Flight, Squadron, Taskforce
from pbem.kit.plane import Spot

Item = Taskforce | Body | Squadron | Flight


@dataclass
class Round:
    """The alternation of activations, numbered through the turn."""

    battle: Battle
    first: str
    slot: int = 0

    def run(self, lists: dict[str, list[Item]], play: Callable[[Item], None], is_due: Callable[[Item], bool]) -> None:
        """BS-TURN-4: the sides take turns; what no longer exists is skipped without using the slot."""
        side = self.first
        while any(lists.values()):
            item = self._next(lists[side], is_due)
            if item is not None:
                self.slot += 1
                self.battle.step = f"activation {self.slot}"
                play(item)
            side = self.battle.enemy(side)

    def _next(self, items: list[Item], is_due: Callable[[Item], bool]) -> Item | None:
        while items:
            item = items.pop(0)
            if is_due(item):
                return item
        return None


def play_turn(battle: Battle) -> None:
    """Section 3.2: steps 1 to 4."""
    lists = {side: sequence(battle, side) for side in battle.sides}
    first = initiative(battle)
    order = Round(battle, first)
    order.run(lists, lambda item: _activate(battle, item, order.slot), lambda item: is_due(battle, item))
    detached = {side: detached_items(battle, side) for side in battle.sides}
    order.run(detached, lambda item: _activate(battle, item, order.slot), lambda item: is_due(battle, item))


# --- lists -----------------------------------------------------------------------------------------------------------


def taskforces_of(battle: Battle, side: str) -> list[Item]:
    """Taskforces and defended bodies in fleet-list order."""
    tfs: list[Item] = [tf for tf in battle.taskforces if tf.side == side and tf.on_table]
    return tfs + [body for body in battle.bodies if body.side == side and body.is_defended]


def sequence(battle: Battle, side: str) -> list[Item]:
    """BS-TURN-3: the ordered list without repeats and absentees, then the rest in fleet-list order."""
    own = taskforces_of(battle, side)
    order = battle.books[side].own("", "sequence", Sequence)
    named = [item for name in (order.units if order else ()) for item in own if item.name == name]
    return list(dict.fromkeys([*named, *own]))


def detached_items(battle: Battle, side: str) -> list[Item]:
    """BS-TURN-5: squadrons that have not acted, by the `detached` line, then by cost; uncontrolled flights last."""
    squadrons = [s for s in battle.squadrons if s.side == side and _acts_alone(battle, s)]
    squadrons.sort(key=lambda s: (-s.cls.cost * len(s.active), s.name))
    flights = [f for f in battle.flights if f.side == side and not f.acted and not battle.is_controlled(f)]
    flights.sort(key=lambda flight: flight.name)
    order = battle.books[side].own("", "detached", DetachedOrder)
    items: list[Item] = [*squadrons, *flights]
    named = [item for name in (order.units if order else ()) for item in squadrons if item.name == name]
    return list(dict.fromkeys([*named, *items]))


def _acts_alone(battle: Battle, squadron: Squadron) -> bool:
    if squadron.acted or not (squadron.present or squadron.docked):
        return False
    captor = battle.squadron(squadron.side, squadron.captor) if squadron.captor else None
    return captor is None or not captor.present


def is_due(battle: Battle, item: Item) -> bool:
    """BS-TURN-1: still there and not yet activated this turn."""
    if isinstance(item, Taskforce):
        return item.on_table and not item.acted and any(not s.acted for s in item.living)
    if isinstance(item, Body):
        return not item.acted
    if isinstance(item, Flight):
        return item.wings > 0 and not item.acted and item in battle.flights and not battle.is_controlled(item)
    return _acts_alone(battle, item)


# --- initiative ------------------------------------------------------------------------------------------------------


def initiative(battle: Battle) -> str:
    """BS-INIT-1, BS-INIT-2: the higher roll wins and takes its choice; ties reroll both dice."""
    battle.step = "initiative"
    one, two = battle.sides
    count = {side: len(taskforces_of(battle, side)) for side in battle.sides}
    bonus = {side: _initiative_bonus(battle, side, count) for side in battle.sides}
    throws, rolls = 0, []
    while True:
        throws += 1
        drawn = {side: battle.roll(side, throws) for side in battle.sides}
        rolls += list(drawn.values())
        total = {side: drawn[side].face + sum(bonus[side].values()) for side in battle.sides}
        if total[one] != total[two]:
            break
    winner = one if total[one] > total[two] else two
    order = battle.books[winner].own("", "initiative", Initiative)
    choice = order.choice if order else "first"
    facts = {
        "dice": {side: drawn[side].face for side in battle.sides},
        "mods": {side: dict(bonus[side]) for side in battle.sides},
        "totals": total,
        "throws": throws,
        "winner": winner,
        "choice": choice,
    }
    battle.tell("initiative", "BS-INIT-1", facts, rolls=rolls)
    return winner if choice == "first" else battle.enemy(winner)


def _initiative_bonus(battle: Battle, side: str, count: dict[str, int]) -> dict[str, int]:
    bonus = {}
    if count[side] > count[battle.enemy(side)]:
        bonus["more taskforces"] = 1
    record = next(one for one in battle.state.sides if one.id == side)
    flagship = any(tf.side == side and tf.on_table for tf in battle.taskforces)
    if record.veteran_admiral and flagship:
        bonus["veteran admiral"] = 1
    return bonus


# --- one activation --------------------------------------------------------------------------------------------------


def _activate(battle: Battle, item: Item, slot: int) -> None:
    act = _opened(battle, item)
    facts = {"side": act.side, "unit": item.name, "slot": slot, "kind": type(item).__name__.lower()}
    about = () if isinstance(item, Body) else (item,)
    battle.tell("activate", "BS-TURN-4", facts, about, public=True)
    clear_flags(battle)
    if isinstance(item, Flight):
        act_flights(act)
        return
    if isinstance(item, Taskforce):
        transfer_command(battle, item)
    commit_super(act)
    _first_fire(act)
    advance(act)
    if act.body is not None:
        launch_wings(act)
        fire_out(act, "light")
        fire_out(act, "ion")
    act_flights(act)
    fly_missiles(act)
    clear_lost(battle)
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


def _opened(battle: Battle, item: Item) -> Activation:
    """Who takes part, in listing order; all of them have then acted."""
    if isinstance(item, Flight):
        return Activation(battle, item.side, item.name, [], flights=[item])
    if isinstance(item, Body):
        item.acted = True
        flights = [f for f in flights_of(battle, item) if not f.acted]
        return Activation(battle, item.side, item.name, [], body=item, flights=flights)
    members = item.squadrons if isinstance(item, Taskforce) else [item]
    squadrons = [s for s in members if (s.present or s.docked) and not s.acted]
    if isinstance(item, Taskforce):
        item.acted = True
    names = [squadron.name for squadron in squadrons]
    prizes = [p for p in battle.squadrons if p.captor in names and p.side == item.side and p.present and not p.acted]
    for squadron in [*squadrons, *prizes]:
        squadron.acted = True
    flights = [f for f in battle.flights if f.home in squadrons and not f.acted and battle.is_controlled(f)]
    tf = item if isinstance(item, Taskforce) else None
    act = Activation(battle, item.side, item.name, squadrons, tf, None, flights, prizes=prizes)
    act.strikes = waiting_strikes(battle, squadrons)
    return act


def waiting_strikes(battle: Battle, squadrons: list[Squadron]) -> list[Missile]:
    """Strikes a situation has already launched fly in their launcher's activation."""
    found = []
    for number, record in enumerate(battle.state.strikes):
        launcher = next((s for s in squadrons if s.name == record.launcher and s.side == record.side), None)
        body, _, place = record.target.rpartition(" ")
        item = Target(body, quadrant=place) if battle.body(body) else Target(record.target)
        targets = named_targets(battle, record.side, item)
        if launcher is not None and targets:
            name = record.name or f"{launcher.name} strike"
            key = f"{launcher.key} strike {number + 1}"
            found.append(
                Missile(name, record.side, launcher, key, targets[0], record.missiles, Spot(record.x, record.y))
            )
    return found


def clear_flags(battle: Battle) -> None:
    """A0: per-activation flags of both sides."""
    for squadron in battle.squadrons:
        squadron.reacted = squadron.suppressed_now = squadron.light_used = squadron.committed_super = False
        squadron.out_of_tf = squadron.launched_now = False
        squadron.hits_now = squadron.moved = squadron.recovered_now = 0
    for flight in battle.flights:
        flight.reacted = False
    for body in battle.bodies:
        for quadrant in body.quadrants.values():
            quadrant.reacted = False


def transfer_command(battle: Battle, tf: Taskforce) -> None:
    """BS-TF-5: to the first active ship of another squadron, at least as large as the flagship."""
    order = battle.book(tf).own(tf.name, "flagship", FlagshipTo)
    if order is None:
        return
    squadron = next((s for s in tf.living if s.name == order.unit), None)
    fits = squadron is not None and squadron is not tf.flagship.squadron and squadron.size >= tf.flagship.cls.size
    if squadron is None or not fits or not squadron.active:
        battle.warn(tf.side, tf.name, "BS-V-33", f"command cannot pass to {order.unit}")
        return
    old, tf.flagship = tf.flagship, squadron.active[0]
    facts = {"tf": tf.name, "old": old.name, "new": tf.flagship.name, "side": tf.side}
    battle.tell("transfer", "BS-TF-5", facts, (tf, squadron))
