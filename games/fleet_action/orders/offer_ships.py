"""What ships and commanders can be told beside fire: ELINT, tractor, command, withdrawal (FA-ELI, FA-SPC, FA-CMD)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest

from games.fleet_action.data import TABLES
from games.fleet_action.orders import check_fire, check_plot, check_ships
from games.fleet_action.orders.counter import Counter, Drawn, ranking
from games.fleet_action.orders.records import ElintOrder
from games.fleet_action.rules import abilities, command, elint, equipment, jump, succession
from games.fleet_action.state import Flight, Ship, Squadron
from pbem.kit.choices import Choice, Closed
from pbem.kit.hexgrid import distance
from pbem.kit.scene import hex_point

CHAPTER = (check_ships.check,)
MOVING = (check_ships.check, check_plot.check, check_fire.check)
"""What changes who flies together, or where to, is checked with the plot and with mines."""
MOST_VICTIMS = 6
BEAM_NEAR = 20
"""A tractor beam this near may be alongside at the end of a turn or two."""


def of_ship(counter: Counter, ship: Ship) -> Iterator[Choice | Closed]:
    """Orders to one ship."""
    yield from _elint(counter, ship)
    yield from _tractor(counter, ship)
    yield from _held(counter, ship)
    yield from _jump(counter, ship)


def of_squadron(counter: Counter, squadron: Squadron) -> Iterator[Choice | Closed]:
    """Orders to a squadron about itself."""
    yield from _withdraw(counter, squadron)
    yield from _detach(counter, squadron)
    yield from _succession(counter, squadron)
    yield from _absorb(counter, squadron)
    if abilities.owner_of(counter.table, squadron, "stubborn"):
        for word, note in (("yes", "the first failed morale roll is rolled again"), ("no", "the copy is kept")):
            drops = counter.lines("stubborn")
            yield from counter.offer(
                "stubborn", f"stubborn: {word}", f"stubborn {word}", note=note, chapters=CHAPTER, drops=drops
            )


# --- ELINT -----------------------------------------------------------------------------------------------------------


def _elint(counter: Counter, ship: Ship) -> Iterator[Choice | Closed]:
    """FA-ELI: actions for the levels that are left; when all are used, a choice takes the place of them all."""
    table = counter.table
    if not table.card(ship).elint:
        return
    level = table.elint_level(ship)
    if not level:
        yield Closed("elint", "all its S boxes are marked: no ELINT level left", "FA-ELI-1")
        return
    used = sum(max(1, entry.order.levels) for entry in counter.desk.given(ElintOrder, ship.name))
    said = counter.lines("elint") if used >= level else set()
    left = level if used >= level else level - used
    for line, label, note in _actions(counter, ship, left):
        yield from counter.offer("elint", label, f"elint {line}", note=note, chapters=CHAPTER, drops=said)


def _actions(counter: Counter, ship: Ship, left: int) -> Iterator[tuple[str, str, str]]:
    table, of = counter.table, f"of {left} level(s) left"
    for levels in range(1, left + 1):
        yield f"offensive {levels}", f"offensive support {levels}", f"sensor +{levels}, {of}"
        yield f"defensive {levels}", f"defensive support {levels}", f"def +{levels}, {of}"
    foes = sorted(counter.desk.enemy_ships(), key=lambda foe: distance(ship.hex, foe.hex))
    for foe in foes:
        far = distance(ship.hex, foe.hex)
        if far > TABLES.jam_command_range:
            break
        needed = elint.required_levels(table, foe)
        levels = min(left, needed)
        label = f"jam the command of {foe.name}" + ("" if levels == needed else f" with {levels} of {needed}")
        yield f"jam-command {foe.name} {levels}", label, f"range {far}, needs {needed} level(s)"
    listeners = [foe for foe in foes if table.card(foe).elint]
    for foe in listeners[:MOST_VICTIMS]:
        far = distance(ship.hex, foe.hex)
        for levels in dict.fromkeys((1, left)):
            yield f"jam-elint {foe.name} {levels}", f"jam ELINT of {foe.name}, {levels}", f"range {far}, {of}"
    near = [foe for foe in foes if distance(ship.hex, foe.hex) <= TABLES.jam_fc_range][:MOST_VICTIMS]
    for first, second in zip_longest(near, near[1:]):
        names = [foe.name for foe in (first, second) if foe is not None]
        figures = f"range {distance(ship.hex, first.hex)}, one level"
        yield f"jam-fc {' '.join(names)}", f"jam the fire of {' and '.join(names)}", figures


# --- tractor beams ---------------------------------------------------------------------------------------------------


def _tractor(counter: Counter, ship: Ship) -> Iterator[Choice | Closed]:
    """FA-SPC-6: on what is adjacent now; it is tested at the end of the turn."""
    table, said = counter.table, counter.lines("tractor")
    if ship.holding:
        drops = counter.lines("release")
        yield from counter.offer(
            "tractor",
            f"release {ship.holding}",
            "release",
            note="at the end of the turn",
            chapters=CHAPTER,
            drops=drops,
        )
        return
    if not table.card(ship).tractor or not table.living(ship.name):
        return
    others = [other for other in table.everyone() if other.name != ship.name]
    units: list[Ship | Flight] = [*others, *table.airborne()]
    near = [unit for unit in units if unit.hex is not None and distance(ship.hex, unit.hex) == 1]
    if not near:
        yield Closed("tractor", "nobody is adjacent", "FA-SPC-6")
    for unit in near:
        assert unit.hex is not None
        note = "holds what cannot move, is battered, or accepts; same speed and heading at the end of the turn"
        drawn = Drawn(hex_point(unit.hex))
        powers = [""]
        if isinstance(unit, Ship) and table.card(unit).category == "medium":
            powers += [f" power {mount.word}" for number, mount, _ in table.mounts(ship) if ship.weapon_left[number]]
        for power in powers:
            yield from counter.offer(
                "tractor",
                f"tractor beam on {unit.name}" + (f", without {power.split()[-1]}" if power else ""),
                f"tractor {unit.name}{power}",
                note=note,
                chapters=CHAPTER,
                drops=said,
                drawn=drawn,
            )


def accepts(counter: Counter, unit: Ship | Flight) -> Iterator[Choice]:
    """FA-SPC-6: a unit may let itself be taken in tow by a beam that can come alongside."""
    table, at = counter.table, unit.hex
    beams = [s for s in table.everyone() if s.name != unit.name and table.card(s).tractor and not s.holding]
    if isinstance(unit, Flight):
        beams = [ship for ship in beams if table.side_of(ship) == unit.side]
    near = [ship.name for ship in beams if at is not None and distance(at, ship.hex) <= BEAM_NEAR]
    if near:
        note = f"near by: {', '.join(near[:3])}"
        drops = counter.lines("accept")
        yield from counter.offer("accept", "accept a tractor beam", "accept", note=note, chapters=CHAPTER, drops=drops)


def _held(counter: Counter, ship: Ship) -> Iterator[Choice]:
    yield from accepts(counter, ship)
    if not equipment.is_battered(counter.table, ship):
        return
    for word, note in (("yes", "a d6 for each point of speed change left"), ("no", "it is taken without a fight")):
        drops = counter.lines("resist")
        yield from counter.offer(
            "resist", f"resist a tractor beam: {word}", f"resist {word}", note=note, chapters=CHAPTER, drops=drops
        )


# --- leaving ---------------------------------------------------------------------------------------------------------


def _jump(counter: Counter, ship: Ship) -> Iterator[Choice | Closed]:
    """FA-WDR-4."""
    if not counter.table.card(ship).jump or not counter.table.is_on_map(counter.table.squadron(ship)):
        return
    turn = counter.table.turn
    if ship in jump.openers(counter.table, counter.table.squadron(ship)):
        yield Closed("jump", "its vortex opens at the end of this turn", "FA-WDR-4")
        return
    note = f"the vortex opens at the end of turn {turn + 1}; until then the squadron maintains course"
    yield from counter.offer("jump", "prepare a jump", "jump", note=note, chapters=CHAPTER, drops=counter.lines("jump"))


def _withdraw(counter: Counter, squadron: Squadron) -> Iterator[Choice | Closed]:
    """FA-WDR-1, 3: without a path it flies the one that takes it farthest; a path is given anew."""
    if squadron.state == "withdrawing":
        yield Closed("withdraw", "it is withdrawing already, for good", "FA-WDR-1")
        return
    note = "for good; it may not close on the enemy, launch strikes or mines"
    drops = counter.lines("withdraw", "path")
    yield from counter.offer("withdraw", "withdraw", "withdraw", note=note, chapters=MOVING, drops=drops)


# --- command ---------------------------------------------------------------------------------------------------------


def _detach(counter: Counter, squadron: Squadron) -> Iterator[Choice]:
    """FA-CMD-15: any member but the command ship."""
    for ship in counter.table.members(squadron):
        if ship.name != squadron.command_ship:
            note = "a stray from this turn on, out of command"
            yield from counter.offer("detach", f"detach {ship.name}", f"detach {ship.name}", note=note, chapters=MOVING)


def _succession(counter: Counter, squadron: Squadron) -> Iterator[Choice]:
    """FA-CMD-6: at the end of this turn a new commander takes office."""
    table = counter.table
    if not command.is_leaderless(table, squadron) and not squadron.net_change:
        return
    said = counter.lines("commander")
    fit = succession.fit_commanders(table, squadron)
    for ship in fit:
        note = f"cr {table.card(ship).cr}, {len(table.members(squadron))} ships"
        yield from counter.offer(
            "commander", ship.name, f"commander {ship.name}", note=note, chapters=CHAPTER, drops=said
        )
    members = table.members(squadron)
    beyond = len(members) - max(table.card(ship).cr for ship in fit)
    if beyond > 0:
        names = tuple(ship.name for ship in members)
        label, note = "who becomes a stray first", f"{beyond} ship(s) beyond the new commander's cr"
        drops = counter.lines("strays")
        yield from counter.offer(
            "strays", label, "strays {}", note=note, chapters=CHAPTER, drops=drops, fill=ranking(names)
        )


def _absorb(counter: Counter, squadron: Squadron) -> Iterator[Choice | Closed]:
    """FA-ABL-4: own ships out of command, within command radius, while there is room."""
    table = counter.table
    if not abilities.owner_of(table, squadron, abilities.REORGANIZATION):
        return
    others = [ship for ship in counter.desk.own_ships() if ship.squadron != squadron.name]
    near = [ship.name for ship in others if abilities.why_not_absorbed(table, squadron, ship.name) is None]
    if not near:
        yield Closed("absorb", "no own ship out of command within reach, or no room for one", "FA-ABL-4")
    said = counter.lines("absorb")
    parties = [[name] for name in near] + ([near] if len(near) > 1 else [])
    for party in parties:
        names = ", ".join(party)
        note = "in command at once"
        yield from counter.offer(
            "absorb", f"take in {names}", f"absorb {names}", note=note, chapters=MOVING, drops=said
        )
