"""Ships that are lost, and what follows: BS-DST-4, BS-TF-6, BS-FTR-19, BS-ENG-3 and the victory points."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from games.battleshift import state as records
from games.battleshift.data import DIE, LIMITS
from games.battleshift.orders.records import Lose
from games.battleshift.rules.building import trait_cost
from games.battleshift.rules.units import Ship, Squadron, Taskforce
from games.battleshift.state import Formation, Status
from games.battleshift.table import Table
from pbem.kit.plane import Spot, squared


def ship_cost(squadron: Squadron) -> int:
    """BS-END-2: a ship is worth what it cost, traits included."""
    return squadron.cls.cost + trait_cost(squadron.now.traits, squadron.cls)


def choose_loss(table: Table, squadron: Squadron, sources: Sequence[Spot], focus: Ship | None = None) -> Ship | None:
    """BS-DST-4: active ships but the flagship by doctrine, then disabled ones, then the flagship."""
    flagship = squadron.flagship
    active = [ship for ship in squadron.active if ship is not flagship]
    if focus is not None and focus is not flagship and focus in squadron.present:
        return focus
    if active:
        return _by_doctrine(table, squadron, active, sources)
    disabled = [ship for ship in squadron.present if ship is not flagship]
    if disabled:
        return disabled[0]
    return flagship if flagship is not None and flagship.is_present else None


def choose_disabled(
    table: Table, squadron: Squadron, sources: Sequence[Spot], focus: Ship | None = None
) -> Ship | None:
    """BS-DIS-3: among active ships, the flagship last; none left: no effect."""
    if not squadron.active:
        return None
    chosen = choose_loss(table, squadron, sources, focus if focus in squadron.active else None)
    return chosen if chosen is not None and chosen.now.status == "active" else squadron.flagship


def _by_doctrine(table: Table, squadron: Squadron, ships: Sequence[Ship], sources: Sequence[Spot]) -> Ship:
    doctrine = table.book(squadron).find(squadron.lines, "lose", Lose) or Lose("front")
    if doctrine.how == "list":
        for name, number in doctrine.ships:
            named = [ship for ship in ships if ship.number == number and name == squadron.name]
            if named:
                return named[0]
    if not sources:
        return ships[-1]

    def closeness(ship: Ship) -> int:
        return min(squared(ship.spot, source) for source in sources)

    if doctrine.how == "rear":
        return max(ships, key=lambda ship: (closeness(ship), ship.number))
    return min(ships, key=lambda ship: (closeness(ship), -ship.number))


def score(table: Table, side: str, points: int, ship: Ship | None = None) -> None:
    """Give victory points, and remember for which ship, so that a recapture can take them back."""
    table.vp[side] += points
    if ship is not None:
        table.scored[ship.key] = points


def destroy(table: Table, ship: Ship, rule: str = "BS-DST-3") -> None:
    """A ship is gone: points, what it held, and its taskforce if it was the flagship."""
    squadron = ship.squadron
    points = 0 if squadron.is_prize else ship_cost(squadron)
    ship.change(status="destroyed")
    score(table, table.enemy(squadron.side), points, ship)
    facts = {"ship": ship.name, "side": ship.side, "vp": points, "at": list(ship.spot)}
    table.tell_in_sight("destroyed", rule, (squadron,), facts)
    set_free(table, ship)
    check_flagship(table, squadron, ship)
    wreck_dock(table, squadron)


def disable(table: Table, ship: Ship) -> None:
    """BS-DIS-1..3: the ship neither moves nor fires until it is repaired."""
    ship.change(status="disabled")
    facts = {"ship": ship.name, "side": ship.side, "at": list(ship.spot)}
    table.tell_in_sight("disabled", "BS-DIS-3", (ship.squadron,), facts)


def lose_wings(table: Table, squadron: Squadron, lost: int, before: int) -> None:
    """BS-FTR-19: wings aboard go down with their ships."""
    gone = squadron.now.wings_aboard * lost // before if before else 0
    if not gone:
        return
    squadron.change(wings_aboard=squadron.now.wings_aboard - gone)
    points = gone * LIMITS.wing_vp
    score(table, table.enemy(squadron.side), points)
    facts = {"squadron": squadron.name, "lost": gone, "restored": 0, "aboard": squadron.now.wings_aboard, "vp": points}
    table.tell("wings", "BS-FTR-19", squadron.side, facts)
    foe = table.enemy(squadron.side)
    if table.identifies(foe, squadron):
        table.tell("wings", "BS-FTR-19", foe, {**facts, "aboard": None})


def check_flagship(table: Table, squadron: Squadron, ship: Ship) -> None:
    """BS-TF-6: when the flagship is lost the taskforce is no more, and its squadrons are detached."""
    tf = squadron.taskforce
    if tf is not None and tf.flagship is ship:
        dissolve(table, tf, f"the flagship {ship.name} is gone")


def dissolve(table: Table, tf: Taskforce, why: str) -> None:
    """BS-TF-6: the taskforce ends; its lines of this turn stand as each squadron's own."""
    table.disband(tf)
    facts = {"squadron": None, "tf": tf.name, "why": why, "side": tf.side}
    table.tell_in_sight("tfdestroyed", "BS-TF-6", (tf,), facts)
    for squadron in tf.squadrons:
        squadron.change(taskforce="", player=squadron.now.player or tf.now.player)
    end_tfcone(tf.squadrons)


