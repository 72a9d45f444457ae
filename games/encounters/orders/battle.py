"""Reading battle and ground letters (rule book 6.2, 6.3): whom a line concerns, and orders the power gives."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from games.encounters import plans as said
from games.encounters.orders.headers import EMPIRE, Place, place_of, split_explicit
from games.encounters.orders.words import (
    IGNORED,
    YES_NO,
    Speaker,
    listed,
    number,
    one_of,
    retreat_word,
    wrong_place,
)  # fmt: skip
from games.encounters.plans import BattleOrder, Forcing
from games.encounters.rules.board import Board
from games.encounters.rules.damage import ABSORB
from games.encounters.rules.ground import can_land, landed_troops
from games.encounters.state import Unit
from pbem.kit.sheet import BadOrder, Line, Problem, match_name

STATS = ("cen", "mor", "prod")
Reader = Callable[[Line, str], Sequence[Any]]


class BattleReader(Speaker):
    """Reads one power's lines for the battles of a phase; squadrons and missions are read by its subclass."""

    def __init__(self, board: Board, power: str, phase: str, places: Sequence[Place]) -> None:
        super().__init__(board, power)
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
            "fight": self.fight, "decline": self.decline, "reserve": self.reserve, "station": self.station,
            "hold": self.hold, "exclude": self.exclude, "include": self.include, "direct": self.read_direct,
            "absorb": self.absorb, "rounds": self.rounds, "retreat": self.retreat, "pursue": self.pursue,
            "invade": self.invade, "assault": self.assault, "no attack": self.no_attack, "orbital": self.orbital,
            "exclude own": self.exclude_own, "bombard": self.bombard, "doctrine": self.set_doctrine,
        }  # fmt: skip

    # --- whom a line concerns ----------------------------------------------------------------------------------------

    def sole_place(self) -> Place | None:
        return self.places[0] if len(self.places) == 1 else None

    def subject(self, line: Line) -> tuple[Place, Unit | None, str]:
        """The battle of a line, and the unit or the squadron it stands under."""
        systems = sorted(self.board.systems)
        place = place_of(line.unit, systems)
        if place is not None:
            return self.checked(place), None, ""
        if line.unit == EMPIRE or (self.power, line.unit) in self.board.fleets:
            return self.checked(self.sole_place()), None, ""
        name, explicit = split_explicit(line.unit, systems)
        unit = next((one for one in self.board.of(self.power) if one.name == name), None)
        if unit is None:
            if name in self.unformed:
                self.strangers.setdefault(name, line)
            return self.checked(explicit or self.place_of_squadron(name)), None, name
        natural = Place("battle" if self.phase == "battle" else "ground", unit.location)
        place = self.checked(explicit or natural)
        if unit.location != place.system:
            reason = f"{unit.name} is at {unit.location}, not at {place.system}"
            raise BadOrder("EN-VAL-38", reason, f"name a unit at {place.system}", IGNORED)
        return place, unit, ""

    def place_of_squadron(self, name: str) -> Place | None:
        """The battle in which a squadron of this name was formed; else the only one there is."""
        formed = [place for place, made in self.squadrons.items() if match_name(name, made)]
        return formed[0] if len(formed) == 1 else self.sole_place()

    def checked(self, place: Place | None) -> Place:
        """EN-VAL-4: the line must belong to a battle of this power."""
        names = ", ".join(f"{one.header}:" for one in self.places) or "none"
        if place is None:
            raise wrong_place("the line does not say which battle it means", f"put it under one of {names}")
        foreseen = self.phase == "battle" and place.where == "ground" and self.power in self.board.present(place.system)
        if place not in self.places and not foreseen:
            raise wrong_place(f"{place.header}: there is no such battle of yours in this phase", f"yours: {names}")
        self.here = place
        return place

    def detection(self) -> str:
        """EN-VAL-28: the detection level of the battle the line belongs to."""
        encounter = self.board.encounters.get(self.here.system) if self.here else None
        mine = encounter.bloc_of(self.power) if encounter else None
        levels = [pair.level for pair in encounter.pairs if pair.bloc == mine.lead] if encounter and mine else []
        return f" (detection D{max(levels)})" if levels else ""

    def order(self, place: Place, topic: str, value: Any) -> list[BattleOrder]:
        return [BattleOrder(place.where, place.system, topic, value)]

    def unit_here(self, text: str, place: Place) -> Unit:
        """EN-VAL-38: an own unit in the system of the battle."""
        here = {one.name: one for one in self.board.at(place.system) if one.owner == self.power}
        found = match_name(text, here)
        if found is not None:
            return here[found]
        unit = self.own_unit(text)
        reason = f"{unit.name} is at {unit.location}, not at {place.system}"
        raise BadOrder("EN-VAL-38", reason, f"a unit at {place.system}", IGNORED)

    def only_in(self, place: Place, where: str, line: Line) -> None:
        if place.where != where:
            verb = line.text.split()[0]
            raise wrong_place(
                f"'{verb}' under {place.header}", f"it belongs under {where.capitalize()} {place.system}:"
            )

    # --- orders of the power -----------------------------------------------------------------------------------------

    def fight(self, line: Line, rest: str) -> Sequence[Any]:
        place = self.subject(line)[0]
        self.only_in(place, "battle", line)
        if rest.casefold() == "all":
            return self.order(place, "fight", ("all",))
        return self.order(place, "fight", tuple(self.each(line, rest, self.other_power)))

    def decline(self, line: Line, rest: str) -> Sequence[Any]:
        nothing_behind(rest, "decline")
        place = self.subject(line)[0]
        self.only_in(place, "battle", line)
        return self.order(place, "fight", ())

    def kind_list(self, line: Line, rest: str, topic: str, fits: Callable[[Unit], bool], kinds: str) -> Sequence[Any]:
        """EN-VAL-38: a list of own units of one kind in the system."""
        place = self.subject(line)[0]

        def one(text: str) -> int:
            unit = self.unit_here(text, place)
            if not fits(unit):
                raise BadOrder("EN-VAL-38", f"{unit.name} cannot be named here", f"{topic} is for {kinds}", IGNORED)
            return unit.id

        found = tuple(self.each(line, rest, one))
        if topic == "station":
            self.stations.setdefault(place, []).extend(found)
        return self.order(place, topic, found)

    def reserve(self, line: Line, rest: str) -> Sequence[Any]:
        return self.kind_list(line, rest, "reserve", self.board.is_ship, "ships")

    def station(self, line: Line, rest: str) -> Sequence[Any]:
        return self.kind_list(line, rest, "station", self.board.is_station, "Stations")

    def hold(self, line: Line, rest: str) -> Sequence[Any]:
        return self.kind_list(line, rest, "hold", self.board.is_flight, "flights")

    def exclude(self, line: Line, rest: str) -> Sequence[Any]:
        return self.force(line, rest, "exclude")

    def include(self, line: Line, rest: str) -> Sequence[Any]:
        return self.force(line, rest, "include")

    def force(self, line: Line, rest: str, way: Any) -> Sequence[Any]:
        place = self.subject(line)[0]
        targets = tuple(self.each(line, rest, self.target))
        self.warn_of_budget(line, place)
        return self.order(place, "forcing", Forcing(way, targets))

    def warn_of_budget(self, line: Line, place: Place) -> None:
        """EN-VAL-29: a warning; the order is kept without effect."""
        encounter = self.board.encounters.get(place.system)
        mine = encounter.bloc_of(self.power) if encounter else None
        pairs = [pair for pair in encounter.pairs if mine and pair.bloc == mine.lead] if encounter else []
        if pairs and not any(pair.budget for pair in pairs):
            best = max(pair.total for pair in pairs)
            reason = f"readiness {best} gives a budget of 0 CC"
            hint = "readiness 11 or more gives a budget"
            self.complain(line, BadOrder("EN-VAL-29", reason, hint, "the order is kept without effect"))

    def read_direct(self, line: Line, rest: str) -> Sequence[Any]:
        place = self.subject(line)[0]
        kind, hits = self.direct(line, rest)
        if kind == "troops":
            self.only_in(place, "ground", line)
        return self.order(place, "direct", (kind, hits))

    def absorb(self, line: Line, rest: str) -> Sequence[Any]:
        return self.order(self.subject(line)[0], "absorb", one_of(rest, tuple(ABSORB)))

    def rounds(self, line: Line, rest: str) -> Sequence[Any]:
        return self.order(self.subject(line)[0], "rounds", self.round_number(rest, "rounds"))

    def round_number(self, text: str, what: str) -> int:
        """EN-VAL-27: 1 to max_rounds."""
        wanted, most = number(text), self.board.switches.max_rounds
        if not 1 <= wanted <= most:
            raise BadOrder("EN-VAL-27", f"{what} {wanted} is outside 1..{most}", f"1 to {most}", IGNORED)
        return wanted

    def retreat(self, line: Line, rest: str) -> Sequence[Any]:
        place = self.subject(line)[0]
        if not rest.casefold().startswith("to "):
            return self.order(place, "retreat", retreat_word(rest))
        goal = self.system(rest[3:])
        near = self.board.neighbours(place.system)
        if goal not in near:
            reason = f"no lane joins {place.system} and {goal}"
            raise BadOrder("EN-VAL-35", reason, f"neighbours: {', '.join(near)}", IGNORED)
        return self.order(place, "retreat_to", goal)

    def pursue(self, line: Line, rest: str) -> Sequence[Any]:
        return self.order(self.subject(line)[0], "pursue", one_of(rest, YES_NO))

    def set_doctrine(self, line: Line, rest: str) -> Sequence[Any]:
        fleet = line.unit if (self.power, line.unit) in self.board.fleets else ""
        if line.unit != EMPIRE and not fleet:
            raise wrong_place(f"a doctrine under '{line.unit}'", "it belongs under Empire: or a fleet's name")
        topic, value = self.doctrine(line, rest)
        return [said.SetDoctrine(fleet, topic, value)]

    # --- the ground --------------------------------------------------------------------------------------------------

    def start(self, line: Line, word: str) -> Sequence[Any]:
        place = self.subject(line)[0]
        self.only_in(place, "ground", line)
        if self.phase == "ground":
            self.check_troops(place, word)
        return self.order(place, "start", word)

    def check_troops(self, place: Place, word: str) -> None:
        """EN-VAL-30: ``invade`` needs troops aboard or landed, ``assault`` landed ones."""
        mine = [unit for unit in self.board.at(place.system) if unit.owner == self.power and self.board.is_troop(unit)]
        landed = landed_troops(self.board, place.system, (self.power,))
        if word == "assault" and not landed:
            raise BadOrder("EN-VAL-30", f"no troops of yours are landed at {place.system}", "invade", IGNORED)
        if word == "invade" and not landed and not any(can_land(self.board, unit) for unit in mine):
            reason = f"no troops of yours at {place.system} can land"
            raise BadOrder("EN-VAL-30", reason, "bring troops aboard an intact ship", IGNORED)

    def invade(self, line: Line, rest: str) -> Sequence[Any]:
        nothing_behind(rest, "invade")
        return self.start(line, "invade")

    def assault(self, line: Line, rest: str) -> Sequence[Any]:
        nothing_behind(rest, "assault")
        return self.start(line, "assault")

    def no_attack(self, line: Line, rest: str) -> Sequence[Any]:
        nothing_behind(rest, "no attack")
        return self.start(line, "no attack")

    def orbital(self, line: Line, rest: str) -> Sequence[Any]:
        place = self.subject(line)[0]
        self.only_in(place, "ground", line)
        if self.board.systems[place.system].owner != self.power:
            reason = f"{place.system} is not yours: only its owner may force an orbital battle"
            raise BadOrder("EN-VAL-30", reason, "leave it out", IGNORED)
        return self.order(place, "orbital", one_of(rest, YES_NO))

    def exclude_own(self, line: Line, rest: str) -> Sequence[Any]:
        """EN-VAL-32, 38: flights and troops aboard may be left out."""
        place = self.subject(line)[0]
        self.only_in(place, "ground", line)

        def one(text: str) -> int:
            unit = self.unit_here(text, place)
            if unit.landed:
                raise BadOrder("EN-VAL-32", f"{unit.name} is landed: landed troops always fight", "", IGNORED)
            if not (self.board.is_troop(unit) or self.board.is_flight(unit)):
                raise BadOrder("EN-VAL-38", f"{unit.name} is neither flight nor troop", "flights, troops", IGNORED)
            return unit.id

        return self.order(place, "exclude_own", tuple(self.each(line, rest, one)))

    def bombard(self, line: Line, rest: str) -> Sequence[Any]:
        """EN-VAL-31: one use of bombardment a system, and no strike on the own bloc."""
        place = self.subject(line)[0]
        self.only_in(place, "ground", line)
        word, _, listing = rest.partition(" ")
        use = one_of(word, ("none", "support", "strike"))
        stats = tuple(one_of(stat, STATS) for stat in listed(listing)) if use == "strike" else ()
        owner = self.board.systems[place.system].owner
        if use == "strike" and owner is not None and self.board.same_bloc(self.power, owner):
            reason = f"{place.system} belongs to your own bloc: no strike"
            raise BadOrder("EN-VAL-31", reason, "bombard support", f"{self.bombarded.get(place, 'support')} stands")
        standing = self.bombarded.get(place)
        if standing is not None and standing != use:
            reason = f"bombardment at {place.system} is used once a turn; {standing} stands"
            raise BadOrder("EN-VAL-31", reason, f"bombard {standing}", f"bombard {standing} stands")
        self.bombarded[place] = use
        return self.order(place, "bombard", (use, stats))


def nothing_behind(rest: str, verb: str) -> None:
    if rest:
        raise BadOrder("EN-VAL-1", f"'{rest}' behind {verb} is not understood", verb, IGNORED)


def problem(line: Line, error: BadOrder) -> Problem:
    return Problem(line.number, line.text, error.rule, error.reason, error.hint, error.instead, line.unit)
