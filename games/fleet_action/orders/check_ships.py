"""Checks of command, ELINT, abilities, tractors and jumps: FA-E-23, FA-E-27 to FA-E-29, FA-E-33, FA-E-37."""

from __future__ import annotations

from dataclasses import replace

from games.fleet_action.data import TABLES
from games.fleet_action.orders.desk import Desk
from games.fleet_action.orders.records import (
    UNSTATED,
    AbsorbOrder,
    CommanderOrder,
    DetachOrder,
    ElintOrder,
    FlagOrder,
    JumpOrder,
    StubbornOrder,
    TractorOrder,
    UseOrder,
)
from games.fleet_action.rules import abilities, command, elint, succession
from pbem.kit.hexgrid import distance
from pbem.kit.sheet import Accepted


def check(desk: Desk) -> None:
    """All lines that ships and commanders are given beside fire."""
    _check_elint(desk)
    _check_abilities(desk)
    for detach in desk.given(DetachOrder):
        _check_detach(desk, detach)
    for tractor in desk.given(TractorOrder):
        _check_tractor(desk, tractor)
    for jump in desk.given(JumpOrder):
        card = desk.table.card(desk.table.ships[jump.order.unit])
        if not card.jump:
            desk.refuse(jump, "FA-E-33", f"{jump.order.unit} ({card.name}) has no jump engine", "", "no jump")
    _check_commanders(desk)


# --- ELINT -----------------------------------------------------------------------------------------------------------


def _check_elint(desk: Desk) -> None:
    """FA-E-23: levels, ranges and support; what is too much is dropped, the last first."""
    table = desk.table
    used: dict[str, int] = {}
    pledged: dict[str, int] = {}
    ships = [ship.name for ship in table.ships.values()]
    for entry in sorted(desk.given(ElintOrder), key=lambda e: (ships.index(e.order.unit), e.line)):
        order = entry.order
        ship = table.ships[order.unit]
        level = table.elint_level(ship)
        why = _out_of_range(desk, order) or _wrong_support(desk, order)
        if why:
            desk.refuse(entry, "FA-E-23", why, "", "the action is dropped")
            continue
        left = level - used.get(ship.name, 0)
        wanted = order.levels
        if wanted == UNSTATED:
            target = table.ships[order.targets[0]]
            needed = elint.required_levels(table, target)
            wanted = min(max(left, 1), max(1, needed - pledged.get(target.name, 0)))
            pledged[target.name] = pledged.get(target.name, 0) + wanted
        if wanted > left:
            _too_many(desk, entry, wanted, left, level)
        used[ship.name] = used.get(ship.name, 0) + min(wanted, max(0, left))


def _too_many(desk: Desk, entry: Accepted[ElintOrder], wanted: int, left: int, level: int) -> None:
    reason = f"{entry.order.unit} has {level} ELINT level(s), {level - left} used; {wanted} asked"
    if left < 1:
        desk.refuse(entry, "FA-E-23", reason, "", "the action is dropped")
        return
    fewer = replace(entry.order, levels=left)
    desk.change(entry, fewer, "FA-E-23", reason, f"{left} level(s)", f"{left} level(s) are used")


def _out_of_range(desk: Desk, order: ElintOrder) -> str:
    limits = {"jam-command": TABLES.jam_command_range, "jam-elint": TABLES.jam_elint_range}
    limit = limits.get(order.action)
    if limit is None:
        return ""
    table = desk.table
    far = distance(table.ships[order.unit].hex, table.ships[order.targets[0]].hex)
    return f"{order.targets[0]} is {far} hexes away, the range of {order.action} is {limit}" if far > limit else ""


def _wrong_support(desk: Desk, order: ElintOrder) -> str:
    table = desk.table
    ship = table.ships[order.unit]
    if order.action in ("offensive", "defensive") and command.is_out_of_command(table, ship):
        return f"{ship.name} is out of command and gives no support"
    if order.action == "jam-elint" and not table.card(table.ships[order.targets[0]]).elint:
        return f"{order.targets[0]} is no ELINT ship"
    return ""


# --- abilities -------------------------------------------------------------------------------------------------------


def _check_abilities(desk: Desk) -> None:
    """FA-E-27, FA-E-28: owned, not used up, one a turn; room and reach for what is absorbed."""
    seen: set[str] = set()
    for entry in desk.given(AbsorbOrder):
        _check_absorb(desk, entry, seen)
    for stubborn in desk.given(StubbornOrder):
        squadron = desk.table.squadrons[stubborn.order.unit]
        if not abilities.owner_of(desk.table, squadron, "stubborn"):
            desk.refuse(stubborn, "FA-E-27", f"{squadron.name} has no Stubborn commander; uses left: 0", "", "ignored")
    for use in desk.given(UseOrder):
        _check_use(desk, use, seen)


