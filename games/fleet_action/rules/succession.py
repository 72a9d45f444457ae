"""FA-CMD-6, 7, 9: who leads when a commander is lost."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from games.fleet_action.orders.records import CommanderOrder, FlagOrder, OutsideOrder, StraysOrder
from games.fleet_action.rules import command, formation, founding, geometry
from games.fleet_action.state import Fleet, Ship, Squadron
from games.fleet_action.table import Table
from pbem.kit.hexgrid import distance


def best_commander(table: Table, squadron: Squadron) -> Ship | None:
    """FA-CMD-6: highest cr, then most structure left, then roster order."""
    ships = table.members(squadron)
    return min(ships, key=lambda ship: (-table.card(ship).cr, -ship.structure), default=None)


def lead_from(table: Table, squadron: Squadron, leader: Ship) -> Squadron:
    """FA-CMD-7: the squadron is flown from this ship's hex; offsets are re-based on it at once."""
    based = replace(squadron, command_ship=leader.name, hex=leader.hex)
    offsets = formation.offsets_as_they_stand(table, based)
    return table.change(based, formation={**offsets, leader.name: geometry.HERE})


def lead_by_best(table: Table, name: str) -> Squadron:
    """The squadron goes on under its best commander."""
    current = table.squadrons[name]
    leader = best_commander(table, current)
    assert leader is not None
    return lead_from(table, current, leader)


def leave_behind(table: Table, squadron: Squadron) -> None:
    """FA-WDR-6: those the command ship did not take along become a squadron of the best commander, withdrawing too."""
    table.change(lead_by_best(table, squadron.name), state="withdrawing")


# --- new commanders --------------------------------------------------------------------------------------------------


def fit_commanders(table: Table, squadron: Squadron) -> list[Ship]:
    """FA-CMD-6: ships whose cr holds the squadron; if there are none, those of the greatest cr."""
    ships = table.members(squadron)
    fit = [ship for ship in ships if table.card(ship).cr >= len(ships)]
    if fit:
        return fit
    greatest = max(table.card(ship).cr for ship in ships)
    return [ship for ship in ships if table.card(ship).cr == greatest]


def take_office(table: Table) -> None:
    """FA-CMD-5, 6: end of the turn after the loss (at once after a Rapid Net Change): the new commander."""
    for squadron in list(table.squadrons.values()):
        if not table.is_on_map(squadron) or not table.members(squadron):
            continue
        due = squadron.lost_commander_turn is not None and squadron.lost_commander_turn < table.turn
        if due or squadron.net_change:
            _new_commander(table, squadron)


def _new_commander(table: Table, squadron: Squadron) -> None:
    order = table.book.first(CommanderOrder, squadron.name)
    fit = [ship.name for ship in fit_commanders(table, squadron)]
    chosen = table.ships[order.ship] if order is not None and order.ship in fit else None
    if chosen is None:
        default = best_commander(table, squadron)
        assert default is not None
        chosen = default
    had_network = any(ability.key == "improved-command-network" for ability in command.abilities(table, squadron))
    led = lead_from(table, squadron, chosen)
    kept = tuple(a for a in led.abilities if not a.ship or table.ships[a.ship].fate == "in play")
    table.change(led, lost_commander_turn=None, net_change="", abilities=kept)
    command.tell_command(table, "FA-CMD-6", led, "new commander", f"{chosen.name} takes command")
    _shed(table, table.squadrons[led.name], chosen, had_network=had_network)


def _shed(table: Table, squadron: Squadron, leader: Ship, *, had_network: bool) -> None:
    """FA-CMD-6, FA-ABL-3: ships beyond the new commander's cr."""
    ships = table.members(squadron)
    beyond = len(ships) - table.card(leader).cr
    if beyond <= 0:
        return
    order = table.book.first(StraysOrder, squadron.name)
    named = list(order.ships) if order else []
    roster = [ship.name for ship in ships]
    others = [ship for ship in ships if ship.name != leader.name]
    ranked = sorted(
        others,
        key=lambda s: (
            named.index(s.name) if s.name in named else len(named),
            table.card(s).points,
            -roster.index(s.name),
        ),
    )
    shed = ranked[:beyond]
    if had_network:
        ordered = [ship for ship in shed if ship.name in named]
        best = max(shed, key=lambda ship: (table.card(ship).cr, -roster.index(ship.name)))
        in_roster = [ship for ship in ships if ship in shed]
        founding.excess_squadron(table, squadron, in_roster, ordered[0] if ordered else best)
        return
    for ship in shed:
        founding.stray(table, ship.name)


