"""Boarding and prizes (GA-BRD, GA-CRV)."""

from __future__ import annotations

from games.galleys.data import TABLES, band
from games.galleys.rules.battle import Battle, Mod, total
from games.galleys.state import Ship

PRIZE_CREW = -1
"""GA-BRD-6: the rowers of a captured ship."""


def boarding_phase(battle: Battle) -> None:
    """GA-BRD-1: every linked pair, by roster of the first player's ship, then of the other."""
    initiated: set[str] = set()
    for first, second in _pairs(battle):
        if battle.are_linked(first, second):
            _board_pair(battle, first, second, initiated)


def _pairs(battle: Battle) -> list[tuple[str, str]]:
    pairs = set()
    for link in battle.links:
        mine, other = link.ships
        if battle.ship(mine).side != battle.first_side:
            mine, other = other, mine
        pairs.add((mine, other))
    return sorted(pairs, key=lambda pair: (battle.ship(pair[0]).roster, battle.ship(pair[1]).roster))


def wants_to_board(battle: Battle, name: str, partner: str) -> bool:
    """GA-BRD-2, GA-ORD-11: able, and told to."""
    ship, other = battle.ship(name), battle.ship(partner)
    if not ship.marines or ship.burning or ship.prize or other.burning or battle.is_routed(name):
        return False
    ordered = battle.orders_of(name).board
    if ordered:
        return ordered.name == partner
    doctrine = battle.doctrine(name, "board")
    return ship.marines > other.marines if doctrine == "if stronger" else doctrine == "always"


def _board_pair(battle: Battle, first: str, second: str, initiated: set[str]) -> None:
    """GA-BRD-2: if both want to, the one with more marines attacks; a tie goes to the first player's."""
    willing = [
        name
        for name, partner in ((first, second), (second, first))
        if name not in initiated and wants_to_board(battle, name, partner)
    ]
    if not willing:
        return
    attacker = max(willing, key=lambda name: (battle.ship(name).marines, name == first))
    defender = second if attacker == first else first
    initiated.add(attacker)
    _board(battle, attacker, defender, counter=defender in willing)


def _board(battle: Battle, attacker: str, defender: str, *, counter: bool) -> None:
    """GA-BRD-3 to -5."""
    if battle.ship(defender).marines == 0:
        capture(battle, defender, attacker)
        return
    _fight(battle, attacker, defender)
    left, right = battle.ship(attacker).marines, battle.ship(defender).marines
    if right == 0 and left:
        capture(battle, defender, attacker)
    elif left == 0 and right and counter:
        capture(battle, attacker, defender)


def boarding_mods(battle: Battle, attacker: Ship, defender: Ship) -> list[Mod]:
    """GA-BRD-4: numbers, quality, towers, corvus."""
    table = TABLES.boarding
    most = table.most_differential
    mods = [
        Mod("marines", max(-most, min(most, attacker.marines - defender.marines))),
        Mod("marine quality", attacker.marine_quality, attacker.side),
        Mod("defenders' quality", -defender.marine_quality, defender.side),
    ]
    if defender.towers and not attacker.towers:
        mods.append(Mod("towers", table.towers))
    if attacker.name in battle.corvus_on(attacker.name, defender.name):
        mods.append(Mod("corvus", table.corvus))
    return mods


def _fight(battle: Battle, attacker: str, defender: str) -> None:
    ship, other = battle.ship(attacker), battle.ship(defender)
    mods = boarding_mods(battle, ship, other)
    die = battle.roll(attacker, "boards", defender)
    losses = band(TABLES.boarding.bands, die.face + total(mods))
    mine, theirs = min(losses[0], ship.marines), min(losses[1], other.marines)
    battle.change(attacker, marines=ship.marines - mine)
    battle.change(defender, marines=other.marines - theirs)
    facts = {
        "attacker": attacker,
        "defender": defender,
        "die": die.face,
        "total": die.face + total(mods),
        "losses": [mine, theirs],
        "at": list(battle.hull(defender).bow),
    }
    battle.tell("boarding", "GA-BRD-4", facts, mods=mods, rolls=(die,))


def capture(battle: Battle, name: str, captor: str) -> None:
    """GA-BRD-6, -7: a prize for the captor's squadron, or a ship won back for its own."""
    ship, winner = battle.ship(name), battle.ship(captor)
    guard = 1 if winner.marines >= TABLES.boarding.prize_crew_needs else 0
    regained = ship.home_side == winner.side
    battle.unlink_all(name)
    battle.change(captor, marines=winner.marines - guard)
    battle.change(
        name,
        side=winner.side,
        squadron=ship.home_squadron if regained else winner.squadron,
        prize=not regained,
        lost_turn=None if regained else battle.turn,
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
        "at": list(battle.hull(name).bow),
    }
    battle.tell("capture", "GA-BRD-6", facts)
