"""Reading squadrons, Flagship, missions and ratings (rule book 6.2), with the limits of EN-SQD."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Literal

from games.encounters.data import PATHS
from games.encounters.orders.battle import BattleReader, problem
from games.encounters.orders.headers import Place
from games.encounters.orders.words import IGNORED, listed, match_exactly, one_of, wrong_place
from games.encounters.plans import BattlePlan, MissionLine, Steps, StepsLine, Target, read_target
from games.encounters.rules.board import Board
from games.encounters.rules.missions import DISRUPT, FIRECONTROL, allowed_missions
from games.encounters.rules.names import FREE_SQUADRONS, KEYWORDS, LONGEST_NAME, SELECTORS
from games.encounters.rules.squadrons import (
    CAP_PER_CP,
    choose_flagship,
    combatant,
    command_rating,
    total_cc,
    trimmed,
    within_cap,
    within_number,
)  # fmt: skip
from games.encounters.state import Unit
from games.encounters.tables import tables
from pbem.kit.sheet import BadOrder, Line, Problem, match_name

MISSION_WORDS = {
    "engage": "engage", "screen": "screen", "screening": "screen", "disrupt": "disrupt", "disruption": "disrupt",
    "suppress": "disrupt", "suppression": "disrupt", "firecontrol": "firecontrol", "fire control": "firecontrol",
    "disengage": "disengage",
}  # fmt: skip
_ROUND = re.compile(r"(-?\d+)\s+(.+)")
_STEPS = re.compile(r"(.+?)\s+(-?\d+)")


class SquadronReader(BattleReader):
    """The whole language of the battle and ground phases."""

    def __init__(self, board: Board, power: str, phase: str, places: Sequence[Place]) -> None:
        super().__init__(board, power, phase, places)
        self.verbs |= {
            "flagship": self.flagship, "squadron": self.squadron, "mission": self.mission, "round": self.in_round,
            "guard": self.guard, "lower": self.lower,
        }  # fmt: skip
        for word in MISSION_WORDS:
            self.verbs[word] = self._bare_mission(word)

    def _bare_mission(self, word: str) -> Any:
        """6.6: ``mission`` may be omitted after a unit header."""

        def read(line: Line, rest: str) -> Sequence[Any]:
            return self.mission(line, f"{word} {rest}".strip())

        return read

    # --- squadrons ---------------------------------------------------------------------------------------------------

    def squadron(self, line: Line, rest: str) -> Sequence[Any]:
        """EN-VAL-23, 24, 25, 37: form a squadron, or form it anew."""
        place = self.subject(line)[0]
        name, equals, names = rest.partition("=")
        name = " ".join(name.split())
        if not equals or not name:
            raise BadOrder("EN-VAL-1", f"'{line.text}' is not understood", "squadron Red = Hood, Ajax", IGNORED)
        self.check_squadron_name(name)
        made = self.squadrons.setdefault(place, {})
        name = match_name(name, made) or name
        others = {number: other for other, ships in made.items() if other != name for number in ships}
        ships = self.each(line, names, lambda text: self._member(text, place, others))
        ships = list(dict.fromkeys(ships))
        kept = self._within_rating(line, name, [self.board.units[number] for number in ships])
        kept = self._within_cap(line, name, kept, [self.board.units[number] for number in others])
        made.pop(name, None)  # formed anew, it stands where its last line stands
        made[name] = tuple(unit.id for unit in kept)
        self.lines[place, name] = line
        return self.order(place, "squadrons", (name, made[name]))

    def check_squadron_name(self, name: str) -> None:
        words = {word.casefold() for word in (*KEYWORDS, *SELECTORS, *FREE_SQUADRONS)}
        taken = {unit.name.casefold() for unit in self.board.of(self.power)}
        if len(name) > LONGEST_NAME or name.casefold() in words or name.casefold() in taken:
            reason = f"'{name}' is a keyword, a reserved squadron or a name in use, or longer than {LONGEST_NAME}"
            raise BadOrder("EN-VAL-37", reason, f"{name[:20]} Squadron", IGNORED)

    def _member(self, text: str, place: Place, others: dict[int, str]) -> int:
        """EN-VAL-24: ships only, each in one squadron."""
        unit = self.unit_here(text, place)
        if not self.board.is_ship(unit):
            kind = self.board.design(unit).category
            raise BadOrder("EN-VAL-24", f"{unit.name} is a {kind} and cannot be in a squadron", "ships only", IGNORED)
        if unit.id in others:
            reason = f"{unit.name} is already in {others[unit.id]}, which keeps it"
            raise BadOrder("EN-VAL-24", reason, f"squadron {others[unit.id]}", IGNORED)
        return unit.id

    def _within_rating(self, line: Line, name: str, ships: list[Unit]) -> list[Unit]:
        """EN-VAL-23: the last-named ship is dropped until the squadron is legal; it stands so."""
        kept = trimmed(self.board, ships)
        if len(kept) == len(ships):
            return ships
        rating = max(command_rating(self.board, ship) for ship in ships)
        dropped = ", ".join(ship.name for ship in ships[len(kept) :])
        if not rating:
            reason = f"{name} has no intact ship (EN-SQD-4)"
            raise BadOrder("EN-VAL-23", reason, "add an intact ship", IGNORED)
        reason = f"{name} has {total_cc(self.board, ships)} CC, its highest CR is {rating}; dropped: {dropped}"
        if not kept:
            raise BadOrder("EN-VAL-23", reason, f"at most {rating} CC", IGNORED)
        stands = f"{name} stands as {', '.join(ship.name for ship in kept)}"
        self.complain(line, BadOrder("EN-VAL-23", reason, f"at most {rating} CC", stands))
        return kept

    def _within_cap(self, line: Line, name: str, ships: list[Unit], others: list[Unit]) -> list[Unit]:
        """EN-VAL-25: with the switch on, the last-named ships are dropped until the cap is kept."""
        kept = list(ships)
        while kept and not within_cap(self.board, [*others, *kept]):
            kept.pop()
        if len(kept) == len(ships):
            return ships
        cap = CAP_PER_CP * max(self.board.design(ship).CP for ship in (*others, *ships))
        dropped = ", ".join(ship.name for ship in ships[len(kept) :])
        reason = f"{total_cc(self.board, [*others, *ships])} CC placed, the cap is {cap}; dropped: {dropped}"
        if not kept:
            raise BadOrder("EN-VAL-25", reason, f"at most {cap} CC", IGNORED)
        stands = f"{name} stands as {', '.join(ship.name for ship in kept)}"
        self.complain(line, BadOrder("EN-VAL-25", reason, f"at most {cap} CC", stands))
        return kept

    def flagship(self, line: Line, rest: str) -> Sequence[Any]:
        """EN-VAL-21: an intact ship or Station in the system."""
        place = self.subject(line)[0]
        unit = self.own_unit(rest)
        best = self._best_commander(place)
        if unit.location != place.system or not self.board.ship_or_station(unit) or not unit.intact:
            why = f"is at {unit.location}" if unit.location != place.system else "is no ship or Station"
            why = "is crippled" if unit.location == place.system and not unit.intact else why
            raise BadOrder("EN-VAL-21", f"{unit.name} {why}", f"highest CR: {best}", f"{best} commands")
        self.flagships[place] = unit.id
        self.lines[place, "flagship"] = line
        return self.order(place, "flagship", unit.id)

    def _best_commander(self, place: Place) -> str:
        mine = [one for one in self.board.at(place.system) if one.owner == self.power and self.board.is_ship(one)]
        able = [one for one in mine if one.intact]
        if not able:
            return "none"
        return min(able, key=lambda one: (-command_rating(self.board, one), one.id)).name

    def closing_problems(self) -> list[Problem]:
        """EN-VAL-21, 22: what can only be judged when the whole block has been read."""
        found: list[Problem] = []
        for place, made in self.squadrons.items():
            found.extend(self._judge_number(place, made))
        found.extend(self._judge_station(place) for place in self.flagships if self._commands_from_afar(place))
        for name, line in self.strangers.items():
            formed = [squadron for made in self.squadrons.values() for squadron in made]
            hint = f"squadrons: {', '.join(formed)}" if formed else f"squadron {name} = ..."
            reason = f"no unit or squadron called '{name}' here"
            instead = "it counts only if an earlier letter forms the squadron"
            found.append(problem(line, BadOrder("EN-VAL-2", reason, hint, instead)))
        return found

    def _commands_from_afar(self, place: Place) -> bool:
        """A Station that commands ships in a space battle must be ordered in; auto-arranged ships do not bring it."""
        unit = self.board.units[self.flagships[place]]
        ships = [one for one in self.board.at(place.system) if one.owner == self.power and self.board.is_ship(one)]
        alone = not ships or place.where == "ground" or bool(self.squadrons.get(place))
        return self.board.is_station(unit) and not alone and unit.id not in self.stations.get(place, ())

    def _judge_station(self, place: Place) -> Problem:
        wanted, best = self.board.units[self.flagships[place]].name, self._best_commander(place)
        error = BadOrder("EN-VAL-21", f"{wanted} is not ordered in", f"station {wanted}", f"{best} commands")
        return problem(self.lines[place, "flagship"], error)

    def _judge_number(self, place: Place, made: dict[str, tuple[int, ...]]) -> list[Problem]:
        squadrons = [(name, [self.board.units[number] for number in ships]) for name, ships in made.items() if ships]
        stations = [self.board.units[number] for number in self.stations.get(place, ())]
        plan, found = BattlePlan(flagship=self.flagships.get(place)), []
        flagship = choose_flagship(self.board, plan, squadrons, stations)
        if flagship is None or not squadrons:
            return []
        if plan.flagship is not None and flagship.id != plan.flagship:
            wanted = self.board.units[plan.flagship].name
            reason = f"the Flagship {wanted} is in no squadron"
            error = BadOrder("EN-VAL-21", reason, f"highest CR: {flagship.name}", f"{flagship.name} commands")
            found.append(problem(self.lines[place, "flagship"], error))
        standing = within_number(self.board, squadrons, flagship)
        if len(standing) < len(squadrons):
            rating = command_rating(self.board, flagship)
            reason = f"{len(squadrons)} squadrons, the CR of {flagship.name} is {rating}"
            names = ", ".join(name for name, _ in standing)
            error = BadOrder("EN-VAL-22", reason, f"at most {rating}", f"these stand: {names}")
            found.append(problem(self.lines[place, squadrons[-1][0]], error))
        return found

    # --- missions ----------------------------------------------------------------------------------------------------

    def in_round(self, line: Line, rest: str) -> Sequence[Any]:
        """``round n mission ...``, ``round n guard ...``, ``round n lower ...``."""
        found = _ROUND.fullmatch(rest)
        if not found:
            raise BadOrder("EN-VAL-1", f"'{line.text}' is not understood", "round 2 mission screen", IGNORED)
        turn = self.round_number(found[1], "round")
        verb, _, more = found[2].partition(" ")
        if verb.casefold() in ("guard", "lower"):
            return self.steps(line, "guard" if verb.casefold() == "guard" else "lower", more, turn)
        return self.read_mission(line, more if verb.casefold() == "mission" else found[2], turn)

    def mission(self, line: Line, rest: str) -> Sequence[Any]:
        return self.read_mission(line, rest, None)

    def read_mission(self, line: Line, text: str, turn: int | None) -> Sequence[Any]:
        """EN-VAL-26: a mission for the unit or squadron whose header the line stands under."""
        place, unit, squadron = self.subject(line)
        words = text.split()
        two = " ".join(words[:2]).casefold()
        first = two if two in MISSION_WORDS else (words[0] if words else "")
        mission = MISSION_WORDS[one_of(first, tuple(MISSION_WORDS))]
        rest = " ".join(words[len(first.split()) :])
        if unit is None and not squadron:
            raise wrong_place(f"'{line.text}' under '{line.unit}'", "a mission belongs under a squadron or a unit")
        self._check_mission(mission, unit)
        target = self._squadron_target(rest) if mission == DISRUPT and rest else ""
        if rest and mission != DISRUPT:
            raise BadOrder("EN-VAL-1", f"'{rest}' behind {mission} is not understood", f"mission {mission}", IGNORED)
        made = MissionLine(mission, unit.id if unit else None, self._spelt(place, squadron), turn, target)
        return self.order(place, "missions", made)

    def _spelt(self, place: Place, squadron: str) -> str:
        return match_name(squadron, self.squadrons.get(place, {})) or squadron

    def _check_mission(self, mission: str, unit: Unit | None) -> None:
        """EN-VAL-26: what a unit may not be told to do."""
        switch = self.board.switches.fire_control
        if mission == FIRECONTROL and not switch:
            raise BadOrder("EN-VAL-26", "Fire Control is off in this campaign", "engage, screen, disrupt", IGNORED)
        if unit is None:
            return
        if self.board.is_troop(unit):
            raise wrong_place(f"a mission under '{unit.name}'", "missions are for ships, bases and flights")
        able = allowed_missions(combatant(self.board, unit), fire_control=switch)
        if mission not in able:
            why = "is crippled" if not unit.intact else f"is a {self.board.design(unit).name}"
            hint = f"allowed: {', '.join(able)}" if able else "a crippled unit has no mission"
            raise BadOrder("EN-VAL-26", f"{unit.name} {why} and may not {mission}", hint, "it engages if it can")

    def _squadron_target(self, text: str) -> str:
        """6.5: a number, ``flagship``, or a selector whose first unit's squadron is meant."""
        return text if text.isdigit() else self.target(text).word

    # --- ratings -----------------------------------------------------------------------------------------------------

    def guard(self, line: Line, rest: str) -> Sequence[Any]:
        return self.steps(line, "guard", rest, None)

    def lower(self, line: Line, rest: str) -> Sequence[Any]:
        return self.steps(line, "lower", rest, None)

    def steps(self, line: Line, way: Literal["guard", "lower"], text: str, turn: int | None) -> Sequence[Any]:
        place, unit, squadron = self.subject(line)
        if not squadron and (way == "guard" or unit is None):
            where = "a squadron" if way == "guard" else "a squadron or a unit"
            raise wrong_place(f"'{way}' under '{line.unit}'", f"it belongs under {where}")
        squadron = self._spelt(place, squadron)
        if way == "guard":
            entries = self.each(line, text, lambda item: self._guarded(item, place, squadron))
        else:
            entries = self.each(line, text, self._lowered)
        number = unit.id if unit else None
        return self.order(place, "steps", StepsLine(way, tuple(entries), number, squadron, turn))

    def _lowered(self, text: str) -> Steps:
        word, count = self._split_steps(text, self._known_words())
        return Steps(self.target(word), count)

    def _known_words(self) -> list[str]:
        return list(self.board.powers[self.power].known)

    def _split_steps(self, text: str, names: Sequence[str]) -> tuple[str, int]:
        """A number behind the name is the steps, unless the name itself ends so. EN-VAL-33: 1 to 4."""
        found = _STEPS.fullmatch(text)
        if (
            not found
            or text.casefold() in {name.casefold() for name in names}
            or " x" in f" {found[1]}"[-2:].casefold()
        ):
            return text, 1
        most = tables().rating.most_steps
        if not 1 <= int(found[2]) <= most:
            raise BadOrder("EN-VAL-33", f"{found[2]} steps are outside 1..{most}", f"1 to {most}", IGNORED)
        return found[1], int(found[2])

    def _guarded(self, text: str, place: Place, squadron: str) -> Steps:
        """EN-VAL-33: units of that squadron, 1 to 4 steps."""
        mine = {one.name: one for one in self.board.at(place.system) if one.owner == self.power}
        word, count = self._split_steps(text, list(mine))
        name = match_name(word, mine)
        if name is None:
            return Steps(self._own_target(word, place), count)
        members = self.squadrons.get(place, {}).get(squadron)
        unit = mine[name]
        if members is not None and unit.id not in members and unit.carrier not in members:
            placed = [other for other, ships in self.squadrons[place].items() if unit.id in ships]
            where = f"it is in {placed[0]}" if placed else "it is in none"
            raise BadOrder("EN-VAL-33", f"{unit.name} is not in {squadron}", where, IGNORED)
        return Steps(Target(unit.name), count)

    def _own_target(self, text: str, place: Place) -> Target:
        """6.5 among own units: a selector, a class, a path or an own design. EN-VAL-2, 3, 38 for any other name."""
        target = read_target(text)
        designs = [self.board.design(one).name for one in self.board.at(place.system) if one.owner == self.power]
        words = (*SELECTORS, *self.board.classes(), *PATHS, *designs)
        found = match_exactly(target.word, words)
        return Target(found, target.most) if found else Target(self.unit_here(target.word, place).name)


__all__ = ["SquadronReader", "listed"]
