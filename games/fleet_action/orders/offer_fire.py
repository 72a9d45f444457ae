"""What a squadron or ship can be told about fire: target, fire, hold, guard, af, damage, mines, rapid (section 6.2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from games.fleet_action.data import ARCS, BRACKETS
from games.fleet_action.orders import check_fire, check_plot
from games.fleet_action.orders.counter import NOWHERE, Counter, Drawn, ranking
from games.fleet_action.orders.fire import TARGET_WORDS, systems_of
from games.fleet_action.orders.records import FireOrder, GuardOrder, HoldOrder, TargetOrder
from games.fleet_action.rules import ballistics, fire, geometry, weapons
from games.fleet_action.rules.plotting import chart
from games.fleet_action.rules.shots import Shot
from games.fleet_action.state import PULSES, Flight, Ship, Squadron
from pbem.kit import hexgrid, scene
from pbem.kit.choices import Choice, Closed, Places
from pbem.kit.hexgrid import Hex, distance
from pbem.kit.scene import hex_point

CHAPTER = (check_fire.check,)
MOST_TARGETS = 8
MOST_FLIGHTS = 4
MOST_NAMED = 6
MINES_ABOUT = 4
MOST_PLACES = 400
WORD_MEANINGS = {
    "nearest": "the nearest",
    "biggest": "the biggest",
    "weakest": "the one with least structure left",
    "best-chance": "where most hits can be expected",
    "commander": "the command ship",
}


def offers(counter: Counter) -> Iterator[Choice | Closed]:
    """All that concerns fire, for a squadron or for one ship."""
    if counter.squadron is not None:
        yield from _targets(counter, counter.squadron)
    firing = _firing(counter)
    words = _weapon_words(counter, firing)
    if not words:
        yield Closed("fire", "no weapon left that fires by order", "FA-DOC-4")
    else:
        yield from _fire(counter, firing, words)
        yield from _conditions(counter)
        yield from _holds(counter, words)
    yield from _guards(counter)
    yield from _anti_fighter(counter, firing)
    yield from _damage(counter)
    if counter.squadron is not None:
        yield from mines(counter, counter.squadron)
    yield from _rapid(counter)


def _firing(counter: Counter) -> list[Ship]:
    if counter.ship is not None:
        return [counter.ship]
    return counter.table.members(counter.squadron) if counter.squadron is not None else []


def _weapon_words(counter: Counter, firing: Sequence[Ship]) -> list[str]:
    """FA-DOC-4: groups and weapons of which something is left that fires; mines do not (FA-DOC-6)."""
    table = counter.table
    mounts = [
        (mount, weapon)
        for ship in firing
        for number, mount, weapon in table.mounts(ship)
        if ship.weapon_left[number] and weapon.range and not weapon.proximity
    ]
    groups = dict.fromkeys("secondary" if weapon.is_secondary else "primary" for _, weapon in mounts)
    words = dict.fromkeys(mount.word for mount, _ in mounts)
    several = tuple(groups) if len(groups) > 1 else ()
    # A squadron is told the groups alone; its ships are told their weapons one by one.
    named = tuple(words) if len(words) > 1 and counter.ship is not None else ()
    return ["all", *several, *named] if mounts else []


# --- target ----------------------------------------------------------------------------------------------------------


def _targets(counter: Counter, squadron: Squadron) -> Iterator[Choice | Closed]:
    """FA-DOC-1: an enemy squadron, or a word that chooses one."""
    foes = sorted(counter.desk.enemy_squadrons(), key=lambda foe: distance(squadron.hex, foe.hex))
    if not foes:
        yield Closed("target", "no enemy squadron is in play", "FA-DOC-1")
        return
    said = counter.lines("target")
    for foe in foes:
        ships = counter.table.members(foe)
        near = min(distance(squadron.hex, ship.hex) for ship in ships)
        note = f"{len(ships)} ship" + ("s" if len(ships) > 1 else "") + f", nearest at {near} hexes now"
        drawn = _aimed_at(squadron.hex, foe.hex, squadron.side)
        yield from counter.offer(
            "target", foe.name, f"target {foe.name}", note=note, chapters=CHAPTER, drops=said, drawn=drawn
        )
    for word in TARGET_WORDS:
        meaning = "the squadron of an enemy flagship" if word == "commander" else f"{WORD_MEANINGS[word]} in reach"
        yield from counter.offer("target", word, f"target {word}", note=meaning, chapters=CHAPTER, drops=said)


def _aimed_at(start: Hex, end: Hex, side: str) -> Drawn:
    line = scene.Shot(hex_point(start), hex_point(end), side, hit=False)
    return Drawn(hex_point(end), None, (line,) if start != end else ())


# --- fire ------------------------------------------------------------------------------------------------------------


def _fire(counter: Counter, firing: Sequence[Ship], words: Sequence[str]) -> Iterator[Choice]:
    """FA-DOC-2, 3: named ships near by, words, and flights."""
    at = firing[0].hex
    ships = sorted(_ships_to_fire_at(counter), key=lambda ship: distance(at, ship.hex))[:MOST_TARGETS]
    for target in ships:
        for word in words if counter.ship is not None else ("all",):
            note = _figures(counter, firing, word, target)
            yield from _fire_at(counter, word, target.name, note, _aimed_at(at, target.hex, counter.side))
    for word in TARGET_WORDS if ships else ():
        yield from _fire_at(counter, "all", word, WORD_MEANINGS[word])
    flights = sorted(_flights_to_fire_at(counter), key=lambda flight: distance(at, flight.hex or at))
    guns = "secondary" if "secondary" in words else "all"
    for word in ("nearest", "biggest") if flights else ():
        yield from _fire_at(counter, guns, f"flight {word}", "secondaries fire at flights beside their main target")
    for flight in flights[:MOST_FLIGHTS]:
        note = _figures(counter, firing, guns, flight)
        drawn = _aimed_at(at, flight.hex or at, counter.side)
        yield from _fire_at(counter, guns, f"flight {flight.name}", note, drawn)


def _ships_to_fire_at(counter: Counter) -> list[Ship]:
    """FA-E-21: of the squadron's target, where the sheet names one."""
    family = counter.ship.squadron if counter.ship is not None else counter.unit
    named = {entry.order.at for entry in counter.desk.given(TargetOrder, family)} & counter.table.squadrons.keys()
    return [ship for ship in counter.desk.enemy_ships() if not named or ship.squadron in named]


