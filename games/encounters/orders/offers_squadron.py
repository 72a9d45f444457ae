"""Squadrons, Flagship, missions and ratings that can still be ordered (rule book 6.2, EN-SQD, EN-MIS, EN-DR)."""

from __future__ import annotations

from collections.abc import Sequence

from games.encounters.data import tables
from games.encounters.orders.offering import Entry, Switch, Wares
from games.encounters.orders.offers_battle import Front
from games.encounters.orders.offers_empire import AIMS
from games.encounters.orders.records import MissionLine, StepsLine
from games.encounters.rules.missions import DISENGAGE, DISRUPT, ENGAGE, FIRECONTROL, SCREEN, allowed_missions
from games.encounters.rules.squadrons import (
    Squadrons,
    arrange_automatically,
    combatant,
    command_rating,
    commands_all,
    is_legal_squadron,
    total_cc,
    within_cap,
)
from games.encounters.state import Unit
from pbem.kit.choices import Choice, Closed, Number

COLOURS = (
    "Red", "Blue", "Green", "Gold", "White", "Black", "Amber", "Violet", "Silver", "Scarlet", "Azure", "Emerald",
    "Ivory", "Crimson", "Copper", "Indigo",
)  # fmt: skip
"""Names for squadrons that an offer forms; any other can be written."""
DISRUPTED = ("", "flagship", "biggest", "carriers")
EFFECTS = {
    ENGAGE: "fires in full",
    SCREEN: "no fire; raises ratings of its squadron",
    DISRUPT: "no fire; lowers ratings of an enemy squadron",
    FIRECONTROL: "no fire; each 4 CC add 1 to fire rolls",
    DISENGAGE: "half fire; +2 to get away",
}


# --- squadrons -------------------------------------------------------------------------------------------------------


def forming(front: Front) -> Wares:
    """EN-SQD-1..4: the rules' own arrangement to start from, then a ship to or from a squadron, or a new one."""
    made = formed(front)
    for entry in front.of("squadrons"):
        yield front.desk.chosen("squadron", entry.text, entry)
    fleet = [unit for unit in front.here if front.table.is_ship(unit) and unit.in_play]
    placed = {ship.id for _, ships in made for ship in ships}
    free = [ship for ship in fleet if ship.id not in placed]
    if not made:
        yield from arranged(front, fleet)
    for ship in free:
        yield from joining(front, made, ship)
    for name, ships in made:
        yield from leaving(front, made, name, ships)
    if fleet and not any(ship.intact for ship in fleet):
        yield Closed("squadron", "no ship here is intact", "EN-SQD-4")


def formed(front: Front) -> Squadrons:
    return [(name, front.units(ships)) for name, ships in front.plan.squadrons if ships]


def stands(front: Front, squadrons: Squadrons) -> bool:
    """EN-VAL-21, 22, 23, 25: every squadron is legal, and the Flagship commands them all."""
    legal = all(is_legal_squadron(front.table, ships) for _, ships in squadrons)
    everyone = [ship for _, ships in squadrons for ship in ships]
    within = within_cap(front.table, everyone) and len(squadrons) <= len(COLOURS)
    return legal and within and commands_all(front.table, squadrons, front.stations, front.plan.flagship)


def line_of(name: str, ships: Sequence[Unit]) -> str:
    return f"squadron {name} = {', '.join(ship.name for ship in ships)}"


def note_of(front: Front, ships: Sequence[Unit]) -> str:
    rating = max((command_rating(front.table, ship) for ship in ships), default=0)
    return f"{total_cc(front.table, ships)} of {rating} CC"


def new_name(front: Front, made: Squadrons, skip: int = 0) -> str:
    taken = {name.casefold() for name, _ in made} | {unit.name.casefold() for unit in front.table.of(front.desk.side)}
    return [colour for colour in COLOURS if colour.casefold() not in taken][skip]


def arranged(front: Front, fleet: Sequence[Unit]) -> Wares:
    """EN-SQD-8: the squadrons that silence would give, by names that missions can be given to."""
    squadrons, _ = arrange_automatically(front.table, front.plan, fleet, None)
    named = [(new_name(front, [], number), ships) for number, (_, ships) in enumerate(squadrons[: len(COLOURS) - 4])]
    if named and stands(front, named):
        lines = tuple(line_of(name, ships) for name, ships in named)
        notes = "; ".join(f"{name} {note_of(front, ships)}" for name, ships in named)
        yield Choice("squadron", "all as the rules would arrange them", lines, note=notes)


def joining(front: Front, made: Squadrons, ship: Unit) -> Wares:
    for name, ships in made:
        larger = [(other, [*crew, ship] if other == name else crew) for other, crew in made]
        if stands(front, larger):
            switch = Switch(front.desk, "squadron", squadron_lines(front, name))
            text = line_of(name, [*ships, ship])
            yield switch.to(f"{ship.name} joins {name}", text, note=note_of(front, [*ships, ship]))
    alone = (new_name(front, made), [ship])
    if stands(front, [*made, alone]):
        label = f"{ship.name} forms {alone[0]}"
        yield Switch(front.desk, "squadron", ()).to(label, line_of(*alone), note=note_of(front, [ship]))


