"""Ships that are lost, and what follows: BS-DST-4, BS-TF-6, BS-FTR-19, BS-ENG-3 and the victory points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from games.battleshift.data import LIMITS
from games.battleshift.orders.words import Lose
from games.battleshift.rules.building import trait_cost
from games.battleshift.rules.table import Battle
from games.battleshift.rules.units import Ship, Squadron, Taskforce
from games.battleshift.state import Formation
from pbem.kit.plane import Spot, squared


def ship_cost(squadron: Squadron) -> int:
    """BS-END-2: a ship is worth what it cost, traits included."""
    return squadron.cls.cost + trait_cost(squadron.traits, squadron.cls)


def choose_loss(battle: Battle, squadron: Squadron, sources: Sequence[Spot], focus: Ship | None = None) -> Ship | None:
    """BS-DST-4: active ships but the flagship by doctrine, then disabled ones, then the flagship."""
    flagship = squadron.flagship
    active = [ship for ship in squadron.active if ship is not flagship]
    if focus is not None and focus is not flagship and focus in squadron.present:
        return focus
    if active:
        return _by_doctrine(battle, squadron, active, sources)
    disabled = [ship for ship in squadron.present if ship is not flagship]
    if disabled:
        return disabled[0]
    return flagship if flagship is not None and flagship.is_present else None


def choose_disabled(
    battle: Battle, squadron: Squadron, sources: Sequence[Spot], focus: Ship | None = None
) -> Ship | None:
    """BS-DIS-3: among active ships, the flagship last; none left: no effect."""
    if not squadron.active:
        return None
    chosen = choose_loss(battle, squadron, sources, focus if focus in squadron.active else None)
    return chosen if chosen is not None and chosen.status == "active" else squadron.flagship


def _by_doctrine(battle: Battle, squadron: Squadron, ships: Sequence[Ship], sources: Sequence[Spot]) -> Ship:
    doctrine = battle.book(squadron).find(squadron.lines, "lose", Lose) or Lose("front")
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


def score(battle: Battle, side: str, points: int, ship: Ship | None = None) -> None:
    """Give victory points, and remember for which ship, so that a recapture can take them back."""
    battle.vp[side] += points
    if ship is not None:
        battle.scored[ship.key] = points


def destroy(battle: Battle, ship: Ship, rule: str = "BS-DST-3") -> None:
    """A ship is gone: points, what it held, and its taskforce if it was the flagship."""
    squadron = ship.squadron
    points = 0 if squadron.is_prize else ship_cost(squadron)
    battle.set_status(ship, "destroyed")
    score(battle, battle.enemy(squadron.side), points, ship)
    battle.tell(
        "destroyed", rule, {"ship": ship.name, "side": ship.side, "vp": points, "at": [ship.x, ship.y]}, (squadron,)
    )
    set_free(battle, ship)
    check_flagship(battle, squadron, ship)
    wreck_dock(battle, squadron)


def disable(battle: Battle, ship: Ship) -> None:
    """BS-DIS-1..3: the ship neither moves nor fires until it is repaired."""
    battle.set_status(ship, "disabled")
    facts = {"ship": ship.name, "side": ship.side, "at": [ship.x, ship.y]}
    battle.tell("disabled", "BS-DIS-3", facts, (ship.squadron,))


def lose_wings(battle: Battle, squadron: Squadron, lost: int, before: int) -> None:
    """BS-FTR-19: wings aboard go down with their ships."""
    gone = squadron.wings_aboard * lost // before if before else 0
    if not gone:
        return
    squadron.wings_aboard -= gone
    points = gone * LIMITS.wing_vp
    score(battle, battle.enemy(squadron.side), points)
    facts = {"squadron": squadron.name, "lost": gone, "restored": 0, "aboard": squadron.wings_aboard, "vp": points}
    battle.tell_owner(squadron.side, "wings", "BS-FTR-19", facts)
    seen = {"squadron": squadron.name, "lost": gone, "restored": 0, "aboard": None, "vp": points}
    others = [side for side in battle.sides if side != squadron.side and battle.identifies(side, squadron)]
    for side in others:
        battle.tell_owner(side, "wings", "BS-FTR-19", seen)


def check_flagship(battle: Battle, squadron: Squadron, ship: Ship) -> None:
    """BS-TF-6: when the flagship is lost the taskforce is no more, and its squadrons are detached."""
    tf = squadron.taskforce
    if tf is not None and tf.exists and tf.flagship is ship:
        dissolve(battle, tf, f"the flagship {ship.name} is gone")


def dissolve(battle: Battle, tf: Taskforce, why: str) -> None:
    """BS-TF-6: the taskforce ends; its lines of this turn stand as each squadron's own."""
    tf.exists = False
    facts = {"squadron": None, "tf": tf.name, "why": why, "side": tf.side}
    battle.tell("tfdestroyed", "BS-TF-6", facts, (tf,))
    for squadron in tf.squadrons:
        squadron.taskforce = None
        squadron.player = squadron.player or tf.player
    end_tfcone(tf.squadrons)


