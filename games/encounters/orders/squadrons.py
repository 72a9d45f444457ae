"""Reading squadrons, Flagship, missions and ratings (rule book 6.2), with the limits of EN-SQD."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Literal

from games.encounters.data import PATHS, tables
from games.encounters.orders.battle import BattleReader
from games.encounters.orders.headers import Place
from games.encounters.orders.plans import read_target
from games.encounters.orders.records import MissionLine, Order, Steps, StepsLine, Target
from games.encounters.orders.words import IGNORED, Misspelt, Orders, match_exactly, one_of, parsed, wrong_place
from games.encounters.rules.missions import DISRUPT, FIRECONTROL, allowed_missions
from games.encounters.rules.names import FREE_SQUADRONS, KEYWORDS, LONGEST_NAME, SELECTORS
from games.encounters.rules.squadrons import CAP_PER_CP, combatant, command_rating, total_cc, trimmed, within_cap
from games.encounters.state import Unit
from games.encounters.table import Table
from pbem.kit.judging import Judge
from pbem.kit.sheet import BadOrder, Line, match_name, nearest

MISSION_WORDS = {
    "engage": "engage", "screen": "screen", "screening": "screen", "disrupt": "disrupt", "disruption": "disrupt",
    "suppress": "disrupt", "suppression": "disrupt", "firecontrol": "firecontrol", "fire control": "firecontrol",
    "disengage": "disengage",
}  # fmt: skip
IN_A_ROUND = ("mission", "guard", "lower")
_SQUADRON = re.compile(r"([^=]*[^=\s])\s*=(.*)")
_ROUND = re.compile(r"(-?\d+)\s+(.+)")
_STEPS = re.compile(r"(.+?)\s+(-?\d+)")


class SquadronReader(BattleReader):
    """The whole language of the battle and ground phases."""

    def __init__(self, table: Table, power: str, judge: Judge[Order], phase: str, places: Sequence[Place]) -> None:
        super().__init__(table, power, judge, phase, places)
        self.verbs |= {
            "flagship": self.flagship, "squadron": self.squadron, "mission": self.mission, "round": self.in_round,
            "guard": partial(self.steps, "guard"), "lower": partial(self.steps, "lower"),
        }  # fmt: skip
        for word in MISSION_WORDS:
            self.verbs[word] = partial(self._bare_mission, word)

    def _bare_mission(self, word: str, line: Line, rest: str) -> Orders:
        """6.6: ``mission`` may be omitted after a unit header."""
        return self.mission(line, f"{word} {rest}".strip())

    # --- squadrons ---------------------------------------------------------------------------------------------------

    def squadron(self, line: Line, rest: str) -> Orders:
        """EN-VAL-23, 24, 25, 37: form a squadron, or form it anew."""
        place = self.place(line)
        match = parsed(_SQUADRON, rest, line, "squadron Red = Hood, Ajax")
        self.check_squadron_name(match[1])
        made = self.squadrons.setdefault(place, {})
        name = match_name(match[1], made) or match[1]
        others = {number: other for other, ships in made.items() if other != name for number in ships}
        ships = dict.fromkeys(self.each(line, match[2], lambda text: self._member(text, place, others)))
        kept = self._within_rating(line, name, [self.table.units[number] for number in ships])
        kept = self._within_cap(line, name, kept, [self.table.units[number] for number in others])
        made.pop(name, None)  # formed anew, it stands where its last line stands
        made[name] = tuple(unit.id for unit in kept)
        self.lines[place, name] = line
        return self.order(place, "squadrons", (name, made[name]))

    def check_squadron_name(self, name: str) -> None:
        words = {word.casefold() for word in (*KEYWORDS, *SELECTORS, *FREE_SQUADRONS)}
        taken = {unit.name.casefold() for unit in self.table.of(self.power)}
        if len(name) > LONGEST_NAME or name.casefold() in words or name.casefold() in taken:
            reason = f"'{name}' is a keyword, a reserved squadron or a name in use, or longer than {LONGEST_NAME}"
            raise BadOrder("EN-VAL-37", reason, f"{name[:20]} Squadron", IGNORED)

    def _member(self, text: str, place: Place, others: dict[int, str]) -> int:
        """EN-VAL-24: ships only, each in one squadron."""
        unit = self.unit_here(text, place)
        if not self.table.is_ship(unit):
            kind = self.table.design(unit).category
            raise BadOrder("EN-VAL-24", f"{unit.name} is a {kind} and cannot be in a squadron", "ships only", IGNORED)
        if unit.id in others:
            reason = f"{unit.name} is already in {others[unit.id]}, which keeps it"
            raise BadOrder("EN-VAL-24", reason, f"squadron {others[unit.id]}", IGNORED)
        return unit.id

    def _within_rating(self, line: Line, name: str, ships: list[Unit]) -> list[Unit]:
        """EN-VAL-23: the last-named ship is dropped until the squadron is legal; it stands so."""
        kept = trimmed(self.table, ships)
        rating = max(command_rating(self.table, ship) for ship in ships)
        if not rating:
            reason = f"{name} has no intact ship (EN-SQD-4)"
            raise BadOrder("EN-VAL-23", reason, "add an intact ship", IGNORED)
        why = f"{name} has {total_cc(self.table, ships)} CC, its highest CR is {rating}"
        return self._without(line, "EN-VAL-23", name, ships, kept, why, rating)

    def _within_cap(self, line: Line, name: str, ships: list[Unit], others: list[Unit]) -> list[Unit]:
        """EN-VAL-25: with the switch on, the last-named ships are dropped until the cap is kept."""
        kept = list(ships)
        while kept and not within_cap(self.table, [*others, *kept]):
            kept.pop()
        cap = CAP_PER_CP * max(self.table.design(ship).CP for ship in (*others, *ships))
        why = f"{total_cc(self.table, [*others, *ships])} CC placed, the cap is {cap}"
        return self._without(line, "EN-VAL-25", name, ships, kept, why, cap)

    def _without(
        self, line: Line, rule: str, name: str, ships: list[Unit], kept: list[Unit], why: str, most: int
    ) -> list[Unit]:
        """What is left of a squadron when ships were dropped from its end, which the player is told."""
        if len(kept) == len(ships):
            return ships
        reason = f"{why}; dropped: {', '.join(ship.name for ship in ships[len(kept) :])}"
        if not kept:
            raise BadOrder(rule, reason, f"at most {most} CC", IGNORED)
        stands = f"{name} stands as {', '.join(ship.name for ship in kept)}"
        fix = f"squadron {name} = {', '.join(ship.name for ship in kept)}"
        self.judge.warn(line, rule, reason, f"at most {most} CC", stands, fix)
        return kept

    def flagship(self, line: Line, rest: str) -> Orders:
        """EN-VAL-21: an intact ship or Station in the system."""
        place = self.place(line)
        unit = self.own_unit(rest)
        best = self.best_commander(place)
        if unit.location != place.system or not self.table.ship_or_station(unit) or not unit.intact:
            why = f"is at {unit.location}" if unit.location != place.system else "is no ship or Station"
            why = "is crippled" if unit.location == place.system and not unit.intact else why
            raise BadOrder("EN-VAL-21", f"{unit.name} {why}", f"highest CR: {best}", f"{best} commands")
        self.flagships[place] = unit.id
        self.lines[place, "flagship"] = line
        return self.order(place, "flagship", unit.id)

    def best_commander(self, place: Place) -> str:
        able = [unit for unit in self.own_at(place) if self.table.is_ship(unit) and unit.intact]
        if not able:
            return "none"
        return min(able, key=lambda unit: (-command_rating(self.table, unit), unit.id)).name

    # --- missions ----------------------------------------------------------------------------------------------------

    def in_round(self, line: Line, rest: str) -> Orders:
        """``round n mission ...``, ``round n guard ...``, ``round n lower ...``."""
        match = parsed(_ROUND, rest, line, "round 2 mission screen")
        turn = self.round_number(match[1], "round")
        verb, _, more = match[2].partition(" ")
        close = nearest(verb, IN_A_ROUND)
        if verb.casefold() not in (*IN_A_ROUND, *MISSION_WORDS, "fire") and close and more:
            raise Misspelt("EN-VAL-1", f"'{verb}' is not understood", close, verb, close)
        if verb.casefold() in ("guard", "lower"):
            return self.steps("guard" if verb.casefold() == "guard" else "lower", line, more, turn)
        return self.mission(line, more if verb.casefold() == "mission" else match[2], turn)

    def mission(self, line: Line, text: str, turn: int | None = None) -> Orders:
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
        # 6.5: a number, ``flagship``, or a selector whose first unit's squadron is meant.
        target = self.target(rest).word if mission == DISRUPT and rest and not rest.isdigit() else rest
        if rest and mission != DISRUPT:
            raise BadOrder("EN-VAL-1", f"'{rest}' behind {mission} is not understood", f"mission {mission}", IGNORED)
        made = MissionLine(mission, unit.id if unit else None, self._spelt(place, squadron), turn, target)
        return self.order(place, "missions", made)

    def _spelt(self, place: Place, squadron: str) -> str:
        return match_name(squadron, self.squadrons.get(place, {})) or squadron

    def _check_mission(self, mission: str, unit: Unit | None) -> None:
        """EN-VAL-26: what a unit may not be told to do."""
        switch = self.table.switches.fire_control
        if mission == FIRECONTROL and not switch:
            raise BadOrder("EN-VAL-26", "Fire Control is off in this campaign", "engage, screen, disrupt", IGNORED)
        if unit is None:
            return
        if self.table.is_troop(unit):
            raise wrong_place(f"a mission under '{unit.name}'", "missions are for ships, bases and flights")
        able = allowed_missions(combatant(self.table, unit), fire_control=switch)
        if mission not in able:
            why = "is crippled" if not unit.intact else f"is a {self.table.design(unit).name}"
            hint = f"allowed: {', '.join(able)}" if able else "a crippled unit has no mission"
            raise BadOrder("EN-VAL-26", f"{unit.name} {why} and may not {mission}", hint, "it engages if it can")

    # --- ratings -----------------------------------------------------------------------------------------------------

    def steps(self, way: Literal["guard", "lower"], line: Line, text: str, turn: int | None = None) -> Orders:
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
        word, count = self._split_steps(text, self.table.powers[self.power].known)
        return Steps(self.target(word), count)

    def _split_steps(self, text: str, names: Iterable[str]) -> tuple[str, int]:
        """A number behind the name is the steps, unless the name itself ends so. EN-VAL-33: 1 to 4."""
        match = _STEPS.fullmatch(text)
        is_name = text.casefold() in {name.casefold() for name in names}
        if match is None or is_name or f" {match[1]}".casefold().endswith(" x"):
            return text, 1
        most = tables().rating.most_steps
        if not 1 <= int(match[2]) <= most:
            raise BadOrder("EN-VAL-33", f"{match[2]} steps are outside 1..{most}", f"1 to {most}", IGNORED)
        return match[1], int(match[2])

    def _guarded(self, text: str, place: Place, squadron: str) -> Steps:
        """EN-VAL-33: units of that squadron, 1 to 4 steps."""
        mine = {unit.name: unit for unit in self.own_at(place)}
        word, count = self._split_steps(text, mine)
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
        designs = [self.table.design(unit).name for unit in self.own_at(place)]
        word = match_exactly(target.word, (*SELECTORS, *self.table.classes(), *PATHS, *designs))
        return Target(word, target.most) if word else Target(self.unit_here(target.word, place).name)
