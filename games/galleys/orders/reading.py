"""Order text to orders and problems: one reader a verb (rule book, section 6.4), then the checks of section 7."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import get_args

from games.galleys.orders.checks import check
from games.galleys.orders.fixes import Prover
from games.galleys.orders.judge import FleetJudge
from games.galleys.orders.records import (
    FLEET,
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
from games.galleys.orders.records import Sequence as ShipSequence
from games.galleys.orders.words import (
    KEPT_OUT,
    Misread,
    Names,
    end_here,
    not_understood,
    read_path,
    read_percent,
    read_shots,
    split_names,
    surplus,
)
from games.galleys.state import ATTEMPTS, DOCTRINE_VALUES, HOLD_ALL_FIRE, Level, State
from pbem.kit.game import Side
from pbem.kit.sheet import BadOrder, Dialect, Line, Sheet, clean, match_name, nearest, read_sheet, read_verb

MOVE_VERBS: tuple[MoveVerb, ...] = get_args(MoveVerb)
KINDS = {"react": ATTEMPTS, "avoid": ATTEMPTS[1:]}
LEVEL_WORDS = {"half": Level.HALF, "cruise": Level.CRUISE, "full": Level.FULL, "max": Level.MAX, "maximum": Level.MAX}
_FOLLOW = re.compile(r"\bfollow\b", re.IGNORECASE)
_HEADER_AT = re.compile(r"\s*@([^:]{1,80}:)")


def read_orders(state: State, side: Side, text: str) -> Sheet[Order]:
    """Parse and validate a side's orders; never raises."""
    return read_orders_as(state, side, text, "")


def read_orders_as(state: State, side: Side, text: str, player: str) -> Sheet[Order]:
    """The same for one of several players of a side (GA-VAL-3, GA-VAL-6); no player: all units are his."""
    text = "\n".join(_HEADER_AT.sub(r"\1", line) for line in text.splitlines())
    judge = FleetJudge()
    reader = LineReader(state, side, text, player, judge)
    dialect = Dialect(
        units=[*reader.squadrons, *reader.ships],
        fleet=FLEET,
        bad_syntax="GA-VAL-1",
        unknown_unit="GA-VAL-2",
        wrong_turn="GA-VAL-1",
        turn=state.turn,
        strangers=_strangers(state, side),
        not_yours="GA-VAL-3",
    )
    letter = read_sheet(text, dialect, reader.read)
    sheet = check(state, side, letter, judge)
    if not any(problem.fix for problem in sheet.problems):
        return sheet

    def reader_for(other: FleetJudge) -> Callable[[Line], Sequence[Order]]:
        return LineReader(state, side, "", player, other).read

    return Prover(state, side, letter.accepted, reader_for, reader.first_header).proven(sheet, judge)


def _strangers(state: State, side: Side) -> dict[str, Side]:
    """The units of the enemy, with their owner."""
    ships = {ship.name: ship.side for ship in state.ships if ship.side != side}
    return {**ships, **{squadron.name: squadron.side for squadron in state.squadrons if squadron.side != side}}


