"""Fire doctrine: targets and programs for guns, options of a fire line, holding, interception, what is hit first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

from games.broadsides.data import System, WeaponType
from games.broadsides.orders import records as r
from games.broadsides.orders.gunnery import write_fire
from games.broadsides.orders.offers.desk import Desk
from games.broadsides.orders.readiness import Readiness
from games.broadsides.orders.words import read_program
from games.broadsides.rules.ballistics import drift_hex
from games.broadsides.rules.craft import Course
from games.broadsides.rules.doctrine import Doctrine, FireLine
from games.broadsides.rules.mounts import covers
from games.broadsides.rules.programs import AREA_SPECIALS, hold_limit, in_reach, program_target
from games.broadsides.rules.tohit import chance
from games.broadsides.state import Flight, Program, Ship, Unit
from games.broadsides.table import Table
from pbem.kit.choices import Number, Ranking
from pbem.kit.hexgrid import distance
from pbem.kit.scene import Item, Shot, hex_point

MOST_TARGETS = 8
TARGETS_OF_A_MOUNT = 4
HIGHEST_T = 20
MOST_INTERCEPTORS = 6
MOST_SPLIT = 6
PROGRAMS = (
    "best-chance",
    "best-chance any",
    "best-chance fighter",
    "nearest",
    "nearest any",
    "nearest fighter",
    "biggest",
    "closing",
    "closing unless slow",
)
FALLBACKS = (Program("best-chance"), Program("nearest"), Program("biggest"))


class Gunnery:
    """A ship's weapons as they will stand when it fires: after its plot, enemies drifting straight on."""

    def __init__(self, desk: Desk, course: Course | None) -> None:
        self.desk = desk
        ship = desk.unit
        assert isinstance(ship, Ship)
        self.ship = ship
        self.sheet = desk.state.cards.classes[ship.class_name]
        self.readiness = Readiness(desk.state, ship, desk.orders)
        for line in desk.orders.ballistics:
            self.readiness.launched[line.mount] = f"ballistic {line.mount}"
        self.ready = self.readiness.ready
        self._course = course

    # --- mounts

    def weapon(self, mount: System) -> WeaponType:
        return self.desk.state.cards.weapons[mount.type]

    @cached_property
    def guns(self) -> list[System]:
        """Ready mounts that fire in R8."""
        return [mount for mount in self.ready if not self.weapon(mount).ballistic]

    @cached_property
    def types(self) -> dict[str, list[System]]:
        """How a line names the standing mounts of a type: ``HL*``, or the only one by its id."""
        standing = [mount for mount in self.sheet.mounts if self.ship.blocks_left(mount) > 0]
        found: dict[str, list[System]] = {}
        for mount in standing:
            found.setdefault(mount.type, []).append(mount)
        return {(f"{kind}*" if len(mounts) > 1 else mounts[0].id): mounts for kind, mounts in found.items()}

    # --- the moment of fire

    @cached_property
    def table(self) -> Table:
        """The battle as far as it can be foreseen."""
        table = Table(self.desk.state, doctrine=Doctrine({self.ship.name: self.desk.orders}))
        if self.desk.state.phase == "fire":
            return table
        drifts = {enemy.name: drift_hex(table, enemy) for enemy in self.desk.enemies}
        for enemy in self.desk.enemies:
            moved = replace(enemy, position=drifts[enemy.name])
            # What a flight will fly is its owner's secret; figures are for one that does not attack.
            table.put(replace(moved, order="D") if isinstance(moved, Flight) else moved)
        rolled = self.ship.rolled != self.desk.orders.roll
        if self._course is not None:
            course = self._course
            moved_here = {"position": course.position, "heading": course.heading, "facing": course.facing}
            table.change(self.ship, rolled=rolled, speed=course.speed, **moved_here)
        return table

    @property
    def firer(self) -> Ship:
        return self.table.ships[self.ship.name]

    @cached_property
    def targets(self) -> list[Unit]:
        """Known enemies, those first that will be nearest."""
        there = [self.table.named(enemy.name) for enemy in self.desk.enemies]
        return sorted(there, key=lambda enemy: distance(self.firer.position, enemy.position))

    def aims(self, mount: System, most: int) -> list[Unit]:
        """Whom a mount may be aimed at, those first that it will bear on; area weapons only aim at flights."""
        flights_only = self.weapon(mount).special in AREA_SPECIALS
        aims = [target for target in self.targets if isinstance(target, Flight) or not flights_only]
        return sorted(aims, key=lambda target: not in_reach(self.table, self.firer, mount.id, target))[:most]

    def figures(self, mounts: Sequence[System], target: Unit) -> str:
        """Range, T and which mounts bear."""
        weapon, table = self.weapon(mounts[0]), self.table
        far = distance(self.firer.position, target.position)
        when = "" if self.desk.state.phase == "fire" else " if it flies straight on"
        bearing = [mount.id for mount in mounts if in_reach(table, self.firer, mount.id, target)]
        if not bearing:
            return f"range {far}{when}, {'none bears' if len(mounts) > 1 else 'it does not bear'}"
        t, limit = chance(table, self.firer, weapon, target).total, hold_limit(table, self.firer, weapon)
        held = f", held: below {limit}" if t < limit else ""
        return f"range {far}{when}, hits on {t} or less, {' '.join(bearing)} bear{'s' * (len(bearing) == 1)}{held}"

    def shot(self, target: Unit) -> tuple[Item, ...]:
        firer = self.firer
        if firer.position == target.position:
            return ()
        return (Shot(hex_point(firer.position), hex_point(target.position), self.ship.side, hit=False),)

    # --- lines

    def superseded(self, refs: Sequence[str]) -> list[int]:
        """Fire and hold lines whose mounts all obey the new one; more general lines stand beside it (BR-SEQ-9)."""
        mine = {mount.id for mount in self.sheet.mounts if covers(self.desk.state.cards, mount, refs)}
        gone = []
        for entry in self.desk.said:
            order = entry.order
            if not isinstance(order, r.FireAt | r.Hold):
                continue
            theirs = order.line.mounts if isinstance(order, r.FireAt) else order.mounts
            covered = {mount.id for mount in self.sheet.mounts if covers(self.desk.state.cards, mount, theirs)}
            if set(theirs) == set(refs) or ("all" not in refs and covered <= mine):
                gone.append(entry.line)
        return gone


