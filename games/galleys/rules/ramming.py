"""Ramming, and the firepots dropped on the target (GA-RAM, GA-POT)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from itertools import product

from games.galleys.data import TABLES, band
from games.galleys.rules.avoidance import attempt
from games.galleys.rules.geometry import ahead
from games.galleys.rules.losses import lose
from games.galleys.rules.missiles import FACES, catch_fire
from games.galleys.rules.track import Track
from games.galleys.state import Level, Ship
from games.galleys.table import DIE, Mod, Table, total


@dataclass(frozen=True)
class RamChance:
    """A ram as it would be made: from where, at what level, after how many moves ahead."""

    target: str
    zone: str
    level: Level
    forwards: int
    failed_rake: bool = False


def why_not_ram(table: Table, ship: Ship) -> str:
    """GA-RAM-1, of the ship alone: the condition that forbids it, or nothing."""
    conditions = (
        (ship.ram == 0, "its ram rating is 0"),
        (ship.ram_used, "it has already tried to ram this turn"),
        (ship.crippled, "it is crippled"),
        (ship.rammed, "it is rammed"),
        (ship.burning, "it is burning"),
        (ship.prize, "it is a prize"),
        (ship.fatigue > 0, f"its crew is tired (fatigue {ship.fatigue})"),
        (table.is_held(ship.name), f"it is held by {', '.join(table.partners(ship.name))}"),
    )
    return next((reason for true, reason in conditions if true), "")


def ram_mods(table: Table, name: str, chance: RamChance) -> list[Mod]:
    """GA-RAM-6: all that is added to the two dice, except avoidance."""
    numbers, ship = TABLES.ram, table.ships[name]
    mods = [
        Mod("ram", ship.ram),
        Mod("hull", -table.class_of(chance.target).hull),
        Mod("crew", ship.crew, ship.side),
    ]
    if chance.zone == "midship/flank":
        mods.append(Mod("midship", numbers.midship))
    if chance.level is Level.MAX:
        mods.append(Mod("maximum", numbers.maximum))
    if chance.level is Level.CRUISE:
        mods.append(Mod("cruise", numbers.cruise))
    if chance.forwards < numbers.short_run_below:
        mods.append(Mod("short run", numbers.short_run))
    if table.is_helpless(chance.target):
        mods.append(Mod("helpless", numbers.helpless))
    if chance.failed_rake:
        mods.append(Mod("failed rake", numbers.failed_rake))
    return mods


def ram_percent_ok(table: Table, name: str, chance: RamChance) -> bool:
    """GA-ORD-10: ``hold ram below``, exact, avoidance ignored."""
    wanted = int(table.doctrine(name, "hold ram"))
    good = successes(total(ram_mods(table, name, chance)))
    return 100 * good >= wanted * len(FACES) ** 2


def successes(bonus: int) -> int:
    """GA-ORD-10: of the 36 rolls of two dice, those that do the target harm."""
    return sum(a + b + bonus >= TABLES.ram.damaging for a, b in product(FACES, repeat=2))


def ram_position(table: Table, track: Track) -> RamChance | None:
    """GA-RAM-2: the enemy ahead of the bow, if the bow lies in one of its flank hexes."""
    hull = table.hull(track.name)
    target = table.occupied.get(ahead(hull.bow, hull.facing))
    if target is None or not table.is_enemy(target, track.side):
        return None
    zone = table.zone(hull.bow, target)
    if zone is None or not zone.is_flank:
        return None
    return RamChance(target, zone.name, track.level, track.forwards)


def ram(table: Table, track: Track, chance: RamChance) -> None:
    """GA-RAM-5: reaction fire, avoidance, the two dice, and the firepot; it ends the movement in every case."""
    table.change(table.ships[track.name], ram_used=True)
    track.tried_ram = track.stopped = True
    attempt(table, track.name, chance.target, "ram", partial(_strike, table, track, chance))


def _strike(table: Table, track: Track, chance: RamChance, partly: list[Mod]) -> str:
    mods = ram_mods(table, track.name, chance) + partly
    dice = table.roll_two(track.name, "ram", chance.target)
    struck = sum(die.face for die in dice) + total(mods)
    code = band(TABLES.ram.bands, struck)
    facts = {
        "ship": track.name,
        "target": chance.target,
        "zone": chance.zone,
        "dice": [die.face for die in dice],
        "total": struck,
        "code": code,
        "at": list(table.hull(chance.target).bow),
    }
    table.tell_in_fog("ram", "GA-RAM-6", facts, dice, mods=mods)
    apply_ram(table, track.name, chance.target, code)
    _drop_firepot(table, track, chance.target)
    return code


def apply_ram(table: Table, rammer: str, target: str, code: str) -> None:
    """GA-RAM-6, -7: what a code of the Ramming Table does."""
    ship = table.ships[target]
    if code == "B":
        table.change(table.ships[rammer], ram=0)
        table.tell("ram_broken", "GA-RAM-6", table.sides, {"ship": rammer, "by": target})
    elif code == "C" and not ship.crippled:
        cripple(table, target, rammer)
    elif code == "C":
        _hole(table, target, rammer)
    elif code == "F":
        _foul(table, rammer, target)
    elif code == "RF":
        already = ship.rammed
        _hole(table, target, rammer)
        if not already:
            _foul(table, rammer, target)
    elif code == "R":
        _hole(table, target, rammer)
    elif code == "S":
        lose(table, target, "sunk", f"rammed by {rammer}")


def cripple(table: Table, name: str, by: str) -> None:
    table.change(table.ships[name], crippled=True)
    table.tell("crippled", "GA-RAK-5", table.sides, {"ship": name, "by": by, "at": list(table.hull(name).bow)})


def _hole(table: Table, name: str, by: str) -> None:
    """GA-RAM-7: a ship holed a second time goes down."""
    if table.ships[name].rammed:
        lose(table, name, "sunk", f"rammed again by {by}")
        return
    table.change(table.ships[name], rammed=True)
    table.tell("rammed", "GA-RAM-8", table.sides, {"ship": name, "by": by, "at": list(table.hull(name).bow)})


def _foul(table: Table, rammer: str, target: str) -> None:
    table.link(rammer, target, "fouled")
    table.tell("fouled", "GA-RAM-6", table.sides, {"ship": target, "by": rammer})


def _drop_firepot(table: Table, track: Track, target: str) -> None:
    """GA-POT-1: one pot on a target still afloat."""
    ship = table.ships[track.name]
    if not table.switches.firepots or not ship.firepots or not table.ships[target].afloat:
        return
    if table.doctrine(track.name, "firepots") != "on":
        return
    table.change(ship, firepots=ship.firepots - 1)
    die = table.roll(DIE, track.name, "firepot", target)
    burns = die.face >= TABLES.flame.pot_ignites
    facts = {"ship": track.name, "target": target, "die": die.face, "result": "burns" if burns else "no effect"}
    table.tell_in_fog("firepot", "GA-POT-1", facts, (die,))
    if burns:
        catch_fire(table, target)