def detach(battle: Battle, squadron: Squadron, why: str, rule: str) -> None:
    """The squadron leaves its taskforce; in its own activation it no longer counts as part of it."""
    tf = squadron.taskforce
    if tf is None:
        return
    squadron.taskforce, squadron.out_of_tf = None, True
    squadron.player = squadron.player or tf.player
    tf.squadrons.remove(squadron)
    facts = {"squadron": squadron.name, "tf": tf.name, "why": why, "side": squadron.side}
    battle.tell("detach", rule, facts, (squadron, tf))
    end_tfcone(tf.squadrons)
    end_tfcone([squadron])


def end_tfcone(squadrons: Sequence[Squadron]) -> None:
    """BS-FRM-10: a taskforce cone ends for all when one squadron leaves it."""
    for squadron in squadrons:
        if squadron.formation.kind == "tfcone":
            squadron.formation = Formation()


def set_free(battle: Battle, holder: Ship) -> None:
    """BS-ENG-3: ships held by a lost holder take a destruction test; survivors float free under their first owner."""
    held, holder.holds = list(holder.holds), []
    for key in held:
        ship = battle.ship(key)
        if ship is None:
            continue
        roll = battle.roll("engulfed", ship.key, "set free")
        survives = roll.face <= ship.cls.save
        facts = {"squadron": ship.name, "count": 1, "dice": [roll.face], "save": ship.cls.save}
        battle.tell("test", "BS-ENG-3", facts, (ship.squadron, holder.squadron), (roll,))
        if survives:
            float_free(battle, ship, holder.spot)
        else:
            ship.status = "destroyed"
            ship.squadron.changed()
            if key not in battle.scored:
                score(battle, battle.enemy(ship.side), ship_cost(ship.squadron), ship)
            facts = {"ship": ship.name, "side": ship.side, "vp": battle.scored[key], "at": [holder.x, holder.y]}
            battle.tell("destroyed", "BS-ENG-3", facts, (ship.squadron, holder.squadron))


def float_free(battle: Battle, ship: Ship, spot: Spot) -> Squadron:
    """BS-ENG-3: a one-ship detached squadron where the holder was; captured ships come back to their owner."""
    was_enemy = ship.captor == battle.enemy(ship.side)
    ship.x, ship.y = spot
    if was_enemy and ship.key in battle.scored:
        battle.vp[battle.enemy(ship.side)] -= battle.scored.pop(ship.key)
    status = "disabled" if was_enemy or ship.captor == "disabled" else "active"
    return split_off(battle, ship, ship.side, status)


def split_off(battle: Battle, ship: Ship, side: str, status: str, captor: str = "") -> Squadron:
    """BS-BRD-2: the ship leaves its squadron as a one-ship squadron named with a hyphen."""
    old = ship.squadron
    origin = old.origin or old.side
    record = replace(
        old.record, name=f"{old.name}-{ship.number}", side=side, origin="" if origin == side else origin, captor=captor
    )
    made = Squadron(
        record=record, cls=old.cls, name=record.name, side=side, ships=[], total=old.cls.hull, damage=0, suppression=0,
        facing=old.facing, formation=Formation(), taskforce=None, player="", traits=old.traits, traits_seen=set(),
        wings_aboard=0, wings_initial=0, arrived_turn=0, acted=True, standing=(), docked="", origin=record.origin,
        captor=captor, returns=None,
    )  # fmt: skip
    made.ships.append(Ship(made, 1, ship.x, ship.y, status, "", [], ship.assault_left))
    ship.status = "captured" if captor else "left"
    old.changed()
    battle.index[old.side].drop(ship)
    battle.enter(made)
    return made


def wreck_dock(battle: Battle, station: Squadron) -> None:
    """BS-STN-7: when a station is destroyed each docked ship takes a destruction test."""
    if not station.cls.is_station or station.present:
        return
    for squadron in battle.squadrons:
        if squadron.docked != station.name or squadron.side != station.side:
            continue
        squadron.docked = ""
        squadron.changed()
        for ship in list(squadron.present):
            battle.reindex(ship)
            roll = battle.roll("docked", ship.key, "station lost")
            facts = {"squadron": squadron.name, "count": 1, "dice": [roll.face], "save": squadron.cls.save}
            battle.tell("test", "BS-STN-7", facts, (squadron,), (roll,))
            if roll.face > squadron.cls.save:
                destroy(battle, ship, "BS-STN-7")
