"""Deactivation, A7: adding squadrons, repair, recovery, fighters (BS-DEA, BS-TF-9, BS-FTR-20)."""

from __future__ import annotations

from games.battleshift.data import LIMITS, NUMBERS
from games.battleshift.orders.words import Add
from games.battleshift.rules.planets import repair_quadrants
from games.battleshift.rules.planning import Activation
from games.battleshift.rules.table import Battle, in_command, ships_within
from games.battleshift.rules.units import Ship, Squadron, Taskforce
from pbem.kit.dice import Roll


def deactivate(act: Activation) -> None:
    """BS-DEA-1: adding squadrons, then for each squadron repair, then recovery."""
    battle = act.battle
    if act.taskforce is not None and act.in_tf:
        add_squadrons(battle, act.taskforce)
    if act.body is not None:
        repair_quadrants(battle, act.body)
    for squadron in [*act.squadrons, *act.prizes]:
        repair(battle, squadron)
        restore(battle, squadron)
        recover(battle, squadron)
        restore_wings(battle, squadron)


def add_squadrons(battle: Battle, tf: Taskforce) -> None:
    """BS-TF-9: detached friends within 8.00" of the flagship, up to the limit."""
    for order in battle.book(tf).all(tf.name, "add", Add):
        squadron = battle.squadron(tf.side, order.unit)
        if squadron is None or not squadron.present or squadron.taskforce is not None or squadron.is_prize:
            battle.warn(tf.side, tf.name, "BS-TF-9", f"{order.unit} is not a detached squadron on the table")
        elif len(tf.living) >= battle.switches.max_squadrons_per_tf:
            battle.warn(tf.side, tf.name, "BS-V-34", f"{tf.name} is full; {order.unit} stays detached")
        elif not any(ships_within(ship, tf.flagship, LIMITS.command) for ship in squadron.present):
            battle.warn(tf.side, tf.name, "BS-V-35", f'{order.unit} is not within 8.00" of {tf.flagship.name}')
        else:
            squadron.taskforce, squadron.out_of_tf = tf, False
            tf.squadrons.append(squadron)
            facts = {"squadron": squadron.name, "tf": tf.name, "why": "added", "side": tf.side}
            battle.tell("join", "BS-TF-9", facts, (squadron, tf))


def repair_number(squadron: Squadron) -> int:
    """BS-DEA-2, BS-XP-7: 1, with Veteran Engineers 1 or 2."""
    if "Veteran Engineers" in squadron.traits:
        squadron.traits_seen.add("Veteran Engineers")
        return 2
    return 1


def repair_systems(squadron: Squadron) -> int:
    return squadron.cls.repair + squadron.cls.repair_cost


def lent_systems(battle: Battle, squadron: Squadron) -> int:
    """BS-DEA-4: repair systems of the station it is docked at, and of those who hold its engulfed ships."""
    lent = 0
    if squadron.docked:
        station = battle.squadron(squadron.side, squadron.docked)
        lent += repair_systems(station) if station else 0
    held = {ship.key for ship in squadron.ships if ship.status == "engulfed" and ship.captor in ("", "disabled")}
    if held:
        for holder in battle.on_table(squadron.side):
            lent += sum(repair_systems(holder) for ship in holder.active if held.intersection(ship.holds))
    return lent


def repair(battle: Battle, squadron: Squadron) -> None:
    """BS-DEA-2: as many active ships as there is damage roll one die and one for each repair system."""
    crew = [ship for ship in squadron.ships if ship.status == "active"]
    working = crew[: squadron.damage]
    if not working and not (squadron.damage and lent_systems(battle, squadron)):
        return
    need = repair_number(squadron)
    rolls = []
    for ship in working:
        rolls += battle.rolls(1 + repair_systems(squadron), squadron.key, "repair", ship.number)
    rolls += battle.rolls(lent_systems(battle, squadron), squadron.key, "repair", "lent")
    fixed = min(squadron.damage, sum(roll.face <= need for roll in rolls))
    squadron.damage -= fixed
    facts = {
        "squadron": squadron.name,
        "dice": [roll.face for roll in rolls],
        "repaired": fixed,
        "damage": squadron.damage,
        "total": squadron.total,
        "side": squadron.side,
    }
    battle.tell("repair", "BS-DEA-2", facts, (squadron,), rolls)


def restore(battle: Battle, squadron: Squadron) -> None:
    """BS-DEA-3: each disabled ship may come back to life."""
    need = repair_number(squadron) if any(s.status == "disabled" for s in squadron.ships) else 1
    for ship in squadron.ships:
        if ship.status == "disabled":
            rolls = battle.rolls(1 + repair_systems(squadron), ship.key, "restore")
            _restore(battle, ship, rolls, need)


def _restore(battle: Battle, ship: Ship, rolls: list[Roll], need: int) -> None:
    """Any die not above the number makes the ship active; both sides see the attempt."""
    works = any(roll.face <= need for roll in rolls)
    if works:
        battle.set_status(ship, "active")
    facts = {"ship": ship.name, "dice": [roll.face for roll in rolls], "side": ship.side}
    battle.tell("restored" if works else "still_disabled", "BS-DEA-3", facts, (ship.squadron,), rolls)


def recover(battle: Battle, squadron: Squadron) -> None:
    """BS-DEA-5: a die for each marker, 3 or less in command, 2 or less otherwise."""
    if not squadron.suppression or not (squadron.present or squadron.docked):
        return
    need = NUMBERS.recovery if in_command(squadron) else NUMBERS.recovery_detached
    if "Steady Crew" in squadron.traits:
        squadron.traits_seen.add("Steady Crew")
        need += 1
    rolls = battle.rolls(squadron.suppression, squadron.key, "recovery")
    removed = sum(roll.face <= need for roll in rolls)
    squadron.suppression -= removed
    facts = {
        "squadron": squadron.name,
        "dice": [roll.face for roll in rolls],
        "need": need,
        "removed": removed,
        "left": squadron.suppression,
        "side": squadron.side,
    }
    battle.tell("recover_supp", "BS-DEA-5", facts, (squadron,), rolls)


def restore_wings(battle: Battle, squadron: Squadron) -> None:
    """BS-FTR-20: an idle carrier without flights out may make lost wings good."""
    idle = not squadron.launched_now and not squadron.recovered_now
    bays = len(squadron.active) * squadron.weapons("bay")
    room = min(squadron.wings_initial, bays) - squadron.wings_aboard
    out = any(flight.home is squadron and flight.wings > 0 for flight in battle.flights)
    if not battle.switches.fighter_recovery or not idle or out or room <= 0:
        return
    rolls = battle.rolls(len(squadron.active), squadron.key, "fighter recovery")
    made = min(room, sum(roll.face <= NUMBERS.wing_recovery for roll in rolls))
    squadron.wings_aboard += made
    facts = {"squadron": squadron.name, "lost": 0, "restored": made, "aboard": squadron.wings_aboard, "vp": 0}
    battle.tell_owner(squadron.side, "wings", "BS-FTR-20", facts, rolls)