def detach(table: Table, squadron: Squadron, why: str, rule: str) -> None:
    """The squadron leaves its taskforce; in its own activation it no longer counts as part of it."""
    tf = squadron.taskforce
    if tf is None:
        return
    squadron.change(taskforce="", player=squadron.now.player or tf.now.player)
    squadron.mark(out_of_tf=True)
    tf.change(squadrons=tuple(name for name in tf.now.squadrons if name != squadron.name))
    facts = {"squadron": squadron.name, "tf": tf.name, "why": why, "side": squadron.side}
    table.tell_in_sight("detach", rule, (squadron, tf), facts)
    end_tfcone((*tf.squadrons, squadron))


def end_tfcone(squadrons: Iterable[Squadron]) -> None:
    """BS-FRM-10: a taskforce cone ends for all when one squadron leaves it."""
    for squadron in squadrons:
        if squadron.now.formation.kind == "tfcone":
            squadron.change(formation=Formation())


def set_free(table: Table, holder: Ship) -> None:
    """BS-ENG-3: ships held by a lost holder take a destruction test; survivors float free under their first owner."""
    held = holder.now.holds
    if not held:
        return
    holder.change(holds=())
    for key in held:
        ship = table.ship(key)
        if ship is None:
            continue
        about = (ship.squadron, holder.squadron)
        if survives(table, ship, ship.name, about, "BS-ENG-3", ("engulfed", ship.key, "set free")):
            float_free(table, ship, holder.spot)
            continue
        ship.change(status="destroyed")
        if key not in table.scored:
            score(table, table.enemy(ship.side), ship_cost(ship.squadron), ship)
        facts = {"ship": ship.name, "side": ship.side, "vp": table.scored[key], "at": list(holder.spot)}
        table.tell_in_sight("destroyed", "BS-ENG-3", about, facts)


def survives(
    table: Table, ship: Ship, called: str, about: Sequence[Squadron], rule: str, label: Sequence[object]
) -> bool:
    """One destruction test of a ship that nobody fired at."""
    roll = table.roll(DIE, *label)
    facts = {"squadron": called, "count": 1, "dice": [roll.face], "save": ship.cls.save}
    table.tell_in_sight("test", rule, about, facts, (roll,))
    return roll.face <= ship.cls.save


def float_free(table: Table, ship: Ship, spot: Spot) -> Squadron:
    """BS-ENG-3: a one-ship detached squadron where the holder was; captured ships come back to their owner."""
    was_enemy = ship.now.captor == table.enemy(ship.side)
    ship.change(x=spot.x, y=spot.y)
    if was_enemy and ship.key in table.scored:
        table.vp[table.enemy(ship.side)] -= table.scored.pop(ship.key)
    return split_off(table, ship, ship.side, "disabled" if was_enemy or ship.now.captor == "disabled" else "active")


def split_off(table: Table, ship: Ship, side: str, status: Status, captor: str = "") -> Squadron:
    """BS-BRD-2: the ship leaves its squadron as a one-ship squadron named with a hyphen."""
    old = ship.squadron
    origin = old.now.origin or old.side
    x, y = ship.spot
    lone = records.Ship(1, x, y, status, assault_left=ship.now.assault_left)
    ship.change(status="captured" if captor else "left")
    return table.enter(
        records.Squadron(
            name=f"{old.name}-{ship.number}",
            side=side,
            ship_class=old.now.ship_class,
            ships=(lone,),
            total=old.cls.hull,
            facing=old.now.facing,
            traits=old.now.traits,
            acted=True,
            origin="" if origin == side else origin,
            captor=captor,
        )
    )


def wreck_dock(table: Table, station: Squadron) -> None:
    """BS-STN-7: when a station is destroyed each docked ship takes a destruction test."""
    if not station.cls.is_station or station.present:
        return
    for squadron in table.of(station.side):
        if squadron.now.docked != station.name:
            continue
        squadron.change(docked="")
        for ship in list(squadron.present):
            if not survives(table, ship, squadron.name, (squadron,), "BS-STN-7", ("docked", ship.key, "station lost")):
                destroy(table, ship, "BS-STN-7")