# --- the groups ------------------------------------------------------------------------------------------------------


def offer_fire(gunnery: Gunnery) -> None:
    """Everything about guns."""
    _targets(gunnery)
    _options(gunnery)
    _holds(gunnery)
    _interception(gunnery)
    _taken(gunnery)


def _targets(gunnery: Gunnery) -> None:
    desk = gunnery.desk
    if gunnery.guns:
        _programs(gunnery)
        for target in gunnery.targets[:MOST_TARGETS]:
            _fire(gunnery, "fire", "all", gunnery.guns, target)
    for ref, standing in gunnery.types.items():
        ready = [mount for mount in standing if mount in gunnery.guns]
        if not gunnery.weapon(standing[0]).ballistic and ready:
            for target in gunnery.aims(ready[0], MOST_TARGETS):
                _fire(gunnery, "fire", ref, ready, target)
    for mount in gunnery.guns:
        if mount.id not in gunnery.types:
            for target in gunnery.aims(mount, TARGETS_OF_A_MOUNT):
                _fire(gunnery, "mount", mount.id, [mount], target)
    waiting = [gunnery.readiness.why_not(mount.id) for mount in gunnery.sheet.mounts]
    for why in filter(None, waiting):
        if "will never be ready" not in why:
            desk.close("fire", why, "BR-VAL-17")


