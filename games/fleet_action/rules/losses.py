"""FA-DMG-9, 11, FA-CMD-5..8: ships that die, and those who lead after them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from games.fleet_action.battle import Battle, printed
from games.fleet_action.rules import elint, morale, succession
from games.fleet_action.state import Ship, Squadron


def sink(battle: Battle, cause: str) -> None:
    """After a step: ships without structure are destroyed, with the flights in their hangars."""
    dead = [ship for ship in battle.ships.values() if ship.structure <= 0 and ship.fate == "in play"]
    for ship in dead:
        _destroy(battle, ship, cause)
    elint.lose_levels(battle)


def _destroy(battle: Battle, ship: Ship, cause: str) -> None:
    squadron = battle.squadrons[ship.squadron]
    battle.put(replace(ship, fate="destroyed", holding=None, held_by=None))
    battle.flags.lost_ship.add(squadron.name)
    facts: dict[str, Any] = {"side": squadron.side, "unit": ship.name, "unit_kind": "ship", "squadron": squadron.name}
    facts |= {
        "cause": battle.blame.get(ship.name, cause),
        "grey": len(battle.card(ship).grey),
        "hex": printed(ship.hex),
        "count": 1,
    }
    battle.tell("loss", "FA-DMG-9", battle.audience, facts)
    for flight in battle.wing(squadron.side):
        if flight.home == ship.name and flight.state == "hangar":
            battle.put(replace(flight, state="lost", count=0, hex=None))
            lost: dict[str, Any] = {
                "side": flight.side,
                "unit": flight.name,
                "unit_kind": "flight",
                "squadron": None,
                "grey": 0,
            }
            lost |= {"cause": ship.name, "hex": printed(ship.hex), "count": flight.count}
            seen = battle.audience if battle.state.switches.fog == "open" else frozenset({flight.side})
            battle.tell("loss", "FA-DMG-11", seen, lost)
    _free_tractor(battle, ship)
    _flagship_lost(battle, ship)
    if not battle.members(battle.squadrons[squadron.name]):
        battle.put(replace(battle.squadrons[squadron.name], state="off"))


def _free_tractor(battle: Battle, ship: Ship) -> None:
    for name in (ship.holding, ship.held_by):
        other = battle.ships.get(name or "")
        if other is not None:
            battle.put(replace(other, holding=None, held_by=None, powered_off=()))


def _flagship_lost(battle: Battle, ship: Ship) -> None:
    """FA-CMD-8: next turn the fleet is without a flagship."""
    fleet = battle.fleets[battle.squadrons[ship.squadron].fleet]
    if fleet.flagship != ship.name or fleet.flagless_turn == battle.turn:
        return
    battle.put(replace(fleet, flagless_turn=battle.turn))
    facts: dict[str, Any] = {
        "side": fleet.side,
        "squadron": None,
        "fleet": fleet.name,
        "cause": f"flagship {ship.name} lost",
    }
    battle.tell("command", "FA-CMD-8", fleet.side, {**facts, "effect": "next turn: fire x3/4, no new missions"})


def name_acting_leaders(battle: Battle) -> None:
    """FA-CMD-7: at the end of a pulse somebody carries on the plot of a lost commander."""
    for squadron in list(battle.squadrons.values()):
        headless = battle.ships[squadron.command_ship].fate != "in play"
        if battle.is_on_map(squadron) and headless and battle.members(squadron):
            _succeed(battle, squadron)


def _succeed(battle: Battle, squadron: Squadron) -> None:
    lost = squadron.command_ship
    destroyed = battle.ships[lost].fate == "destroyed"
    acting = succession.best_commander(battle, squadron)
    assert acting is not None
    led = succession.lead_from(battle, squadron, acting)
    already = squadron.lost_commander_turn in (battle.turn, battle.turn - 1) or bool(squadron.net_change)
    if already or not destroyed:
        return
    if _net_changes(battle, led, lost):
        return
    battle.put(replace(battle.squadrons[led.name], lost_commander_turn=battle.turn))
    facts: dict[str, Any] = {"side": led.side, "squadron": led.name, "fleet": None, "cause": f"commander {lost} lost"}
    effect = f"{acting.name} leads; next turn: fire x1/2, no squadron benefits"
    battle.tell("command", "FA-CMD-5", led.side, {**facts, "effect": effect})


def _net_changes(battle: Battle, squadron: Squadron, lost: str) -> bool:
    """FA-ABL-2: Rapid Net Change: the squadron is not without a commander; never on the flagship."""
    fleet = battle.fleets[squadron.fleet]
    if fleet.flagship == lost:
        return False
    used = morale.use(battle, squadron.abilities, "rapid-net-change")
    if used is not None:
        battle.put(replace(squadron, abilities=used, net_change=lost))
    else:
        used = morale.use(battle, fleet.abilities, "rapid-net-change")
        if used is None or battle.flagship_of(squadron) is None:
            return False
        battle.put(replace(fleet, abilities=used))
        battle.put(replace(squadron, net_change=lost))
    facts: dict[str, Any] = {"side": squadron.side, "commander": lost, "ability": "rapid-net-change"}
    effect = f"{squadron.name} has a new commander from next turn"
    battle.tell("ability", "FA-ABL-2", squadron.side, {**facts, "effect": effect})
    return True


def set_flags(battle: Battle) -> None:
    """Step 3.10: the flags of this pulse, for the order of movement in the next."""
    for squadron in list(battle.squadrons.values()):
        flags = (
            squadron.name in battle.flags.lost_ship,
            squadron.name in battle.flags.damaged,
            squadron.name in battle.flags.fired_on,
        )
        if flags != (squadron.lost_ship, squadron.damaged, squadron.fired_on):
            lost, damaged, fired_on = flags
            battle.put(replace(squadron, lost_ship=lost, damaged=damaged, fired_on=fired_on))
