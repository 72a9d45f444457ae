"""Deactivation, A7: adding squadrons, repair, recovery, fighters (BS-DEA, BS-TF-9, BS-FTR-20)."""

from __future__ import annotations

from games.battleshift.data import LIMITS, NUMBERS
from games.battleshift.orders.records import Add
from games.battleshift.rules.planets import repair_facts, repair_quadrants
from games.battleshift.rules.planning import Activation
from games.battleshift.rules.units import Ship, Squadron, Taskforce, in_command, ships_within
from games.battleshift.table import Table, faces, scored
from pbem.kit.dice import Roll


def deactivate(act: Activation) -> None:
    """BS-DEA-1: adding squadrons, then for each squadron repair, then recovery."""
    table = act.table
    if act.taskforce is not None and act.in_tf:
        add_squadrons(table, act.taskforce)
    if act.body is not None:
        repair_quadrants(table, act.body)
    for squadron in [*act.squadrons, *act.prizes]:
        repair(table, squadron)
        restore(table, squadron)
        recover(table, squadron)
        if squadron not in act.busy:
            restore_wings(table, squadron)


def add_squadrons(table: Table, tf: Taskforce) -> None:
    """BS-TF-9: detached friends within 8.00" of the flagship, up to the limit."""
    for order in table.book(tf).all(tf.name, "add", Add):
        squadron = table.squadron(tf.side, order.unit)
        if squadron is None or not squadron.present or squadron.taskforce is not None or squadron.is_prize:
            table.warn(tf, "BS-TF-9", f"{order.unit} is not a detached squadron on the table")
        elif len(tf.living) >= table.switches.max_squadrons_per_tf:
            table.warn(tf, "BS-V-34", f"{tf.name} is full; {order.unit} stays detached")
        elif not any(ships_within(ship, tf.flagship, LIMITS.command) for ship in squadron.present):
            table.warn(tf, "BS-V-35", f'{order.unit} is not within 8.00" of {tf.flagship.name}')
        else:
            squadron.change(taskforce=tf.name)
            squadron.mark(out_of_tf=False)
            tf.change(squadrons=(*tf.now.squadrons, squadron.name))
            facts = {"squadron": squadron.name, "tf": tf.name, "why": "added", "side": tf.side}
            table.tell_in_sight("join", "BS-TF-9", (squadron, tf), facts)


def repair_number(squadron: Squadron) -> int:
    """BS-DEA-2, BS-XP-7: 1, with Veteran Engineers 1 or 2."""
    return 2 if squadron.show("Veteran Engineers") else 1


def repair_systems(squadron: Squadron) -> int:
    return squadron.cls.repair + squadron.cls.repair_cost


def lent_systems(table: Table, squadron: Squadron) -> int:
    """BS-DEA-4: repair systems of the station it is docked at, and of those who hold its engulfed ships."""
    lent = 0
    if squadron.now.docked:
        station = table.squadron(squadron.side, squadron.now.docked)
        lent += repair_systems(station) if station else 0
    inside = [ship for ship in squadron.ships if ship.now.status == "engulfed"]
    held = {ship.key for ship in inside if ship.now.captor in ("", "disabled")}
    if held:
        for holder in table.on_table(squadron.side):
            lent += sum(repair_systems(holder) for ship in holder.active if held.intersection(ship.now.holds))
    return lent


def repair(table: Table, squadron: Squadron) -> None:
    """BS-DEA-2: as many active ships as there is damage roll one die and one for each repair system."""
    crew = [ship for ship in squadron.ships if ship.now.status == "active"]
    working = crew[: squadron.now.damage]
    if not working and not (squadron.now.damage and lent_systems(table, squadron)):
        return
    need = repair_number(squadron)
    rolls = []
    for ship in working:
        rolls += table.rolls(1 + repair_systems(squadron), squadron.key, "repair", ship.number)
    rolls += table.rolls(lent_systems(table, squadron), squadron.key, "repair", "lent")
    fixed = min(squadron.now.damage, scored(rolls, need))
    squadron.change(damage=squadron.now.damage - fixed)
    facts = repair_facts(squadron, rolls, fixed, squadron.now.total, squadron.side)
    table.tell_in_sight("repair", "BS-DEA-2", (squadron,), facts, rolls)


def restore(table: Table, squadron: Squadron) -> None:
    """BS-DEA-3: each disabled ship may come back to life."""
    need = repair_number(squadron) if any(s.now.status == "disabled" for s in squadron.ships) else 1
    for ship in squadron.ships:
        if ship.now.status == "disabled":
            rolls = table.rolls(1 + repair_systems(squadron), ship.key, "restore")
            _restore(table, ship, rolls, need)


def _restore(table: Table, ship: Ship, rolls: list[Roll], need: int) -> None:
    """Any die not above the number makes the ship active; both sides see the attempt."""
    works = any(roll.face <= need for roll in rolls)
    if works:
        ship.change(status="active")
    facts = {"ship": ship.name, "dice": faces(rolls), "side": ship.side}
    table.tell_in_sight("restored" if works else "still_disabled", "BS-DEA-3", (ship.squadron,), facts, rolls)


def recover(table: Table, squadron: Squadron) -> None:
    """BS-DEA-5: a die for each marker, 3 or less in command, 2 or less otherwise."""
    if not squadron.now.suppression or not (squadron.present or squadron.now.docked):
        return
    need = NUMBERS.recovery if in_command(squadron) else NUMBERS.recovery_detached
    need += int(squadron.show("Steady Crew"))
    rolls = table.rolls(squadron.now.suppression, squadron.key, "recovery")
    removed = scored(rolls, need)
    squadron.change(suppression=squadron.now.suppression - removed)
    facts = {
        "squadron": squadron.name,
        "dice": faces(rolls),
        "need": need,
        "removed": removed,
        "left": squadron.now.suppression,
        "side": squadron.side,
    }
    table.tell_in_sight("recover_supp", "BS-DEA-5", (squadron,), facts, rolls)


def restore_wings(table: Table, squadron: Squadron) -> None:
    """BS-FTR-20: an idle carrier without flights out may make lost wings good."""
    bays = len(squadron.active) * squadron.weapons("bay")
    room = min(squadron.now.wings_initial, bays) - squadron.now.wings_aboard
    out = any(flight.home is squadron and flight.now.wings > 0 for flight in table.aloft.values())
    if not table.switches.fighter_recovery or out or room <= 0:
        return
    rolls = table.rolls(len(squadron.active), squadron.key, "fighter recovery")
    made = min(room, scored(rolls, NUMBERS.wing_recovery))
    squadron.change(wings_aboard=squadron.now.wings_aboard + made)
    facts = {"squadron": squadron.name, "lost": 0, "restored": made, "aboard": squadron.now.wings_aboard, "vp": 0}
    table.tell("wings", "BS-FTR-20", squadron.side, facts, rolls)
