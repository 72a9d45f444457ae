"""Order text to orders and problems: one reader a verb (rule book, section 6.4), then the checks of section 7."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from games.galleys.orders.plans import (
    STANDS,
    Activate,
    Board,
    Disengage,
    Doctrine,
    Else,
    Fire,
    FlameAt,
    Intent,
    IntentKind,
    Jettison,
    Move,
    MoveVerb,
    Order,
    Path,
    Speed,
    Target,
)
from games.galleys.orders.plans import Sequence as ShipSequence
from games.galleys.orders.sheets import checked
from games.galleys.orders.words import (
    KEPT_OUT,
    Names,
    not_understood,
    read_path,
    read_percent,
    read_shots,
    split_names,
)
from games.galleys.state import HOLD_ALL_FIRE, Level, State
from pbem.kit.game import Side
from pbem.kit.sheet import (
    BadOrder,
    Dialect,
    Line,
    Problem,
    Sheet,
    clean,
    match_name,
    read_sheet,
    read_verb,
)

FLEET = "Fleet"
KINDS = {"react": ("missile", "grapple", "ram", "rake"), "avoid": ("grapple", "ram", "rake")}
LEVEL_WORDS = {"half": Level.HALF, "cruise": Level.CRUISE, "full": Level.FULL, "max": Level.MAX, "maximum": Level.MAX}
_HEADER_AT = re.compile(r"\s*@([^:]{1,80}:)")


def read_orders(state: State, side: Side, text: str) -> Sheet[Order]:
    """Parse and validate a side's orders; never raises."""
    return read_orders_as(state, side, text, "")


def read_orders_as(state: State, side: Side, text: str, player: str) -> Sheet[Order]:
    """The same for one of several players of a side (GA-VAL-3, GA-VAL-6); no player: all units are his."""
    text = "\n".join(_HEADER_AT.sub(r"\1", line) for line in text.splitlines())
    reader = LineReader(state, side, text, player)
    dialect = Dialect(
        units=[*reader.squadrons, *reader.ships],
        fleet=FLEET,
        bad_syntax="GA-VAL-1",
        unknown_unit="GA-VAL-2",
        wrong_turn="GA-VAL-1",
        turn=state.turn,
        strangers=reader.strangers,
    )
    sheet = read_sheet(text, dialect, reader.read)
    named = replace(sheet, problems=_named_strangers(state, sheet.problems, reader.strangers))
    return checked(state, side, named.with_problems(reader.extra))