def _fire(gunnery: Gunnery, group: str, ref: str, mounts: Sequence[System], target: Unit) -> None:
    desk = gunnery.desk
    shown = desk.state.unit(target.name) or target
    kinds = list(dict.fromkeys(mount.type for mount in mounts))
    note = gunnery.figures(mounts, target) if len(kinds) == 1 else _reached(gunnery, mounts, target)
    desk.offer(
        group,
        f"{'all guns' if ref == 'all' else ref} at {target.name}",
        f"fire {ref} at {target.name}",
        replaces=gunnery.superseded([ref]),
        note=note,
        at=shown.position,
        marks=gunnery.shot(target),
    )


def _reached(gunnery: Gunnery, mounts: Sequence[System], target: Unit) -> str:
    far = distance(gunnery.firer.position, target.position)
    bearing = [mount.id for mount in mounts if in_reach(gunnery.table, gunnery.firer, mount.id, target)]
    return f"range {far}, {len(bearing)} of {len(mounts)} ready guns bear"


def _programs(gunnery: Gunnery) -> None:
    desk, old = gunnery.desk, gunnery.superseded(["all"])
    for words in PROGRAMS:
        note = _choice_of(gunnery, words)
        desk.offer("fire", f"all guns at {words}", f"fire all at {words}", replaces=old, note=note)
    desk.offer(
        "fire",
        "all guns at best-chance over ...",
        "fire all at best-chance over {}",
        replaces=old,
        note="holds unless the number to hit is higher",
        fill=Number(1, HIGHEST_T, 10),
    )


def _choice_of(gunnery: Gunnery, words: str) -> str:
    """BR-OSA-2: whom the first ready gun would choose."""
    program, mount = read_program(words), gunnery.guns[0].id
    target = program_target(gunnery.table, gunnery.firer, mount, program) if program else None
    when = "" if gunnery.desk.state.phase == "fire" else " if all fly straight on"
    return f"{mount} chooses {target.name}{when}" if target else f"{mount} chooses nobody{when}"


def _options(gunnery: Gunnery) -> None:
    """BR-DMG-10, BR-LOC-12, BR-WPN-3, BR-GRV-5: each fire line of the sheet with one more word."""
    desk = gunnery.desk
    for entry in desk.said:
        if not isinstance(entry.order, r.FireAt):
            continue
        line = _without_idle(gunnery, entry.order.line)
        if line is None:
            continue
        covered = [mount for mount in gunnery.sheet.mounts if covers(desk.state.cards, mount, line.mounts)]
        weapons = [gunnery.weapon(mount) for mount in covered]
        for label, changed in _variants(gunnery, line, weapons):
            desk.offer("option", f"{write_fire(line)}: {label}", write_fire(changed), replaces=[entry.line])
        if any("light_pulse" in weapon.flags for weapon in weapons):
            text = write_fire(replace(line, split=MOST_SPLIT)).replace(f"split {MOST_SPLIT}", "split {}")
            fill = Number(1, MOST_SPLIT, line.split)
            desk.offer("option", f"{write_fire(line)}: split", text, replaces=[entry.line], fill=fill)


def _without_idle(gunnery: Gunnery, line: FireLine) -> FireLine | None:
    kept = tuple(ref for ref in line.mounts if ref not in gunnery.sheet.systems or not gunnery.readiness.why_not(ref))
    return replace(line, mounts=kept) if kept and not line.antifighter else None


def _variants(gunnery: Gunnery, line: FireLine, weapons: Sequence[WeaponType]) -> list[tuple[str, FireLine]]:
    found: list[tuple[str, FireLine]] = []
    if any(weapon.pierce for weapon in weapons):
        found.append(("not piercing" if line.piercing else "piercing, -5", replace(line, piercing=not line.piercing)))
    target = gunnery.desk.state.ships.get(line.aim.unit)
    if target is not None:
        sides = gunnery.desk.state.cards.classes[target.class_name].sides
        found += [(f"called {side}, -5 or -8", replace(line, called=side)) for side in sides]
    if any(weapon.special == "grav_shifter" for weapon in weapons):
        found += [("shift port", replace(line, shift="port")), ("shift starboard", replace(line, shift="starboard"))]
    if line.aim.unit:
        found += [(f"else {program.kind}", replace(line, otherwise=program)) for program in FALLBACKS]
    return found


