"""FA-CMD-6, 7, 9: who leads when a commander is lost."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from games.fleet_action import geometry
from games.fleet_action.battle import Battle
from games.fleet_action.orders.records import CommanderOrder, FlagOrder, OutsideOrder, StraysOrder
from games.fleet_action.rules import formation, founding
from games.fleet_action.state import Fleet, Ship, Squadron
from games.fleet_action.table import Table
from pbem.kit.hexgrid import distance


def best_commander(battle: Battle, squadron: Squadron) -> Ship | None:
    """FA-CMD-6: highest cr, then most structure left, then roster order."""
    ships = battle.members(squadron)
    return min(ships, key=lambda ship: (-battle.card(ship).cr, -ship.structure), default=None)


def lead_from(battle: Battle, squadron: Squadron, leader: Ship) -> Squadron:
    """FA-CMD-7: the squadron is flown from this ship's hex; offsets are re-based on it at once."""
    based = replace(squadron, command_ship=leader.name, hex=leader.hex)
    offsets = formation.offsets_as_they_stand(battle, based)
    based = replace(based, formation={**offsets, leader.name: geometry.HERE})
    battle.put(based)
    return based


def lead_by_best(battle: Battle, name: str) -> Squadron:
    """The squadron goes on under its best commander."""
    current = battle.squadrons[name]
    leader = best_commander(battle, current)
    assert leader is not None
    return lead_from(battle, current, leader)


def leave_behind(battle: Battle, squadron: Squadron) -> None:
    """FA-WDR-6: those the command ship did not take along become a squadron of the best commander, withdrawing too."""
    battle.put(replace(lead_by_best(battle, squadron.name), state="withdrawing"))


# --- new commanders --------------------------------------------------------------------------------------------------


def fit_commanders(table: Table, squadron: Squadron) -> list[Ship]:
    """FA-CMD-6: ships whose cr holds the squadron; if there are none, those of the greatest cr."""
    ships = table.members(squadron)
    fit = [ship for ship in ships if table.card(ship).cr >= len(ships)]
    if fit:
        return fit
    greatest = max(table.card(ship).cr for ship in ships)
    return [ship for ship in ships if table.card(ship).cr == greatest]


def take_office(battle: Battle) -> None:
    """FA-CMD-5, 6: end of the turn after the loss (at once after a Rapid Net Change): the new commander."""
    for squadron in list(battle.squadrons.values()):
        if not battle.is_on_map(squadron) or not battle.members(squadron):
            continue
        due = squadron.lost_commander_turn is not None and squadron.lost_commander_turn < battle.turn
        if due or squadron.net_change:
            _new_commander(battle, squadron)


def _new_commander(battle: Battle, squadron: Squadron) -> None:
    order = battle.book.one(CommanderOrder, squadron.name)
    fit = [ship.name for ship in fit_commanders(battle, squadron)]
    chosen = battle.ships[order.ship] if order is not None and order.ship in fit else None
    if chosen is None:
        default = best_commander(battle, squadron)
        assert default is not None
        chosen = default
    had_network = any(ability.key == "improved-command-network" for ability in battle.abilities(squadron))
    led = lead_from(battle, squadron, chosen)
    kept = tuple(a for a in led.abilities if not a.ship or battle.ships[a.ship].fate == "in play")
    battle.put(replace(led, lost_commander_turn=None, net_change="", abilities=kept))
    facts = {"side": led.side, "squadron": led.name, "fleet": None, "cause": "new commander"}
    battle.tell("command", "FA-CMD-6", led.side, {**facts, "effect": f"{chosen.name} takes command"})
    _shed(battle, battle.squadrons[led.name], chosen, had_network=had_network)


def _shed(battle: Battle, squadron: Squadron, leader: Ship, *, had_network: bool) -> None:
    """FA-CMD-6, FA-ABL-3: ships beyond the new commander's cr."""
    ships = battle.members(squadron)
    beyond = len(ships) - battle.card(leader).cr
    if beyond <= 0:
        return
    order = battle.book.one(StraysOrder, squadron.name)
    named = list(order.ships) if order else []
    roster = [ship.name for ship in ships]
    others = [ship for ship in ships if ship.name != leader.name]
    ranked = sorted(
        others,
        key=lambda s: (
            named.index(s.name) if s.name in named else len(named),
            battle.card(s).points,
            -roster.index(s.name),
        ),
    )
    shed = ranked[:beyond]
    if had_network:
        ordered = [ship for ship in shed if ship.name in named]
        best = max(shed, key=lambda ship: (battle.card(ship).cr, -roster.index(ship.name)))
        in_roster = [ship for ship in ships if ship in shed]
        founding.excess_squadron(battle, squadron, in_roster, ordered[0] if ordered else best)
        return
    for ship in shed:
        founding.stray(battle, ship.name)