# --- new flagships ---------------------------------------------------------------------------------------------------


def fit_flagships(table: Table, fleet: Fleet) -> list[Ship]:
    """FA-CMD-9: the command ships of the highest cr."""
    squadrons = [s for s in table.fleet_squadrons(fleet) if table.members(s) and not s.stray]
    ships = [table.commander(squadron) for squadron in squadrons]
    greatest = max((table.card(ship).cr for ship in ships), default=0)
    return [ship for ship in ships if table.card(ship).cr == greatest]


def raise_flags(table: Table) -> None:
    """FA-CMD-9: office from the end of the turn after the loss."""
    for fleet in list(table.fleets.values()):
        if fleet.flagless_turn is not None and fleet.flagless_turn < table.turn:
            _raise_flag(table, fleet)
        _fill_vacancies(table, table.fleets[fleet.name])


def _raise_flag(table: Table, fleet: Fleet) -> None:
    fit = fit_flagships(table, fleet)
    if not fit:
        return
    names = [ship.name for ship in fit]
    ordered = [order.ship for order in table.book.of_side(FlagOrder, fleet.side) if order.ship in names]
    chosen = table.ships[ordered[-1]] if ordered else fit[0]
    kept = tuple(a for a in fleet.abilities if not a.ship or table.ships[a.ship].fate == "in play")
    table.change(fleet, flagship=chosen.name, flagless_turn=None, abilities=kept)
    command.tell_command(table, "FA-CMD-9", fleet, "new flagship", f"{chosen.name} raises the flag")
    _leave_outside(table, fleet, chosen)


def _leave_outside(table: Table, fleet: Fleet, flagship: Ship) -> None:
    """FA-CMD-9: squadrons beyond the flagship's cr stay outside the net."""
    squadrons = [s for s in table.fleet_squadrons(fleet) if table.members(s)]
    beyond = len(squadrons) - table.card(flagship).cr
    named = [name for order in table.book.of_side(OutsideOrder, fleet.side) for name in order.squadrons]
    others = [s for s in squadrons if s.name != flagship.squadron]
    ranked = [s for s in others if s.name in named] + [s for s in reversed(others) if s.name not in named]
    for squadron in ranked[: max(0, beyond)]:
        table.change(squadron, outside_net=True)
        facts = {"side": fleet.side, "squadron": squadron.name, "fleet": fleet.name, "cause": "outside the net"}
        table.tell("command", "FA-CMD-9", fleet.side, {**facts, "effect": "fire x3/4"})


def _fill_vacancies(table: Table, fleet: Fleet) -> None:
    """FA-CMD-9: when a squadron of the fleet leaves play, those outside come in, in roster order."""
    flagship = table.ships.get(fleet.flagship)
    if flagship is None or flagship.fate != "in play":
        return
    squadrons = [s for s in table.fleet_squadrons(fleet) if table.members(s)]
    room = table.card(flagship).cr - sum(1 for s in squadrons if not s.outside_net)
    for squadron in [s for s in squadrons if s.outside_net][: max(0, room)]:
        table.change(squadron, outside_net=False)


def check_radius(table: Table) -> None:
    """FA-CMD-2: a ship beyond the command radius at the end of a turn is out of command in the next."""
    for side in table.side_order:
        radius = command.command_radius(table, side)
        for squadron in table.roster(side):
            leader = table.commander(squadron)
            for ship in table.members(squadron):
                state: Literal["in", "ooc"] = "ooc" if distance(ship.hex, leader.hex) > radius else "in"
                if ship.command != state:
                    table.change(ship, command=state)
                    word = "out of command" if state == "ooc" else "in command again"
                    command.tell_command(table, "FA-CMD-2", squadron, f"{ship.name} {word}", word)