def _flights_to_fire_at(counter: Counter) -> list[Flight]:
    """FA-FIRE-13: neither dogfighters nor stealth flights."""
    table = counter.table
    return [f for f in counter.desk.enemy_flights() if f.state == "flying" and not table.fighter(f).stealth]


def _fire_at(counter: Counter, word: str, target: str, note: str, drawn: Drawn = NOWHERE) -> Iterator[Choice]:
    """A line takes the place of those with the same weapons, and of those at another ship (FA-E-20)."""
    flight = target.startswith("flight ")
    desk, ships = counter.desk, counter.table.ships
    drops = {
        entry.line
        for entry in desk.given(FireOrder, counter.unit)
        if entry.order.flight == flight
        and (
            entry.order.weapons == (word,) or (target in ships and entry.order.at in ships and entry.order.at != target)
        )
    }
    line = f"fire {word} at {target}"
    yield from counter.offer(
        "fire",
        f"{word} at {target}",
        line,
        note=note,
        chapters=CHAPTER,
        drops=drops & counter.lines("fire"),
        drawn=drawn,
    )


def _figures(counter: Counter, firing: Sequence[Ship], word: str, target: Ship | Flight) -> str:
    """FA-FIRE-3..7: the best shot as units stand now, the enemy as his card has him."""
    table = counter.table
    shots = [
        shot
        for ship in firing
        for number, mount, weapon in table.mounts(ship)
        if _matches(word, mount.word, secondary=weapon.is_secondary)
        and ship.weapon_left[number]
        and (shot := fire.aim(table, ship, number, target)) is not None
    ]
    far = min(weapons.range_to(ship, target) for ship in firing)
    if not shots:
        return f"range {far} now, out of reach or arc"
    best = max(shots, key=lambda shot: shot.x * fire.chance(shot.die, shot.need))
    return f"range {far} now, {_shot(best)}"


def _matches(word: str, mount: str, *, secondary: bool) -> bool:
    return word in ("all", mount, "secondary" if secondary else "primary")