# --- new flagships ---------------------------------------------------------------------------------------------------


def fit_flagships(table: Table, fleet: Fleet) -> list[Ship]:
    """FA-CMD-9: the command ships of the highest cr."""
    squadrons = [s for s in table.fleet_squadrons(fleet) if table.members(s) and not s.stray]
    ships = [table.commander(squadron) for squadron in squadrons]
    greatest = max((table.card(ship).cr for ship in ships), default=0)
    return [ship for ship in ships if table.card(ship).cr == greatest]


def raise_flags(battle: Battle) -> None:
    """FA-CMD-9: office from the end of the turn after the loss."""
    for fleet in list(battle.fleets.values()):
        if fleet.flagless_turn is not None and fleet.flagless_turn < battle.turn:
            _raise_flag(battle, fleet)
        _fill_vacancies(battle, battle.fleets[fleet.name])


def _raise_flag(battle: Battle, fleet: Fleet) -> None:
    fit = fit_flagships(battle, fleet)
    if not fit:
        return
    names = [ship.name for ship in fit]
    ordered = [order.ship for order in battle.book.of_side(FlagOrder, fleet.side) if order.ship in names]
    chosen = battle.ships[ordered[-1]] if ordered else fit[0]
    kept = tuple(a for a in fleet.abilities if not a.ship or battle.ships[a.ship].fate == "in play")
    battle.put(replace(fleet, flagship=chosen.name, flagless_turn=None, abilities=kept))
    facts = {"side": fleet.side, "squadron": None, "fleet": fleet.name, "cause": "new flagship"}
    battle.tell("command", "FA-CMD-9", fleet.side, {**facts, "effect": f"{chosen.name} raises the flag"})
    _leave_outside(battle, fleet, chosen)


def _leave_outside(battle: Battle, fleet: Fleet, flagship: Ship) -> None:
    """FA-CMD-9: squadrons beyond the flagship's cr stay outside the net."""
    squadrons = [s for s in battle.fleet_squadrons(fleet) if battle.members(s)]
    beyond = len(squadrons) - battle.card(flagship).cr
    named = [name for order in battle.book.of_side(OutsideOrder, fleet.side) for name in order.squadrons]
    others = [s for s in squadrons if s.name != flagship.squadron]
    ranked = [s for s in others if s.name in named] + [s for s in reversed(others) if s.name not in named]
    for squadron in ranked[: max(0, beyond)]:
        battle.put(replace(squadron, outside_net=True))
        facts = {"side": fleet.side, "squadron": squadron.name, "fleet": fleet.name, "cause": "outside the net"}
        battle.tell("command", "FA-CMD-9", fleet.side, {**facts, "effect": "fire x3/4"})


def _fill_vacancies(battle: Battle, fleet: Fleet) -> None:
    """FA-CMD-9: when a squadron of the fleet leaves play, those outside come in, in roster order."""
    flagship = battle.ships.get(fleet.flagship)
    if flagship is None or flagship.fate != "in play":
        return
    squadrons = [s for s in battle.fleet_squadrons(fleet) if battle.members(s)]
    room = battle.card(flagship).cr - sum(1 for s in squadrons if not s.outside_net)
    for squadron in [s for s in squadrons if s.outside_net][: max(0, room)]:
        battle.put(replace(squadron, outside_net=False))


def check_radius(battle: Battle) -> None:
    """FA-CMD-2: a ship beyond the command radius at the end of a turn is out of command in the next."""
    for side in battle.side_order:
        radius = battle.command_radius(side)
        for squadron in battle.roster(side):
            leader = battle.commander(squadron)
            for ship in battle.members(squadron):
                state: Literal["in", "ooc"] = "ooc" if distance(ship.hex, leader.hex) > radius else "in"
                if ship.command != state:
                    battle.put(replace(ship, command=state))
                    word = "out of command" if state == "ooc" else "in command again"
                    facts = {"side": side, "squadron": squadron.name, "fleet": None, "cause": f"{ship.name} {word}"}
                    battle.tell("command", "FA-CMD-2", side, {**facts, "effect": word})