class LineReader:
    """Reads the lines of one mail; what is said beside the point of a line is kept in ``extra``."""

    def __init__(self, state: State, side: Side, text: str, player: str) -> None:
        self.state = state
        self.side = side
        self.player = player
        self.names = Names(state, side)
        self.squadrons = [squadron.name for squadron in state.squadrons if squadron.side == side]
        self.ships = [ship.name for ship in state.ships if ship.side == side]
        self.strangers = [ship.name for ship in state.ships if ship.side != side]
        self.strangers += [squadron.name for squadron in state.squadrons if squadron.side != side]
        self.extra: list[Problem] = []
        self._first_header = _first_header(text)
        self._told_headless = False
        self.verbs: dict[str, Callable[[Line, str], Order]] = {
            "activate": self._activate,
            "sequence": self._sequence,
            "speed": self._speed,
            "path": lambda line, words: Path(line.unit, read_path(words)),
            "else": self._else,
            "fire": self._fire,
            "flame": self._flame,
            "hold fire": self._hold_fire,
            "hold ram": self._hold_ram,
            "disengage": self._disengage,
            "board": self._board,
            "jettison": self._jettison,
            "target": self._target_doctrine,
        }
        for intent in ("ram", "rake", "pass", "grapple", "anastrophe"):
            self.verbs[intent] = self._intent_reader(intent)
        for verb in ("hold", "approach", "follow", "withdraw"):
            self.verbs[verb] = self._move_reader(verb)
        for word in KINDS:
            self.verbs[word] = self._kinds_reader(word)
        for word in ("opportunity", "firepots"):
            self.verbs[word] = self._switch_reader(word)

    def read(self, line: Line) -> Sequence[Order]:
        self._check_unit(line)
        if line.number < self._first_header and not self._told_headless:
            self._told_headless = True
            reason = "it stands before any header; start with a ship, a squadron or Fleet and a colon"
            self._note(line, "GA-VAL-34", reason, "Fleet:", f"{STANDS} as an order to the fleet")
        return (read_verb(line, self.verbs, "GA-VAL-1"),)

    def _note(self, line: Line, rule: str, reason: str, hint: str, instead: str) -> None:
        self.extra.append(Problem(line.number, line.text, rule, reason, hint, instead, line.unit))

    def _check_unit(self, line: Line) -> None:
        """GA-VAL-3, -4, -6: the unit is his, and still there."""
        if line.unit == FLEET:
            admiral = self.state.fleet(self.side).admiral
            if self.player and admiral and admiral != self.player:
                reason = f"only the fleet commander, {admiral}, speaks for the fleet"
                raise BadOrder("GA-VAL-6", reason, "write under your squadron's name", KEPT_OUT)
            return
        squadron = line.unit
        if line.unit not in self.squadrons:
            ship = self.state.ship(line.unit)
            if not ship.afloat:
                raise BadOrder("GA-VAL-4", f"{ship.name} was {ship.status} on turn {ship.lost_turn}", "", KEPT_OUT)
            squadron = ship.squadron
        owner = self.state.squadron(squadron).owner
        if self.player and owner and owner != self.player:
            raise BadOrder("GA-VAL-3", f"{line.unit} belongs to {owner}", "", KEPT_OUT)

    # --- who acts when -----------------------------------------------------------------------------------------------

    def _activate(self, line: Line, words: str) -> Order:
        if line.unit != FLEET:
            reason = f"activate stands under {line.unit}; it belongs under Fleet"
            self._note(line, "GA-VAL-35", reason, "Fleet:", f"{STANDS} as an order of the fleet")
        names = self._listed(line, words, self.squadrons, "GA-VAL-5", "is no squadron of yours", "squadrons")
        return Activate(FLEET, names)

    def _sequence(self, line: Line, words: str) -> Order:
        if line.unit not in self.squadrons:
            raise BadOrder("GA-VAL-35", f"sequence stands under {line.unit}; it belongs under a squadron", "", KEPT_OUT)
        ships = [ship.name for ship in self.state.ships if ship.squadron == line.unit]
        reason = f"is no ship of {line.unit}"
        return ShipSequence(line.unit, self._listed(line, words, ships, "GA-VAL-7", reason, "ships"))

    def _listed(self, line: Line, words: str, known: list[str], rule: str, reason: str, kind: str) -> tuple[str, ...]:
        """A list of names; a wrong or double one is dropped, the rest stands."""
        found: list[str] = []
        wrong: list[str] = []
        for word in split_names(words):
            name = match_name(word, known)
            if name is None:
                wrong.append(f"'{word}' {reason}")
            elif name in found:
                wrong.append(f"'{name}' is listed twice")
            else:
                found.append(name)
        left = [name for name in known if name not in found]
        hint = f"{kind} still unlisted: {', '.join(left)}" if left else ""
        if not found:
            raise BadOrder(rule, "; ".join(wrong) or f"no {kind} named", hint, KEPT_OUT)
        if wrong:
            self._note(line, rule, "; ".join(wrong), hint, "that name is dropped, the rest stands")
        return tuple(found)

    # --- plan lines --------------------------------------------------------------------------------------------------

    def _speed(self, line: Line, words: str) -> Order:
        level = LEVEL_WORDS.get(words.casefold())
        if level is None:
            raise not_understood(words, ", ".join(LEVEL_WORDS))
        return Speed(line.unit, level)

    def _intent_reader(self, kind: IntentKind) -> Callable[[Line, str], Order]:
        def read(line: Line, words: str) -> Order:
            target, rest = self.names.target(words)
            tail = rest.casefold()
            if kind == "anastrophe" and tail in ("", "port", "starboard"):
                return Intent(line.unit, kind, target, side=tail)
            if kind != "anastrophe" and tail in ("", "if reachable"):
                return Intent(line.unit, kind, target, if_reachable=bool(tail))
            raise not_understood(rest, "port, starboard" if kind == "anastrophe" else "if reachable")

        return read

    def _move_reader(self, verb: MoveVerb) -> Callable[[Line, str], Order]:
        def read(line: Line, words: str) -> Order:
            return self._move(line, verb, words)

        return read

    def _move(self, line: Line, verb: MoveVerb, words: str) -> Move:
        if verb == "approach":
            target, rest = self.names.target(words)
        elif verb == "follow":
            name, rest = self.names.ship(words)
            target = Target(name=self._leader(line, name))
        else:
            target, rest = Target(), words
        if rest:
            raise not_understood(rest, "nothing more")
        return Move(line.unit, verb, target)

    def _leader(self, line: Line, name: str) -> str:
        """GA-VAL-31: one of one's own ships, and not oneself."""
        ship = self.state.ship(name)
        if ship.side != self.side:
            raise BadOrder("GA-VAL-31", f"{name} is an enemy", "follow a ship of your own", KEPT_OUT)
        if name == line.unit:
            raise BadOrder("GA-VAL-31", f"{name} cannot follow itself", "follow another ship", KEPT_OUT)
        if not ship.afloat:
            raise BadOrder("GA-VAL-21", f"{name} is {ship.status} since turn {ship.lost_turn}", "", KEPT_OUT)
        return name

    def _else(self, line: Line, words: str) -> Order:
        verb, _, rest = words.partition(" ")
        verb = verb.casefold()
        if verb == "path":
            return Else(line.unit, Path(line.unit, read_path(rest)))
        for known in ("hold", "approach", "follow", "withdraw"):
            if verb == known:
                return Else(line.unit, self._move(line, known, rest))
        raise not_understood(verb, "path, hold, approach, follow, withdraw")

    # --- single orders and doctrines ---------------------------------------------------------------------------------

    def _fire(self, line: Line, words: str) -> Order:
        if words.casefold() == "none":
            return Fire(line.unit, ())
        shots, moment = read_shots(words, self.names)
        return Fire(line.unit, shots, moment)

    def _flame(self, line: Line, words: str) -> Order:
        verb, _, rest = words.partition(" ")
        if verb.casefold() == "at":
            target, rest = self.names.target(rest)
            if rest:
                raise not_understood(rest, "nothing more")
            return FlameAt(line.unit, target)
        return self._switch(line, "flame", words)

    def _hold_fire(self, line: Line, words: str) -> Order:
        if not words:
            return Doctrine(line.unit, "hold fire", HOLD_ALL_FIRE)
        return Doctrine(line.unit, "hold fire", _below(words))

    def _hold_ram(self, line: Line, words: str) -> Order:
        return Doctrine(line.unit, "hold ram", _below(words))

    def _disengage(self, line: Line, words: str) -> Order:
        if words.casefold() in ("always", "never", "unless stronger"):
            return Doctrine(line.unit, "disengage", words.casefold())
        names = []
        for word in split_names(words):
            name, rest = self.names.ship(word)
            if rest:
                raise not_understood(rest, "a comma and another ship")
            names.append(name)
        return Disengage(line.unit, tuple(names))

    def _board(self, line: Line, words: str) -> Order:
        if words.casefold() in ("always", "never", "if stronger"):
            return Doctrine(line.unit, "board", words.casefold())
        name, rest = self.names.ship(words)
        if rest:
            raise not_understood(rest, "nothing more")
        return Board(line.unit, self.names.enemy(name))

    def _jettison(self, line: Line, words: str) -> Order:
        if words:
            raise not_understood(words, "nothing more")
        return Jettison(line.unit)

    def _target_doctrine(self, line: Line, words: str) -> Order:
        if words.casefold() not in ("nearest", "biggest", "weakest", "best"):
            raise not_understood(words, "nearest, biggest, weakest, best")
        return Doctrine(line.unit, "target", words.casefold())

    def _kinds_reader(self, word: str) -> Callable[[Line, str], Order]:
        def read(line: Line, words: str) -> Order:
            given = words.casefold().replace(",", " ").split()
            if given in (["all"], ["none"]):
                return Doctrine(line.unit, word, given[0])
            wrong = [kind for kind in given if kind not in KINDS[word]]
            if wrong or not given:
                raise not_understood(wrong[0] if wrong else "", f"all, none, {', '.join(KINDS[word])}")
            return Doctrine(line.unit, word, " ".join(kind for kind in KINDS[word] if kind in given))

        return read

    def _switch_reader(self, word: str) -> Callable[[Line, str], Order]:
        def read(line: Line, words: str) -> Order:
            return self._switch(line, word, words)

        return read

    def _switch(self, line: Line, word: str, words: str) -> Order:
        value = words.casefold()
        if value not in ("on", "off"):
            raise not_understood(words, "on, off" if word != "flame" else "at and a target, on, off")
        switches = {"firepots": ("firepots", self.state.switches.firepots)}
        switches["flame"] = ("flame_missiles", self.state.switches.flame_missiles)
        name, is_on = switches.get(word, ("", True))
        if not is_on:
            reason = f"the switch {name} is off in this scenario: no effect"
            self._note(line, "GA-VAL-32", reason, "", STANDS)
        return Doctrine(line.unit, word, value)