def _shot(shot: Shot) -> str:
    arc = f", arc {ARCS[shot.arc]}" if shot.arc is not None else ""
    chance = round(100 * fire.chance(shot.die, shot.need))
    need = f"needs {max(1, shot.need)} or more on d{shot.die}" if shot.need <= shot.die else "cannot hit"
    return f"{shot.weapon}: {shot.x} dice, {need} ({chance}%), {BRACKETS[shot.bracket]}{arc}"


def _conditions(counter: Counter) -> Iterator[Choice]:
    """FA-DOC-5: conditions for the fire lines of the sheet that have none yet."""
    for entry in counter.desk.given(FireOrder, counter.unit):
        order = entry.order
        if entry.line not in counter.lines("fire"):
            continue
        more = [f"within {bracket}" for bracket in BRACKETS] if order.within is None else []
        more += ["chance 40%", "chance 60%"] if order.chance is None else []
        more += [f"pulse {pulse}" for pulse in PULSES] if order.pulses == PULSES else []
        for condition in more:
            yield from counter.offer(
                "condition",
                f"{entry.text}, {condition}",
                f"{entry.text} {condition}",
                chapters=CHAPTER,
                drops={entry.line},
            )


def _holds(counter: Counter, words: Sequence[str]) -> Iterator[Choice]:
    """FA-DOC-6: hold lines beat fire lines."""
    for word in words:
        for pulse in (0, *PULSES) if word in ("all", "primary", "secondary") else (0,):
            when = f" pulse {pulse}" if pulse else ""
            pulses = (pulse,) if pulse else PULSES
            drops = {
                entry.line
                for entry in counter.desk.given(HoldOrder, counter.unit)
                if entry.order.weapons == (word,) and set(entry.order.pulses) <= set(pulses)
            }
            line = f"hold {word}{when}"
            label = f"{word} silent" + (f" in{when}" if when else "")
            yield from counter.offer("hold", label, line, chapters=CHAPTER, drops=drops & counter.lines("hold"))


# --- guardians and fighters ------------------------------------------------------------------------------------------


def _guards(counter: Counter) -> Iterator[Choice | Closed]:
    """FA-SPC-2: levels among the ships of the squadron; each ship is covered by one guardian."""
    ship, table = counter.ship, counter.table
    if ship is None or not table.card(ship).guardian:
        return
    level = table.guardian_level(ship)
    if not level:
        yield Closed("guard", "all its G boxes are marked: no guardian level left", "FA-SPC-2")
        return
    given = counter.desk.given(GuardOrder, ship.name)
    auto = {entry.line for entry in given if not entry.order.target}
    said = counter.lines("guard")
    label = "the ship with most dice against it"
    yield from counter.offer("guard", label, "guard auto", note=f"{level} levels", chapters=CHAPTER, drops=said)
    for mate in table.members(table.squadron(ship)):
        drops = auto | {entry.line for entry in given if entry.order.target == mate.name}
        for levels in range(1, level + 1):
            yield from counter.offer(
                "guard",
                f"{mate.name} +{levels}",
                f"guard {mate.name} {levels}",
                note=f"of {level} levels",
                chapters=CHAPTER,
                drops=drops & said,
            )


def _anti_fighter(counter: Counter, firing: Sequence[Ship]) -> Iterator[Choice | Closed]:
    """FA-AF-6, 8: the mode of the ship, and whom it fires on first."""
    table = counter.table
    mounts = [mount for ship in firing for n, mount, _ in table.mounts(ship) if mount.af and ship.weapon_left[n]]
    if not mounts:
        yield Closed("af", "no weapon left with an anti-fighter rating", "FA-AF-2")
        return
    said = counter.lines("af")
    best = max(mount.af for mount in mounts)
    modes = {
        "on": "every weapon that can",
        "secondary": "secondary weapons alone; primaries stay free",
        "off": "none",
        "long": "into an adjacent hex, at half",
    }
    for mode, note in modes.items():
        figures = f"{note}; AF rating up to {best}"
        yield from counter.offer("af", f"anti-fighter {mode}", f"af {mode}", note=figures, chapters=CHAPTER, drops=said)
    for arc in ARCS:
        yield from counter.offer("af", f"anti-fighter long {arc}", f"af long {arc}", chapters=CHAPTER, drops=said)
    for pulse in PULSES:
        yield from counter.offer(
            "af", f"anti-fighter long in pulse {pulse}", f"af long pulse {pulse}", chapters=CHAPTER
        )
    foes = sorted(counter.desk.enemy_flights(), key=lambda flight: distance(firing[0].hex, flight.hex or firing[0].hex))
    names = tuple(flight.name for flight in foes[:MOST_NAMED])
    if names:
        drops = counter.lines("af-first")
        yield from counter.offer(
            "af-first",
            "whom anti-fighter fire strikes first",
            "af-first {}",
            chapters=CHAPTER,
            drops=drops,
            fill=ranking(names),
        )


