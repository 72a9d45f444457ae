"""Boarding and prizes (GA-BRD, GA-CRV)."""

from __future__ import annotations

from games.galleys.data import TABLES, band
from games.galleys.state import Ship
from games.galleys.table import DIE, Mod, Table, total

PRIZE_CREW = -1
"""GA-BRD-6: the rowers of a captured ship."""


def boarding_phase(table: Table) -> None:
    """GA-BRD-1: every linked pair, by roster of the first player's ship, then of the other."""
    initiated: set[str] = set()
    for first, second in _pairs(table):
        if table.between(first, second):
            _board_pair(table, first, second, initiated)


def _pairs(table: Table) -> list[tuple[str, str]]:
    pairs = set()
    for link in table.links.values():
        mine, other = link.ships
        if table.ships[mine].side != table.first_side:
            mine, other = other, mine
        pairs.add((mine, other))
    return sorted(pairs, key=lambda pair: (table.ships[pair[0]].roster, table.ships[pair[1]].roster))


def wants_to_board(table: Table, name: str, partner: str) -> bool:
    """GA-BRD-2, GA-ORD-11: able, and told to."""
    ship, other = table.ships[name], table.ships[partner]
    if not ship.marines or ship.burning or ship.prize or other.burning or table.is_routed(name):
        return False
    ordered = table.orders_of(name).board
    if ordered:
        return ordered.name == partner
    doctrine = table.doctrine(name, "board")
    return ship.marines > other.marines if doctrine == "if stronger" else doctrine == "always"


def _board_pair(table: Table, first: str, second: str, initiated: set[str]) -> None:
    """GA-BRD-2: if both want to, the one with more marines attacks; a tie goes to the first player's."""
    willing = [
        name
        for name, partner in ((first, second), (second, first))
        if name not in initiated and wants_to_board(table, name, partner)
    ]
    if not willing:
        return
    attacker = max(willing, key=lambda name: (table.ships[name].marines, name == first))
    defender = second if attacker == first else first
    initiated.add(attacker)
    _board(table, attacker, defender, counter=defender in willing)


def _board(table: Table, attacker: str, defender: str, *, counter: bool) -> None:
    """GA-BRD-3 to -5."""
    if table.ships[defender].marines == 0:
        capture(table, defender, attacker)
        return
    _fight(table, attacker, defender)
    left, right = table.ships[attacker].marines, table.ships[defender].marines
    if right == 0 and left:
        capture(table, defender, attacker)
    elif left == 0 and right and counter:
        capture(table, attacker, defender)


def boarding_mods(table: Table, attacker: Ship, defender: Ship) -> list[Mod]:
    """GA-BRD-4: numbers, quality, towers, corvus."""
    numbers = TABLES.boarding
    most = numbers.most_differential
    mods = [
        Mod("marines", max(-most, min(most, attacker.marines - defender.marines))),
        Mod("marine quality", attacker.marine_quality, attacker.side),
        Mod("defenders' quality", -defender.marine_quality, defender.side),
    ]
    if defender.towers and not attacker.towers:
        mods.append(Mod("towers", numbers.towers))
    if attacker.name in table.corvus_on(attacker.name, defender.name):
        mods.append(Mod("corvus", numbers.corvus))
    return mods


def _fight(table: Table, attacker: str, defender: str) -> None:
    ship, other = table.ships[attacker], table.ships[defender]
    mods = boarding_mods(table, ship, other)
    die = table.roll(DIE, attacker, "boards", defender)
    losses = band(TABLES.boarding.bands, die.face + total(mods))
    mine, theirs = min(losses[0], ship.marines), min(losses[1], other.marines)
    table.change(ship, marines=ship.marines - mine)
    table.change(other, marines=other.marines - theirs)
    facts = {
        "attacker": attacker,
        "defender": defender,
        "die": die.face,
        "total": die.face + total(mods),
        "losses": [mine, theirs],
        "at": list(table.hull(defender).bow),
    }
    table.tell_in_fog("boarding", "GA-BRD-4", facts, (die,), mods=mods)


def capture(table: Table, name: str, captor: str) -> None:
    """GA-BRD-6, -7: a prize for the captor's squadron, or a ship won back for its own."""
    ship, winner = table.ships[name], table.ships[captor]
    guard = 1 if winner.marines >= TABLES.boarding.prize_crew_needs else 0
    regained = ship.home_side == winner.side
    table.unlink_all(name)
    table.change(winner, marines=winner.marines - guard)
    table.change(
        table.ships[name],
        side=winner.side,
        squadron=ship.home_squadron if regained else winner.squadron,
        prize=not regained,
        lost_turn=None if regained else table.turn,
        marines=guard,
        marine_quality=winner.marine_quality,
        debt=0,
        crew=PRIZE_CREW,
        flame=False,
        firepots=0,
        corvus=False,
        star=False,
        # Standing orders of its former owner are neither known nor kept.
        doctrines={},
    )
    facts = {
        "ship": name,
        "captor": captor,
        "side": winner.side,
        "prize_marines": guard,
        "regained": regained,
        "at": list(table.hull(name).bow),
    }
    table.tell("capture", "GA-BRD-6", table.sides, facts)
