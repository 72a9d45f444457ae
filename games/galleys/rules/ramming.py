"""Ramming, and the firepots dropped on the target (GA-RAM, GA-POT)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

from games.galleys.data import TABLES, band
from games.galleys.rules.avoidance import AVOIDED, PARTIAL, avoid
from games.galleys.rules.battle import Battle, Mod, total
from games.galleys.rules.geometry import ahead
from games.galleys.rules.losses import lose
from games.galleys.rules.missiles import FACES, catch_fire, land_volleys, react
from games.galleys.rules.track import Track, ship_of
from games.galleys.state import Level, Ship


@dataclass(frozen=True)
class RamChance:
    """A ram as it would be made: from where, at what level, after how many moves ahead."""

    target: str
    zone: str
    level: Level
    forwards: int
    failed_rake: bool = False


def why_not_ram(battle: Battle, ship: Ship) -> str:
    """GA-RAM-1, of the ship alone: the condition that forbids it, or nothing."""
    conditions = (
        (ship.ram == 0, "its ram rating is 0"),
        (ship.ram_used, "it has already tried to ram this turn"),
        (ship.crippled, "it is crippled"),
        (ship.rammed, "it is rammed"),
        (ship.burning, "it is burning"),
        (ship.prize, "it is a prize"),
        (ship.fatigue > 0, f"its crew is tired (fatigue {ship.fatigue})"),
        (battle.is_held(ship.name), f"it is held by {', '.join(battle.partners(ship.name))}"),
    )
    return next((reason for true, reason in conditions if true), "")


def ram_mods(battle: Battle, name: str, chance: RamChance) -> list[Mod]:
    """GA-RAM-6: all that is added to the two dice, except avoidance."""
    table, ship = TABLES.ram, battle.ship(name)
    mods = [
        Mod("ram", ship.ram),
        Mod("hull", -battle.class_of(chance.target).hull),
        Mod("crew", ship.crew, ship.side),
    ]
    if chance.zone == "midship/flank":
        mods.append(Mod("midship", table.midship))
    if chance.level is Level.MAX:
        mods.append(Mod("maximum", table.maximum))
    if chance.level is Level.CRUISE:
        mods.append(Mod("cruise", table.cruise))
    if chance.forwards < table.short_run_below:
        mods.append(Mod("short run", table.short_run))
    if battle.is_helpless(chance.target):
        mods.append(Mod("helpless", table.helpless))
    if chance.failed_rake:
        mods.append(Mod("failed rake", table.failed_rake))
    return mods


def ram_percent_ok(battle: Battle, name: str, chance: RamChance) -> bool:
    """GA-ORD-10: ``hold ram below``, exact, avoidance ignored."""
    wanted = int(battle.doctrine(name, "hold ram"))
    good = successes(total(ram_mods(battle, name, chance)))
    return 100 * good >= wanted * len(FACES) ** 2


def successes(bonus: int) -> int:
    """GA-ORD-10: of the 36 rolls of two dice, those that do the target harm."""
    return sum(a + b + bonus >= TABLES.ram.damaging for a, b in product(FACES, repeat=2))


def ram_position(battle: Battle, track: Track) -> RamChance | None:
    """GA-RAM-2: the enemy ahead of the bow, if the bow lies in one of its flank hexes."""
    hull = battle.hull(track.name)
    target = battle.occupied.get(ahead(hull.bow, hull.facing))
    if target is None or not battle.is_enemy(target, track.side):
        return None
    zone = battle.zone(hull.bow, target)
    if zone is None or not zone.is_flank:
        return None
    return RamChance(target, zone.name, track.level, track.forwards)


def ram(battle: Battle, track: Track, chance: RamChance) -> None:
    """GA-RAM-5: reaction fire, avoidance, the two dice, and the firepot; it ends the movement in every case."""
    target = chance.target
    battle.change(track.name, ram_used=True, attacked=True)
    track.tried_ram = track.stopped = True
    volleys = react(battle, target, track.name, "ram")
    result = avoid(battle, target, track.name, "ram")
    if result != AVOIDED:
        _strike(battle, track, chance, result)
        _drop_firepot(battle, track, target)
    land_volleys(battle, volleys)


def _strike(battle: Battle, track: Track, chance: RamChance, avoidance: str) -> None:
    mods = ram_mods(battle, track.name, chance)
    if avoidance == PARTIAL:
        mods.append(Mod("partly avoided", TABLES.avoidance.partial_on_ram))
    dice = battle.roll_two(track.name, "ram", chance.target)
    struck = sum(die.face for die in dice) + total(mods)
    code = band(TABLES.ram.bands, struck)
    facts = {
        "ship": track.name,
        "target": chance.target,
        "zone": chance.zone,
        "dice": [die.face for die in dice],
        "total": struck,
        "code": code,
        "at": list(battle.hull(chance.target).bow),
    }
    battle.tell("ram", "GA-RAM-6", facts, mods=mods, rolls=dice)
    apply_ram(battle, track.name, chance.target, code)


def apply_ram(battle: Battle, rammer: str, target: str, code: str) -> None:
    """GA-RAM-6, -7: what a code of the Ramming Table does."""
    ship = battle.ship(target)
    if code == "B":
        battle.change(rammer, ram=0)
        battle.tell("ram_broken", "GA-RAM-6", {"ship": rammer, "by": target})
    elif code == "C" and not ship.crippled:
        cripple(battle, target, rammer)
    elif code == "C":
        _hole(battle, target, rammer)
    elif code == "F":
        _foul(battle, rammer, target)
    elif code == "RF":
        already = ship.rammed
        _hole(battle, target, rammer)
        if not already:
            _foul(battle, rammer, target)
    elif code == "R":
        _hole(battle, target, rammer)
    elif code == "S":
        lose(battle, target, "sunk", f"rammed by {rammer}")


def cripple(battle: Battle, name: str, by: str) -> None:
    battle.change(name, crippled=True)
    battle.tell("crippled", "GA-RAK-5", {"ship": name, "by": by, "at": list(battle.hull(name).bow)})


def _hole(battle: Battle, name: str, by: str) -> None:
    """GA-RAM-7: a ship holed a second time goes down."""
    if battle.ship(name).rammed:
        lose(battle, name, "sunk", f"rammed again by {by}")
        return
    battle.change(name, rammed=True)
    battle.tell("rammed", "GA-RAM-8", {"ship": name, "by": by, "at": list(battle.hull(name).bow)})


def _foul(battle: Battle, rammer: str, target: str) -> None:
    battle.link(rammer, target, "fouled")
    battle.tell("fouled", "GA-RAM-6", {"ship": target, "by": rammer})


def _drop_firepot(battle: Battle, track: Track, target: str) -> None:
    """GA-POT-1: one pot on a target still afloat."""
    ship = ship_of(battle, track)
    if not battle.switches.firepots or not ship.firepots or not battle.ship(target).afloat:
        return
    if battle.doctrine(track.name, "firepots") != "on":
        return
    battle.change(track.name, firepots=ship.firepots - 1)
    die = battle.roll(track.name, "firepot", target)
    burns = die.face >= TABLES.flame.pot_ignites
    facts = {"ship": track.name, "target": target, "die": die.face, "result": "burns" if burns else "no effect"}
    battle.tell("firepot", "GA-POT-1", facts, rolls=(die,))
    if burns:
        catch_fire(battle, target)
