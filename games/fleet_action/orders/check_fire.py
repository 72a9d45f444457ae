"""Checks of fire orders over several lines: FA-E-19 to FA-E-22 and FA-E-36."""

from __future__ import annotations

from dataclasses import replace

from games.fleet_action.orders.desk import Desk
from games.fleet_action.orders.records import FireOrder, GuardOrder, MinesOrder, TargetOrder, WithdrawOrder
from games.fleet_action.rules import ballistics, weapons
from games.fleet_action.state import PULSES, Ship
from games.fleet_action.table import pulse_index, turn_and_pulse
from pbem.kit.sheet import Accepted


def check(desk: Desk) -> None:
    """All lines of fire."""
    for entry in desk.given(FireOrder):
        _check_ready(desk, entry)
    _check_two_targets(desk)
    _check_outside_target(desk)
    for mines in desk.given(MinesOrder):
        _check_mines(desk, mines)
    _check_guards(desk)


# --- readiness -------------------------------------------------------------------------------------------------------


def _check_ready(desk: Desk, entry: Accepted[FireOrder]) -> None:
    """FA-E-19: a weapon named for pulses in which it is not ready fires when it is."""
    table, order = desk.table, entry.order
    ship = table.ships.get(order.unit)
    if ship is None:
        return
    for number, mount, weapon in table.mounts(ship):
        named = order.weapons == (mount.weapon,) or order.weapons == (mount.name,)
        if not named or weapon.rapid or not weapon.range or weapon.proximity:
            continue
        ready = weapons.ready_pulse(weapon, ship.last_std[number], 0, desk.turn)
        first = max(pulse_index(desk.turn, 1), ready)
        if all(pulse_index(desk.turn, pulse) < first for pulse in order.pulses):
            _fire_when_ready(desk, entry, ship, number, first)


def _fire_when_ready(desk: Desk, entry: Accepted[FireOrder], ship: Ship, number: int, first: int) -> None:
    last = ship.last_std[number]
    assert last is not None
    turn, pulse = turn_and_pulse(last)
    _, ready = turn_and_pulse(first)
    reason = f"{ship.name} {entry.order.weapons[0]} fired in turn {turn} pulse {pulse}; ready pulse {ready}"
    later = replace(entry.order, pulses=(ready,))
    desk.change(entry, later, "FA-E-19", reason, f"pulse {ready}", "it fires when ready")


# --- targets ---------------------------------------------------------------------------------------------------------


def _named_ships(desk: Desk) -> list[Accepted[FireOrder]]:
    return [entry for entry in desk.given(FireOrder) if entry.order.at in desk.table.ships]


def _check_two_targets(desk: Desk) -> None:
    """FA-E-20: one ship has one ship target in a pulse; the first line goes before."""
    seen: list[Accepted[FireOrder]] = []
    for entry in _named_ships(desk):
        order = entry.order
        for earlier in seen:
            both = set(order.pulses) & set(earlier.order.pulses)
            if earlier.order.unit == order.unit and earlier.order.at != order.at and both:
                pulses = ", ".join(str(pulse) for pulse in sorted(both))
                reason = f"{order.unit} is told to fire at {earlier.order.at} and at {order.at} in pulse {pulses}"
                desk.warn(entry, "FA-E-20", reason, "one ship target a pulse", "the first line goes before")
                break
        seen.append(entry)


def _check_outside_target(desk: Desk) -> None:
    """FA-E-21: a named ship outside the squadron's named target."""
    table = desk.table
    for entry in _named_ships(desk):
        order = entry.order
        ship = table.ships.get(order.unit)
        squadron = ship.squadron if ship is not None else order.unit
        targets = [t.order for t in desk.given(TargetOrder, squadron)]
        its = table.ships[order.at].squadron
        for pulse in order.pulses:
            first = next((t for t in targets if pulse in t.pulses), None)
            if first is not None and first.at in table.squadrons and first.at != its:
                reason = f"{order.at} belongs to {its}, the target of {squadron} in pulse {pulse} is {first.at}"
                desk.warn(entry, "FA-E-21", reason, f"target {its}", "the line is skipped in that pulse")
                break


# --- mines and guardians ---------------------------------------------------------------------------------------------


def _check_mines(desk: Desk, entry: Accepted[MinesOrder]) -> None:
    """FA-E-22: each ship needs mines that work, the hex in range and in arc; withdrawing squadrons launch none."""
    table, order = desk.table, entry.order
    squadron = table.squadrons[order.unit]
    if squadron.state == "withdrawing" or desk.last(WithdrawOrder, order.unit) is not None:
        desk.refuse(entry, "FA-E-22", f"{squadron.name} is withdrawing and launches no mines", "", "no launch")
        return
    members = table.members(squadron)
    wanted = [s for s in members if s.name in order.ships] if order.ships else members
    faults = {ship.name: ballistics.why_not_launched(table, ship, order.hex) for ship in wanted}
    in_vain = all(why is not None for why in faults.values())
    speak = desk.refuse if in_vain else desk.warn
    for ship in wanted:
        why = faults[ship.name]
        if why is not None and (order.ships or ballistics.mine_mounts(table, ship)):
            speak(entry, "FA-E-22", why, "", f"{ship.name} does not launch")
    if in_vain:
        reason = f"no ship of {squadron.name} can launch mines at that hex"
        desk.refuse(entry, "FA-E-22", reason, "", "no launch")


def _check_guards(desk: Desk) -> None:
    """FA-E-36: no more levels than left, and one guardian for a ship."""
    table = desk.table
    left: dict[str, int] = {}
    covered: dict[tuple[str, int], str] = {}
    for entry in desk.given(GuardOrder):
        order = entry.order
        if not order.target:
            continue
        ship = table.ships[order.unit]
        level = left.setdefault(ship.name, table.guardian_level(ship))
        others = {covered.get((order.target, pulse), ship.name) for pulse in PULSES if pulse in order.pulses}
        if others != {ship.name}:
            other = next(iter(sorted(others - {ship.name})))
            reason = f"{order.target} is already covered by {other}; one guardian for a ship"
            desk.refuse(entry, "FA-E-36", reason, "cover another ship", "the later guardian is dropped")
            continue
        if order.levels > level:
            reason = f"{ship.name} asked for {order.levels} levels, {level} left"
            fewer = replace(order, levels=level)
            desk.change(entry, fewer, "FA-E-36", reason, f"at most {level}", "the excess is dropped")
        left[ship.name] = level - min(order.levels, level)
        covered.update({(order.target, pulse): ship.name for pulse in order.pulses})