def leaving(front: Front, made: Squadrons, name: str, ships: Sequence[Unit]) -> Wares:
    """A ship that a ``guard`` line speaks of stays."""
    if any(steps.squadron.casefold() == name.casefold() for steps in front.plan.steps):
        return
    for ship in ships if len(ships) > 1 else ():
        rest = [other for other in ships if other is not ship]
        if stands(front, [(other, rest if other == name else crew) for other, crew in made]):
            switch = Switch(front.desk, "squadron", squadron_lines(front, name))
            yield switch.to(f"{ship.name} leaves {name}", line_of(name, rest), note=note_of(front, rest))


def squadron_lines(front: Front, name: str) -> list[Entry]:
    return [entry for entry in front.of("squadrons") if entry.order.value[0] == name]


def flagships(front: Front) -> Wares:
    """EN-VAL-21, 22: an intact ship or Station that would command all that is formed."""
    made, switch = formed(front), Switch(front.desk, "flagship", front.of("flagship"))
    for unit in front.here:
        if not unit.intact or not front.table.ship_or_station(unit):
            continue
        if may_command(front, unit, made):
            note = f"CR {command_rating(front.table, unit)}"
            yield switch.to(unit.name, f"flagship {unit.name}", front.order("flagship", unit.id), note=note)
    if made:
        yield Closed("flagship", "only a ship of a squadron, or a Station ordered in, can command", "EN-SQD-1")


def may_command(front: Front, unit: Unit, made: Squadrons) -> bool:
    if made:
        return commands_all(front.table, made, front.stations, unit.id)
    ships = any(front.table.is_ship(own) for own in front.here)
    alone = not ships or front.place.where == "ground"
    return front.table.is_ship(unit) or alone or unit.id in front.plan.station


# --- missions and ratings --------------------------------------------------------------------------------------------


def missions(front: Front, unit: Unit) -> Wares:
    """EN-MIS-1: what a ship, base or flight does in the battle, in all rounds or in one; EN-DR-6: whom it disrupts."""
    if front.table.is_troop(unit):
        yield Closed("mission", f"{unit.name} is a troop: missions are for ships, bases and flights", "EN-MIS-1")
        return
    able = allowed_missions(combatant(front.table, unit), fire_control=front.table.switches.fire_control)
    if not able:
        yield Closed("mission", f"{unit.name} is crippled: a crippled unit has no mission", "EN-GEN-3")
        return
    yield from mission_lines(front, able, number=unit.id)
    if DISRUPT in able:
        yield from lowering(front, number=unit.id)


def squadron_offers(front: Front, name: str) -> Wares:
    """Missions of a whole squadron, and how its screen and disruption are divided."""
    switch = front.table.switches.fire_control
    able = [word for word in EFFECTS if word != FIRECONTROL or switch]
    yield from mission_lines(front, able, squadron=name)
    yield from guarding(front, name)
    yield from lowering(front, squadron=name)


def mission_lines(front: Front, able: Sequence[str], number: int | None = None, squadron: str = "") -> Wares:
    for turn in (None, *range(1, front.table.switches.max_rounds + 1)):
        group, start = ("mission", "mission") if turn is None else ("round", f"round {turn} mission")
        old = [entry for entry in front.of("missions") if told_to(entry, number, squadron, turn)]
        switch = Switch(front.desk, group, old)
        for word in able:
            for target in DISRUPTED if word == DISRUPT else ("",):
                order = front.order("missions", MissionLine(word, number, squadron, turn, target))
                text = " ".join(part for part in (start, word, target) if part)
                yield switch.to(text.removeprefix("mission "), text, order, note=EFFECTS[word])


def told_to(entry: Entry, number: int | None, squadron: str, turn: int | None) -> bool:
    order: MissionLine | StepsLine = entry.order.value
    return (order.unit, order.squadron.casefold(), order.round) == (number, squadron.casefold(), turn)


def guarding(front: Front, squadron: str) -> Wares:
    """EN-DR-5, EN-VAL-33: steps of the screen for a unit of the squadron."""
    members = next((ships for name, ships in formed(front) if name == squadron), [])
    ids = {ship.id for ship in members}
    cover = [*members, *(unit for unit in front.here if unit.carrier in ids and front.table.is_flight(unit))]
    old = [entry for entry in front.of("steps") if told_to(entry, None, squadron, None) and is_way(entry, "guard")]
    for unit in cover:
        yield Switch(front.desk, "guard", old).to(
            f"guard {unit.name}", f"guard {unit.name} {{}}", note="steps of the screen; silence: round robin",
            fill=Number(1, tables().rating.most_steps, 1),
        )  # fmt: skip


def lowering(front: Front, number: int | None = None, squadron: str = "") -> Wares:
    old = [entry for entry in front.of("steps") if told_to(entry, number, squadron, None) and is_way(entry, "lower")]
    for word in (*AIMS, *front.named):
        yield Switch(front.desk, "lower", old).to(
            f"lower {word}", f"lower {word} {{}}", note="steps of the disruption; silence: round robin",
            fill=Number(1, tables().rating.most_steps, 1),
        )  # fmt: skip


def is_way(entry: Entry, way: str) -> bool:
    steps: StepsLine = entry.order.value
    return steps.way == way