def _damage(counter: Counter) -> Iterator[Choice]:
    """FA-DMG-5: which systems are given up first."""
    names = tuple(word for word, left in systems_of(counter.table, counter.unit).items() if left)[:MOST_NAMED]
    if len(names) > 1:
        drops = counter.lines("damage")
        yield from counter.offer(
            "damage",
            "which weapons are given up first",
            "damage {}",
            chapters=CHAPTER,
            drops=drops,
            fill=ranking(names),
        )


def _rapid(counter: Counter) -> Iterator[Choice]:
    """FA-WPN-7: the accelerator fires every pulse, or waits for its full damage."""
    ship = counter.ship
    if ship is None or not any(w.rapid and ship.weapon_left[n] for n, _, w in counter.table.mounts(ship)):
        return
    for word, note in (("yes", "fires in every pulse"), ("no", "waits three pulses for full damage")):
        drops = counter.lines("rapid")
        yield from counter.offer(
            "rapid", f"rapid fire: {word}", f"rapid {word}", note=note, chapters=CHAPTER, drops=drops
        )


# --- mines -----------------------------------------------------------------------------------------------------------


def mines(counter: Counter, squadron: Squadron) -> Iterator[Choice | Closed]:
    """FA-WPN-10: one hex for all mines of the squadron, about where the enemy is or will be."""
    table = counter.table
    armed = [ship for ship in table.members(squadron) if ballistics.mine_mounts(table, ship)]
    if not armed:
        return
    if check_plot.withdraws(counter.desk, squadron):
        yield Closed("mines", "a withdrawing squadron launches no mines", "FA-WDR-1")
        return
    hexes = _about_enemies(counter, squadron)
    said = counter.lines("mines")
    parties = [armed, *([ship] for ship in armed)] if len(armed) > 1 else [armed]
    offered = False
    for party in parties:
        fitting = [at for at in hexes if all(ballistics.why_not_launched(table, ship, at) is None for ship in party)]
        if not fitting:
            continue
        names = ", ".join(ship.name for ship in party)
        line = "mines {}" if party == armed else f"mines {{}} with {names}"
        count = sum(ship.weapon_left[number] for ship in party for number in ballistics.mine_mounts(table, ship))
        note = f"up to {count} mines, radius {ballistics.mine_radius(count)}"
        places = Places({hexgrid.name(at): hex_point(at) for at in fitting})
        for choice in counter.offer(
            "mines", f"mines of {names}", line, note=note, chapters=CHAPTER, drops=said, fill=places
        ):
            offered = True
            yield choice
    if not offered:
        why = next((why for at in hexes[:1] if (why := ballistics.why_not_launched(table, armed[0], at))), "")
        yield Closed("mines", why or "no enemy is known to launch at", "FA-WPN-10")


def _about_enemies(counter: Counter, squadron: Squadron) -> list[Hex]:
    """Hexes about the places of known enemies now and after each pulse if they go straight on, the nearest first."""
    found: dict[Hex, None] = {}
    foes = sorted(counter.desk.enemy_squadrons(), key=lambda foe: distance(squadron.hex, foe.hex))
    for foe in foes:
        at = foe.hex
        for hexes in (0, *chart(foe.speed)):
            at = geometry.ahead(at, foe.heading, hexes)
            found.update(dict.fromkeys(near for near in hexgrid.disk(at, MINES_ABOUT) if counter.table.on_map(near)))
        if len(found) > MOST_PLACES:
            break
    return list(found)[:MOST_PLACES]
