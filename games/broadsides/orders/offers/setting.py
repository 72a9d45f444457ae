"""The setup phase: deployment, loads, programs and upgrades (BR-SET-6, 7, 10)."""

from __future__ import annotations

from math import ceil

from games.broadsides.orders import records as r
from games.broadsides.orders.offers.desk import Desk, way, written_hex
from games.broadsides.orders.offers.guns import PROGRAMS
from games.broadsides.orders.setting_up import (
    DEPLOY_WITHIN,
    RACK_SIZE,
    deploy_fault,
    load_fault,
    scenario_heading,
    upgrade_fault,
)
from games.broadsides.orders.words import MISSILE_KINDS, write_program
from games.broadsides.rules.force import UPGRADE_PERCENT, most_sensor_upgrades
from games.broadsides.state import Ship
from pbem.kit.choices import Number, Places
from pbem.kit.hexgrid import disk, turned
from pbem.kit.scene import hex_point

MIXES = (3, 6, 9)
"""Missiles of a special kind beside standard ones in a mixed rack."""


def offer_setup(desk: Desk) -> None:
    ship = desk.unit
    assert isinstance(ship, Ship)
    _deploy(desk, ship)
    _loads(desk, ship)
    _program(desk, ship)
    _upgrades(desk, ship)


def _deploy(desk: Desk, ship: Ship) -> None:
    if ship.status == "hyperspace":
        desk.close("deploy", f"{ship.name} is in hyperspace; it takes jump-in and offset", "BR-HYP-1")
        return
    if desk.state.cards.classes[ship.class_name].fixed:
        desk.close("deploy", deploy_fault(desk.state, ship, r.Deploy(ship.name, ship.position, 0)), "BR-SET-10")
        return
    for step in (0, -1, 1):
        heading = turned(scenario_heading(ship), step)
        points = {
            written_hex(at): hex_point(at)
            for at in disk(ship.position, DEPLOY_WITHIN)
            if not deploy_fault(desk.state, ship, r.Deploy(ship.name, at, heading))
        }
        if points:
            desk.offer(
                "deploy",
                f"deploy heading {way(heading)}",
                f"deploy {{}} heading {heading}",
                replaces=desk.lines_of(r.Deploy),
                note=f"within {DEPLOY_WITHIN} hexes of {written_hex(ship.position)}",
                at=ship.position,
                heading=heading,
                fill=Places(points),
            )


def _loads(desk: Desk, ship: Ship) -> None:
    """BR-SET-6: a rack full of one kind, or standard missiles and some of another."""
    cards = desk.state.cards
    for mount in cards.classes[ship.class_name].mounts:
        if not cards.weapons[mount.type].rack:
            continue
        old = [entry.line for entry in desk.said if isinstance(entry.order, r.Load) and entry.order.mount == mount.id]
        loads: list[dict[str, int]] = [{kind: RACK_SIZE} for kind in MISSILE_KINDS]
        loads += [{"standard": RACK_SIZE - n, kind: n} for kind in MISSILE_KINDS[1:] for n in MIXES]
        refused = ""
        for load in loads:
            rule, why = load_fault(desk.state, ship, r.Load(ship.name, mount.id, load))
            if why:
                refused = refused or f"{mount.id}: {why}"
                continue
            words = " ".join(f"{kind} {n}" for kind, n in load.items())
            desk.offer("load", f"{mount.id}: {words}", f"load {mount.id} {words}", replaces=old)
        if refused:
            desk.close("load", refused, rule)


def _program(desk: Desk, ship: Ship) -> None:
    old, now = desk.lines_of(r.SetProgram), f"now {write_program(ship.program)}"
    for program in PROGRAMS:
        desk.offer("program", f"program {program}", f"program {program}", replaces=old, note=now)
    label, fill = "program best-chance over ...", Number(1, 20, 10)
    desk.offer("program", label, "program best-chance over {}", replaces=old, note=now, fill=fill)


def _upgrades(desk: Desk, ship: Ship) -> None:
    cards = desk.state.cards
    sheet = cards.classes[ship.class_name]
    each = ceil(sheet.points * UPGRADE_PERCENT / 100)
    most = most_sensor_upgrades(cards, sheet.race, desk.state.year)
    for what in ("sensors", "jammer"):
        order = r.Upgrade(ship.name, what, 1)
        if why := upgrade_fault(desk.state, ship, order):
            desk.close("upgrade", why, "BR-SET-7" if what == "sensors" else "BR-JAM-3")
            continue
        old = [entry.line for entry in desk.said if isinstance(entry.order, r.Upgrade) and entry.order.what == what]
        note = f"each +{each} to the {sheet.points} points the enemy can earn"
        if what == "jammer":
            desk.offer("jammer", "upgrade against jammers", "upgrade jammer", replaces=old, note=note)
        else:
            fill = Number(1, most, most)
            desk.offer("upgrade", "upgrade sensors", "upgrade sensors {}", replaces=old, note=note, fill=fill)
