"""Reading battle and ground letters (rule book 6.2, 6.3): whom a line concerns, and orders the power gives."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, get_args

from games.encounters.orders import words
from games.encounters.orders.headers import EMPIRE, Place, place_of, split_explicit
from games.encounters.orders.records import BattleOrder, Forcing, Order, Way, Where
from games.encounters.orders.words import IGNORED, YES_NO, Orders, Reader, Speaker
from games.encounters.rules.damage import ABSORB
from games.encounters.rules.ground import can_land, landed_troops
from games.encounters.state import Unit
from games.encounters.table import Table
from pbem.kit.judging import Judge
from pbem.kit.sheet import BadOrder, Line, match_name

STATS = ("cen", "mor", "prod")


class BattleReader(Speaker):
    """Reads one power's lines for the battles of a phase; squadrons and missions are read by its subclass."""

    def __init__(self, table: Table, power: str, judge: Judge[Order], phase: str, places: Sequence[Place]) -> None:
        super().__init__(table, power, judge)
        self.phase = phase
        self.places = list(places)
        self.here: Place | None = None
        self.squadrons: dict[Place, dict[str, tuple[int, ...]]] = {}
        self.lines: dict[tuple[Place, str], Line] = {}
        self.flagships: dict[Place, int] = {}
        self.stations: dict[Place, list[int]] = {}
        self.bombarded: dict[Place, str] = {}
        self.unformed: frozenset[str] = frozenset()
        self.strangers: dict[str, Line] = {}
        """Squadrons this letter speaks to but does not form, with the first line that does so."""
        self.verbs: dict[str, Reader] = {
            "fight": self.fight, "decline": self.decline, "direct": self.read_direct, "rounds": self.rounds,
            "retreat": self.retreat, "orbital": self.orbital, "exclude own": self.exclude_own,
            "bombard": self.bombard, "doctrine": self.set_doctrine,
            "reserve": partial(self.kind_list, "reserve", table.is_ship, "ships"),
            "station": partial(self.kind_list, "station", table.is_station, "Stations"),
            "hold": partial(self.kind_list, "hold", table.is_flight, "flights"),
            "absorb": partial(self.choice, "absorb", tuple(ABSORB)), "pursue": partial(self.choice, "pursue", YES_NO),
        }  # fmt: skip
        for way in get_args(Way):
            self.verbs[way] = partial(self.force, way)
        for word in ("invade", "assault", "no attack"):
            self.verbs[word] = partial(self.start, word)

    # --- whom a line concerns ----------------------------------------------------------------------------------------

    def sole_place(self) -> Place | None:
        return self.places[0] if len(self.places) == 1 else None

    def subject(self, line: Line) -> tuple[Place, Unit | None, str]:
        """The battle of a line, and the unit or the squadron it stands under."""
        systems = sorted(self.table.systems)
        place = place_of(line.unit, systems)
        if place is not None:
            return self.checked(place), None, ""
        if line.unit == EMPIRE or self.is_fleet(line.unit):
            return self.checked(self.sole_place()), None, ""
        name, explicit = split_explicit(line.unit, systems)
        unit = next((unit for unit in self.table.of(self.power) if unit.name == name), None)
        if unit is None:
            if name in self.unformed:
                self.strangers.setdefault(name, line)
            return self.checked(explicit or self.place_of_squadron(name)), None, name
        place = self.checked(explicit or self.natural_place(unit))
        if unit.location != place.system:
            raise elsewhere(unit, place, f"name a unit at {place.system}")
        return place, unit, ""

    def place(self, line: Line) -> Place:
        """The battle of a line that orders the whole power."""
        return self.subject(line)[0]

    def natural_place(self, unit: Unit) -> Place:
        return Place("battle" if self.phase == "battle" else "ground", unit.location)

    def place_of_squadron(self, name: str) -> Place | None:
        """The battle in which a squadron of this name was formed; else the only one there is."""
        formed = [place for place, made in self.squadrons.items() if match_name(name, made)]
        return formed[0] if len(formed) == 1 else self.sole_place()

    def checked(self, place: Place | None) -> Place:
        """EN-VAL-4: the line must belong to a battle of this power."""
        names = ", ".join(f"{mine.header}:" for mine in self.places) or "none"
        if place is None:
            raise words.wrong_place("the line does not say which battle it means", f"put it under one of {names}")
        foreseen = self.phase == "battle" and place.where == "ground" and self.power in self.table.present(place.system)
        if place not in self.places and not foreseen:
            reason = f"{place.header}: there is no such battle of yours in this phase"
            raise words.wrong_place(reason, f"yours: {names}")
        self.here = place
        return place

    def detection(self) -> str:
        """EN-VAL-28: the detection level of the battle the line belongs to."""
        pairs = self.table.readiness(self.here.system, self.power) if self.here else []
        levels = [pair.level for pair in pairs]
        return f" (detection D{max(levels)})" if levels else ""

    def order(self, place: Place, topic: str, value: Any) -> list[BattleOrder]:
        return [BattleOrder(place.where, place.system, topic, value)]

    def unit_here(self, text: str, place: Place) -> Unit:
        """EN-VAL-38: an own unit in the system of the battle."""
        here = {unit.name: unit for unit in self.own_at(place)}
        name = match_name(text, here)
        if name is not None:
            return here[name]
        raise elsewhere(self.own_unit(text), place, f"a unit at {place.system}")

    def own_at(self, place: Place) -> list[Unit]:
        return [unit for unit in self.table.at(place.system) if unit.owner == self.power]

    def place_on(self, where: Where, line: Line) -> Place:
        """EN-VAL-4: the battle, or ground battle, of a line that has no meaning in the other."""
        place = self.place(line)
        if place.where != where:
            belongs = f"it belongs under {Place(where, place.system).header}:"
            raise words.wrong_place(f"'{line.text.split()[0]}' under {place.header}", belongs)
        return place

    # --- orders of the power -----------------------------------------------------------------------------------------

    def fight(self, line: Line, rest: str) -> Orders:
        place = self.place_on("battle", line)
        if rest.casefold() == "all":
            return self.order(place, "fight", ("all",))
        return self.order(place, "fight", tuple(self.each(line, rest, self.other_power)))

    def decline(self, line: Line, rest: str) -> Orders:
        words.nothing_behind(rest, "decline")
        place = self.place_on("battle", line)
        return self.order(place, "fight", ())

    def kind_list(self, topic: str, fits: Callable[[Unit], bool], kinds: str, line: Line, rest: str) -> Orders:
        """EN-VAL-38: a list of own units of one kind in the system."""
        place = self.place(line)

        def fitting(text: str) -> int:
            unit = self.unit_here(text, place)
            if not fits(unit):
                raise BadOrder("EN-VAL-38", f"{unit.name} cannot be named here", f"{topic} is for {kinds}", IGNORED)
            return unit.id

        numbers = tuple(self.each(line, rest, fitting))
        if topic == "station":
            self.stations.setdefault(place, []).extend(numbers)
        return self.order(place, topic, numbers)

    def force(self, way: Way, line: Line, rest: str) -> Orders:
        place = self.place(line)
        targets = tuple(self.each(line, rest, self.target))
        self.warn_of_budget(line, place)
        return self.order(place, "forcing", Forcing(way, targets))

    def warn_of_budget(self, line: Line, place: Place) -> None:
        """EN-VAL-29: a warning; the order is kept without effect."""
        pairs = self.table.readiness(place.system, self.power)
        if pairs and not any(pair.budget for pair in pairs):
            reason = f"readiness {max(pair.total for pair in pairs)} gives a budget of 0 CC"
            hint = "readiness 11 or more gives a budget"
            self.judge.warn(line, "EN-VAL-29", reason, hint, "the order is kept without effect")

    def read_direct(self, line: Line, rest: str) -> Orders:
        place = self.place(line)
        kind, hits = self.direct(line, rest)
        if kind == "troops":
            self.place_on("ground", line)
        return self.order(place, "direct", (kind, hits))

    def choice(self, topic: str, choices: Sequence[str], line: Line, rest: str) -> Orders:
        """One of a few words."""
        return self.order(self.place(line), topic, words.one_of(rest, choices))

    def rounds(self, line: Line, rest: str) -> Orders:
        return self.order(self.place(line), "rounds", self.round_number(rest, "rounds"))

    def round_number(self, text: str, what: str) -> int:
        """EN-VAL-27: 1 to max_rounds."""
        wanted, most = words.number(text), self.table.switches.max_rounds
        if not 1 <= wanted <= most:
            raise BadOrder("EN-VAL-27", f"{what} {wanted} is outside 1..{most}", f"1 to {most}", IGNORED)
        return wanted

    def retreat(self, line: Line, rest: str) -> Orders:
        place = self.place(line)
        if not rest.casefold().startswith("to "):
            return self.order(place, "retreat", words.retreat_word(rest))
        goal = self.system(rest[3:])
        near = self.table.neighbours(place.system)
        if goal not in near:
            reason = f"no lane joins {place.system} and {goal}"
            raise BadOrder("EN-VAL-35", reason, f"neighbours: {', '.join(near)}", IGNORED)
        return self.order(place, "retreat_to", goal)

    # --- the ground --------------------------------------------------------------------------------------------------

    def start(self, word: str, line: Line, rest: str) -> Orders:
        words.nothing_behind(rest, word)
        place = self.place_on("ground", line)
        if self.phase == "ground":
            self.check_troops(place, word)
        return self.order(place, "start", word)

    def check_troops(self, place: Place, word: str) -> None:
        """EN-VAL-30: ``invade`` needs troops aboard or landed, ``assault`` landed ones."""
        mine = self.own_at(place)
        landed = landed_troops(self.table, place.system, (self.power,))
        if word == "assault" and not landed:
            raise BadOrder("EN-VAL-30", f"no troops of yours are landed at {place.system}", "invade", IGNORED)
        if word == "invade" and not landed and not any(can_land(self.table, unit) for unit in mine):
            reason = f"no troops of yours at {place.system} can land"
            raise BadOrder("EN-VAL-30", reason, "bring troops aboard an intact ship", IGNORED)

    def orbital(self, line: Line, rest: str) -> Orders:
        place = self.place_on("ground", line)
        if self.table.systems[place.system].owner != self.power:
            reason = f"{place.system} is not yours: only its owner may force an orbital battle"
            raise BadOrder("EN-VAL-30", reason, "leave it out", IGNORED)
        return self.order(place, "orbital", words.one_of(rest, YES_NO))

    def exclude_own(self, line: Line, rest: str) -> Orders:
        """EN-VAL-32, 38: flights and troops aboard may be left out."""
        place = self.place_on("ground", line)

        def left_out(text: str) -> int:
            unit = self.unit_here(text, place)
            if unit.landed:
                raise BadOrder("EN-VAL-32", f"{unit.name} is landed: landed troops always fight", "", IGNORED)
            if not (self.table.is_troop(unit) or self.table.is_flight(unit)):
                raise BadOrder("EN-VAL-38", f"{unit.name} is neither flight nor troop", "flights, troops", IGNORED)
            return unit.id

        return self.order(place, "exclude_own", tuple(self.each(line, rest, left_out)))

    def bombard(self, line: Line, rest: str) -> Orders:
        """EN-VAL-31: one use of bombardment a system, and no strike on the own bloc."""
        place = self.place_on("ground", line)
        word, _, listing = rest.partition(" ")
        use = words.one_of(word, ("none", "support", "strike"))
        stats = tuple(words.one_of(stat, STATS) for stat in words.listed(listing)) if use == "strike" else ()
        owner = self.table.systems[place.system].owner
        standing = self.bombarded.get(place)
        if use == "strike" and owner is not None and self.table.same_bloc(self.power, owner):
            reason = f"{place.system} belongs to your own bloc: no strike"
            raise BadOrder("EN-VAL-31", reason, "bombard support", f"{standing or 'support'} stands")
        if standing is not None and standing != use:
            reason = f"bombardment at {place.system} is used once a turn; {standing} stands"
            raise BadOrder("EN-VAL-31", reason, f"bombard {standing}", f"bombard {standing} stands")
        self.bombarded[place] = use
        return self.order(place, "bombard", (use, stats))


def elsewhere(unit: Unit, place: Place, hint: str) -> BadOrder:
    """EN-VAL-38: an own unit in another system than that of the battle."""
    return BadOrder("EN-VAL-38", f"{unit.name} is at {unit.location}, not at {place.system}", hint, IGNORED)