class LineReader:
    """Reads the lines of one mail; what is to be said beside the point of a line, the judge is told."""

    def __init__(self, state: State, side: Side, text: str, player: str, judge: FleetJudge) -> None:
        self.state = state
        self.side = side
        self.player = player
        self.judge = judge
        self.names = Names(state, side)
        self.squadrons = [squadron.name for squadron in state.squadrons if squadron.side == side]
        self.ships = [ship.name for ship in state.ships if ship.side == side]
        self.first_header = _first_header(text)
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
            "hold ram": lambda line, words: Doctrine(line.unit, "hold ram", _below(words)),
            "disengage": self._disengage,
            "board": self._board,
            "jettison": self._jettison,
            **{kind: partial(self._intent, kind) for kind in get_args(IntentKind)},
            **{verb: partial(self._move, verb) for verb in MOVE_VERBS},
            **{word: partial(self._kinds, word) for word in KINDS},
            **{word: partial(self._choice, word) for word in ("target", "opportunity", "firepots")},
        }

    def read(self, line: Line) -> Sequence[Order]:
        self._check_unit(line)
        if line.number < self.first_header and not self._told_headless:
            self._told_headless = True
            reason = "it stands before any header; start with a ship, a squadron or Fleet and a colon"
            instead, fix = f"{STANDS} as an order to the fleet", f"{FLEET}: {line.text}"
            self.judge.note(line, "GA-VAL-34", reason, "Fleet:", instead, fix)
        try:
            return (read_verb(line, self.verbs, "GA-VAL-1"),)
        except Misread as error:
            error.mend(line.text)
            raise
        except BadOrder as error:
            error.fix = error.fix or self._with_nearest_verb(line.text)
            raise

    def _with_nearest_verb(self, text: str) -> str:
        """The line with its first word spelt as the verb most like it, if it is none."""
        word, _, rest = text.partition(" ")
        close = nearest(word, self.verbs)
        return f"{close} {rest}".strip() if close and close != word.casefold() else ""

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
            instead, fix = f"{STANDS} as an order of the fleet", f"{FLEET}: {line.text}\n{line.unit}:"
            self.judge.note(line, "GA-VAL-35", reason, "Fleet:", instead, fix)
        names = self._listed(line, words, self.squadrons, "GA-VAL-5", "is no squadron of yours", "squadrons")
        return Activate(FLEET, names)

    def _sequence(self, line: Line, words: str) -> Order:
        if line.unit not in self.squadrons:
            reason = f"sequence stands under {line.unit}; it belongs under a squadron"
            raise BadOrder("GA-VAL-35", reason, "", KEPT_OUT, self._under_squadron(line, words))
        ships = [ship.name for ship in self.state.ships if ship.squadron == line.unit]
        reason = f"is no ship of {line.unit}"
        return ShipSequence(line.unit, self._listed(line, words, ships, "GA-VAL-7", reason, "ships"))

    def _under_squadron(self, line: Line, words: str) -> str:
        """The sequence under the squadron its first ship belongs to, and the block it stood in opened again."""
        first = match_name(next(iter(split_names(words)), ""), self.ships)
        return f"{self.state.ship(first).squadron}: {line.text}\n{line.unit}:" if first else ""

    def _listed(self, line: Line, words: str, names: list[str], rule: str, reason: str, kind: str) -> tuple[str, ...]:
        """A list of names; a wrong or double one is dropped, the rest stands."""
        listed: list[str] = []
        wrong: list[str] = []
        for word in split_names(words):
            name = match_name(word, names)
            if name is None:
                wrong.append(f"'{word}' {reason}")
            elif name in listed:
                wrong.append(f"'{name}' is listed twice")
            else:
                listed.append(name)
        left = [name for name in names if name not in listed]
        hint = f"{kind} still unlisted: {', '.join(left)}" if left else ""
        fix = f"{line.text.split()[0]} {', '.join(listed or names)}"
        if not listed:
            raise BadOrder(rule, "; ".join(wrong) or f"no {kind} named", hint, KEPT_OUT, fix)
        if wrong:
            self.judge.warn(line, rule, "; ".join(wrong), hint, "that name is dropped, the rest stands", fix)
        return tuple(listed)

    # --- plan lines --------------------------------------------------------------------------------------------------

    def _speed(self, line: Line, words: str) -> Order:
        level = LEVEL_WORDS.get(words.casefold())
        if level is None:
            raise not_understood(words, ", ".join(LEVEL_WORDS), LEVEL_WORDS)
        return Speed(line.unit, level)

    def _intent(self, kind: IntentKind, line: Line, words: str) -> Intent:
        target, rest = self.names.target(words)
        tail = rest.casefold()
        if kind == "anastrophe" and tail in ("", "port", "starboard"):
            return Intent(line.unit, kind, target, side=tail)
        if kind != "anastrophe" and tail in ("", "if reachable"):
            return Intent(line.unit, kind, target, if_reachable=bool(tail))
        tails = ("port", "starboard") if kind == "anastrophe" else ("if reachable",)
        raise surplus(rest, ", ".join(tails), tails)

    def _move(self, verb: MoveVerb, line: Line, words: str) -> Move:
        if verb == "approach":
            target, rest = self.names.target(words)
        elif verb == "follow":
            name, rest = self.names.ship(words)
            target = Target(name=self._leader(line, name))
        else:
            target, rest = Target(), words
        end_here(rest)
        return Move(line.unit, verb, target)

    def _leader(self, line: Line, name: str) -> str:
        """GA-VAL-31: one of one's own ships, and not oneself."""
        ship = self.state.ship(name)
        if ship.side != self.side:
            fix = _FOLLOW.sub("approach", line.text, count=1)
            raise BadOrder("GA-VAL-31", f"{name} is an enemy", "follow a ship of your own", KEPT_OUT, fix)
        if name == line.unit:
            others = [other.name for other in self.state.ships if other.squadron == ship.squadron and other.afloat]
            leader = others[others.index(name) - 1] if ship.afloat else name
            fix = _FOLLOW.split(line.text)[0] + f"follow {leader}"
            raise BadOrder("GA-VAL-31", f"{name} cannot follow itself", "follow another ship", KEPT_OUT, fix)
        if not ship.afloat:
            raise BadOrder("GA-VAL-21", f"{name} is {ship.status} since turn {ship.lost_turn}", "", KEPT_OUT)
        return name

    def _else(self, line: Line, words: str) -> Order:
        verb, _, rest = words.partition(" ")
        verb = verb.casefold()
        if verb == "path":
            return Else(line.unit, Path(line.unit, read_path(rest)))
        for move_verb in MOVE_VERBS:
            if verb == move_verb:
                return Else(line.unit, self._move(move_verb, line, rest))
        raise not_understood(verb, f"path, {', '.join(MOVE_VERBS)}", ("path", *MOVE_VERBS))

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
            end_here(rest)
            return FlameAt(line.unit, target)
        return self._choice("flame", line, words)

    def _hold_fire(self, line: Line, words: str) -> Order:
        if not words:
            return Doctrine(line.unit, "hold fire", HOLD_ALL_FIRE)
        return Doctrine(line.unit, "hold fire", _below(words))

    def _disengage(self, line: Line, words: str) -> Order:
        if words.casefold() in DOCTRINE_VALUES["disengage"]:
            return Doctrine(line.unit, "disengage", words.casefold())
        names = []
        for word in split_names(words):
            name, rest = self.names.ship(word)
            end_here(rest, "a comma and another ship")
            names.append(name)
        return Disengage(line.unit, tuple(names))

    def _board(self, line: Line, words: str) -> Order:
        if words.casefold() in DOCTRINE_VALUES["board"]:
            return Doctrine(line.unit, "board", words.casefold())
        name, rest = self.names.ship(words)
        end_here(rest)
        return Board(line.unit, self.names.enemy(name))

    def _jettison(self, line: Line, words: str) -> Order:
        end_here(words)
        return Jettison(line.unit)

    def _kinds(self, word: str, line: Line, words: str) -> Doctrine:
        given = words.casefold().replace(",", " ").split()
        if given in (["all"], ["none"]):
            return Doctrine(line.unit, word, given[0])
        wrong = [kind for kind in given if kind not in KINDS[word]]
        if wrong or not given:
            allowed = ("all", "none", *KINDS[word])
            raise not_understood(wrong[0] if wrong else "", ", ".join(allowed), allowed)
        return Doctrine(line.unit, word, " ".join(kind for kind in KINDS[word] if kind in given))

    def _choice(self, word: str, line: Line, words: str) -> Doctrine:
        value, allowed = words.casefold(), DOCTRINE_VALUES[word]
        if value not in allowed:
            shown = ("at and a target", *allowed) if word == "flame" else allowed
            raise not_understood(words, ", ".join(shown), allowed)
        switch = {"firepots": "firepots", "flame": "flame_missiles"}.get(word)
        if switch and not getattr(self.state.switches, switch):
            self.judge.note(line, "GA-VAL-32", f"the switch {switch} is off in this scenario: no effect")
        return Doctrine(line.unit, word, value)


def _below(words: str) -> str:
    first, _, rest = words.partition(" ")
    if first.casefold() != "below":
        reason, hint = f"'{words}' is not understood here", "allowed here: below and a percentage"
        raise (
            Misread("GA-VAL-1", reason, hint, words, f"below {words}")
            if words
            else not_understood("", "below and a percentage")
        )
    return read_percent(rest)


def _first_header(text: str) -> int:
    """The number of the first line with a header; past the end when there is none."""
    lines = text.splitlines()
    for number, raw in enumerate(lines, 1):
        line = clean(raw)
        if ":" in line and not line.startswith(">"):
            return number
    return len(lines) + 1