def _below(words: str) -> str:
    first, _, rest = words.partition(" ")
    if first.casefold() != "below":
        raise not_understood(words, "below and a percentage")
    return read_percent(rest)


def _first_header(text: str) -> int:
    """The number of the first line with a header; past the end when there is none."""
    lines = text.splitlines()
    for number, raw in enumerate(lines, 1):
        line = clean(raw)
        if ":" in line and not line.startswith(">"):
            return number
    return len(lines) + 1


def _named_strangers(state: State, problems: Sequence[Problem], strangers: Sequence[str]) -> tuple[Problem, ...]:
    """GA-VAL-3 in place of GA-VAL-2 for units of the enemy, with the owner's name."""
    owners = {ship.name: ship.side for ship in state.ships}
    owners.update({squadron.name: squadron.side for squadron in state.squadrons})
    found = []
    current = ""
    for problem in problems:
        if problem.rule == "GA-VAL-2" and problem.unit:
            current = match_name(problem.unit, strangers) or ""
            if current:
                reason = f"{current} is not yours: it belongs to {owners[current]}"
                problem = replace(problem, rule="GA-VAL-3", reason=reason, hint="")
        elif problem.rule == "GA-VAL-2" and current:
            problem = replace(problem, rule="GA-VAL-3", reason=f"it stands under {current} of {owners[current]}")
        found.append(problem)
    return tuple(found)


def units(state: State, side: Side) -> tuple[str, ...]:
    """The fleet, the squadrons and the ships a side may write to."""
    squadrons = (squadron.name for squadron in state.squadrons if squadron.side == side)
    ships = (ship.name for ship in state.ships if ship.side == side and ship.afloat)
    return (FLEET, *squadrons, *ships)