def _holds(gunnery: Gunnery) -> None:
    desk = gunnery.desk
    desk.offer("hold", "hold all fire", "hold all", replaces=gunnery.superseded(["all"]))
    for ref, mounts in gunnery.types.items():
        names = " ".join(mount.id for mount in mounts)
        desk.offer("hold", f"hold {ref}", f"hold {ref}", replaces=gunnery.superseded([ref]), note=names)
    now = desk.orders.hold_below
    desk.offer(
        "limit",
        "hold fire below ...",
        "hold below {}",
        replaces=desk.lines_of(r.HoldBelow),
        note="5 for guns that fire every turn and 8 for slower ones, unless ordered",
        fill=Number(0, HIGHEST_T, 8 if now is None else now),
    )


def _interception(gunnery: Gunnery) -> None:
    """BR-INT-5: lists of mounts add up; ``none`` takes them back."""
    desk = gunnery.desk
    able = {ref: mounts for ref, mounts in gunnery.types.items() if gunnery.weapon(mounts[0]).intercept}
    if not able:
        desk.close("intercept", "no standing mount has an intercept value", "BR-INT-5")
        return
    none = [entry.line for entry in desk.said if isinstance(entry.order, r.InterceptWith) and not entry.order.mounts]
    desk.offer("intercept", "keep nothing back", "intercept none", replaces=desk.lines_of(r.InterceptWith))
    for ref, mounts in able.items():
        value = gunnery.weapon(mounts[0]).intercept
        note = f"stops on {value} or less of 10, {min(10, value + 1)} against ballistics; it does not fire then"
        line = f"intercept {ref}"
        same = [entry.line for entry in desk.said if entry.text.casefold() == line.casefold()]
        desk.offer("intercept", f"keep {ref} for interception", line, replaces=[*none, *same], note=note)
    for word, most, now in (
        ("max", MOST_INTERCEPTORS, desk.orders.intercept_max),
        ("min", 4 * HIGHEST_T, desk.orders.intercept_min),
    ):
        old = [
            entry.line for entry in desk.said if isinstance(entry.order, r.InterceptLimit) and entry.order.kind == word
        ]
        what = "mounts a hit" if word == "max" else "damage a shot must promise"
        label, fill = f"{'at most' if word == 'max' else 'at least'} ... {what}", Number(0, most, min(most, now))
        desk.offer(f"intercept {word}", label, f"intercept {word} {{}}", replaces=old, fill=fill)


def offer_clearing(gunnery: Gunnery) -> None:
    """BR-AST-3: guns that fire at asteroids on the way."""
    desk = gunnery.desk
    if not desk.state.switches.asteroids:
        desk.close("clear", "this scenario has asteroids = false", "BR-VAL-28")
        return
    for ref, mounts in gunnery.types.items():
        if any(mount in gunnery.guns for mount in mounts):
            line = f"clear {ref}"
            same = [entry.line for entry in desk.said if entry.text.casefold() == line.casefold()]
            desk.offer("clear", f"clear asteroids with {ref}", line, replaces=same, note="it has then fired")


def _taken(gunnery: Gunnery) -> None:
    """BR-LOC-7: which mount of a group is struck first."""
    desk, ship = gunnery.desk, gunnery.ship
    boxes = [system for system in gunnery.sheet.systems.values() if system.kind in ("weapon", "battery")]
    groups: dict[tuple[str, str], list[str]] = {}
    for box in boxes:
        if ship.blocks_left(box) > 0:
            groups.setdefault((box.section, box.group), []).append(box.id)
    for (section, group), names in groups.items():
        if len(names) > 1:
            label = f"which of {section} {group} is hit first"
            fill = Ranking(tuple(names))
            desk.offer("take", label, "take {}", replaces=desk.lines_of(r.Take), note=", ".join(names), fill=fill)
