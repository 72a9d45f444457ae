"""FA-DMG-9, 11, FA-CMD-5..8: ships that die, and those who lead after them."""

from __future__ import annotations

from games.fleet_action.rules import command, elint, leaving, succession, telling
from games.fleet_action.state import Ship, Squadron
from games.fleet_action.table import Table, printed


def sink(table: Table, cause: str) -> None:
    """After a step: ships without structure are destroyed, with the flights in their hangars."""
    dead = [ship for ship in table.ships.values() if ship.structure <= 0 and ship.fate == "in play"]
    for ship in dead:
        _destroy(table, ship, cause)
    elint.lose_levels(table)


def _destroy(table: Table, ship: Ship, cause: str) -> None:
    squadron = table.squadron(ship)
    table.change(ship, fate="destroyed", holding=None, held_by=None)
    table.flags.lost_ship.add(squadron.name)
    facts = {
        "side": squadron.side,
        "unit": ship.name,
        "unit_kind": "ship",
        "squadron": squadron.name,
        "cause": table.blame.get(ship.name, cause),
        "grey": len(table.card(ship).grey),
        "hex": printed(ship.hex),
        "count": 1,
    }
    table.tell("loss", "FA-DMG-9", table.audience, facts)
    for flight in table.wing(squadron.side):
        if flight.home == ship.name and flight.state == "hangar":
            table.change(flight, state="lost", count=0, hex=None)
            seen = table.audience if table.state.switches.fog == "open" else frozenset({flight.side})
            telling.tell_flight_lost(table, "FA-DMG-11", seen, flight, ship.hex, ship.name)
    leaving.free_tractor(table, ship)
    _flagship_lost(table, ship)
    if not table.members(table.squadrons[squadron.name]):
        table.change(table.squadrons[squadron.name], state="off")


def _flagship_lost(table: Table, ship: Ship) -> None:
    """FA-CMD-8: next turn the fleet is without a flagship."""
    fleet = table.fleet(table.squadron(ship))
    if fleet.flagship != ship.name or fleet.flagless_turn == table.turn:
        return
    table.change(fleet, flagless_turn=table.turn)
    effect = "next turn: fire x3/4, no new missions"
    command.tell_command(table, "FA-CMD-8", fleet, f"flagship {ship.name} lost", effect)


def name_acting_leaders(table: Table) -> None:
    """FA-CMD-7: at the end of a pulse somebody carries on the plot of a lost commander."""
    for squadron in list(table.squadrons.values()):
        headless = table.ships[squadron.command_ship].fate != "in play"
        if table.is_on_map(squadron) and headless and table.members(squadron):
            _succeed(table, squadron)


def _succeed(table: Table, squadron: Squadron) -> None:
    lost = squadron.command_ship
    destroyed = table.ships[lost].fate == "destroyed"
    acting = succession.best_commander(table, squadron)
    assert acting is not None
    led = succession.lead_from(table, squadron, acting)
    already = squadron.lost_commander_turn in (table.turn, table.turn - 1) or bool(squadron.net_change)
    if already or not destroyed or _net_changes(table, led, lost):
        return
    table.change(led, lost_commander_turn=table.turn)
    effect = f"{acting.name} leads; next turn: fire x1/2, no squadron benefits"
    command.tell_command(table, "FA-CMD-5", led, f"commander {lost} lost", effect)


def _net_changes(table: Table, squadron: Squadron, lost: str) -> bool:
    """FA-ABL-2: Rapid Net Change: the squadron is not without a commander; never on the flagship."""
    if table.fleet(squadron).flagship == lost or not command.spend(table, squadron, "rapid-net-change"):
        return False
    table.change(table.squadrons[squadron.name], net_change=lost)
    effect = f"{squadron.name} has a new commander from next turn"
    command.tell_ability(table, "FA-ABL-2", squadron.side, lost, "rapid-net-change", effect)
    return True


def set_flags(table: Table) -> None:
    """Step 3.10: the flags of this pulse, for the order of movement in the next."""
    for squadron in list(table.squadrons.values()):
        flags = (
            squadron.name in table.flags.lost_ship,
            squadron.name in table.flags.damaged,
            squadron.name in table.flags.fired_on,
        )
        if flags != (squadron.lost_ship, squadron.damaged, squadron.fired_on):
            lost, damaged, fired_on = flags
            table.change(squadron, lost_ship=lost, damaged=damaged, fired_on=fired_on)