def _check_absorb(desk: Desk, entry: Accepted[AbsorbOrder], seen: set[str]) -> None:
    table = desk.table
    squadron = table.squadrons[entry.order.unit]
    owner = abilities.owner_of(table, squadron, abilities.REORGANIZATION)
    if not owner or owner in seen:
        why = "a second use in one turn" if owner else "uses left: 0"
        reason = f"{squadron.name} cannot use Command Reorganization: {why}"
        desk.refuse(entry, "FA-E-27", reason, "", "ignored")
        return
    seen.add(owner)
    rating = abilities.command_rating(table, squadron, table.commander(squadron))
    taken: list[str] = []
    left_out: list[tuple[str, str]] = []
    for name in entry.order.ships:
        why_not = abilities.why_not_absorbed(table, squadron, name)
        if why_not is None and len(taken) >= rating - len(table.members(squadron)):
            why_not = f"{squadron.name} would have more ships than its cr {rating}"
        if why_not is None:
            taken.append(name)
        else:
            left_out.append((name, why_not))
    speak = desk.warn if taken else desk.refuse
    for name, why_not in left_out:
        speak(entry, "FA-E-28", why_not, "", f"{name} is not taken in")
    if taken:
        desk.put(entry, replace(entry.order, ships=tuple(taken)))
    else:
        desk.refuse(entry, "FA-E-28", f"{squadron.name} takes in nobody", "", "ignored")


def _check_use(desk: Desk, entry: Accepted[UseOrder], seen: set[str]) -> None:
    """FA-ABL-1, 7: the admiral's one use this turn, an ELINT ship of the flag squadron, a squadron in reach."""
    table, order = desk.table, entry.order
    fleet = table.fleet(table.squadron(table.ships[order.ship]))
    if not any(ability.key == order.ability for ability in fleet.abilities):
        desk.refuse(entry, "FA-E-27", f"{fleet.name} does not own {order.ability}; uses left: 0", "", "ignored")
    elif fleet.name in seen:
        desk.refuse(entry, "FA-E-27", f"a second use by the admiral of {fleet.name} in one turn", "", "ignored")
    elif not table.elint_level(table.ships[order.ship]) or not elint.can_support(table, order):
        reason = f"{order.ship} cannot support {order.serves}: an ELINT ship of the flag squadron is needed, and a"
        reason += f" command ship within {TABLES.priority_range} hexes of the flagship"
        desk.refuse(entry, "FA-E-27", reason, "", "ignored")


# --- command ---------------------------------------------------------------------------------------------------------


def _check_detach(desk: Desk, entry: Accepted[DetachOrder]) -> None:
    squadron = desk.table.squadrons[entry.order.unit]
    if entry.order.ship == squadron.command_ship:
        reason = f"{entry.order.ship} is the command ship of {squadron.name} and cannot be detached"
        desk.refuse(entry, "FA-E-28", reason, "detach another ship", "ignored")


def _check_tractor(desk: Desk, entry: Accepted[TractorOrder]) -> None:
    """FA-E-29: a warning; the order is kept and tested at the end of the turn."""
    table, order = desk.table, entry.order
    ship = table.ships[order.unit]
    target = table.ships.get(order.target) or table.flights[order.target]
    if not table.card(ship).tractor:
        desk.note(entry, "FA-E-29", f"{ship.name} has no tractor beam", "", "kept, tested at turn end")
    elif target.hex is None or distance(ship.hex, target.hex) != 1:
        far = "in a hangar" if target.hex is None else f"{distance(ship.hex, target.hex)} hexes away"
        reason = f"{order.target} is {far}, not adjacent"
        desk.note(entry, "FA-E-29", reason, "adjacent at turn end", "kept, tested at turn end")


def _check_commanders(desk: Desk) -> None:
    """FA-E-37: a ship of too small cr cannot lead while a fit one exists."""
    table = desk.table
    for entry in desk.given(CommanderOrder):
        squadron = table.squadrons[entry.order.unit]
        fit = [ship.name for ship in succession.fit_commanders(table, squadron)]
        if entry.order.ship not in fit:
            cr = table.card(table.ships[entry.order.ship]).cr
            reason = f"{entry.order.ship} has cr {cr}, {len(table.members(squadron))} is needed"
            desk.refuse(entry, "FA-E-37", f"{reason}; fit: {', '.join(fit)}", fit[0], "the default is used")
    for flag in desk.given(FlagOrder):
        fleet = table.fleet(table.squadron(table.ships[flag.order.ship]))
        fit = [ship.name for ship in succession.fit_flagships(table, fleet)]
        if flag.order.ship not in fit:
            cr = table.card(table.ships[flag.order.ship]).cr
            best = table.card(table.ships[fit[0]]).cr if fit else 0
            reason = f"{flag.order.ship} has cr {cr}, a command ship of cr {best} is needed; fit: {', '.join(fit)}"
            desk.refuse(flag, "FA-E-37", reason, fit[0] if fit else "", "the default is used")
