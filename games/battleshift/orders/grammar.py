"""Words, numbers, places and names of order lines (sections 6.1, 6.2 and 6.4)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from games.battleshift.data import LIMITS
from games.battleshift.orders.words import SELECTORS, Target
from games.battleshift.rules.moving import inches
from games.battleshift.rules.table import Battle
from games.battleshift.rules.targets import contact
from games.battleshift.rules.units import Squadron
from games.battleshift.state import QUADRANTS, Formation
from pbem.kit.plane import INCH
from pbem.kit.sheet import BadOrder, leading_name, match_name, nearest

COMPASS = ("N", "NNE", "NE", "ENE", "E", "ESE", "SE", "SSE", "S", "SSW", "SW", "WSW", "W", "WNW", "NW", "NNW")
IGNORED = "the line is ignored"
_DISTANCE = r"\d{1,4}(?:\.\d{1,2})?\"?"
_SIGNED = r"-?" + _DISTANCE
SYNTAX = {
    "move": "move 090 12 | move ahead 8 | move port 30 10 | move to 34.5,20 | move toward NAME [n] [to n] | "
    "move away from NAME [n]",
    "face": "face 120 | face course | face port 45 | face toward NAME",
    "form": "form line 1.5 | form custom 1,0 -1,0 | form cone | form ring",
    "fire": "fire heavy at NAME, nearest min 3 [to disable] | fire light at biggest after 6 | fire none",
    "missiles": "missiles at NAME, biggest min 3 | missiles none",
    "intercept": "intercept any|missiles|fighters|self|none [min n]",
    "lightguns": "lightguns auto|battery|interceptor",
    "launch": "launch 4 as Hawk [after 6]",
    "recover": "recover Hawk",
    "strike": "strike NAME [then 180 8]",
    "fly": "fly 090 10 [then 180 5] [then strike NAME]",
    "engage": "engage NAME",
    "if intercepted": "if intercepted dogfight|evade",
    "guard": "guard NAME",
    "lose": "lose front | lose rear | lose Kestrel.4, Kestrel.2",
    "mode": "mode volley|staggered|concentrate",
    "add": "add NAME",
    "flagship": "flagship NAME",
    "shift": "shift out [return turn 5 sector 5B facing W [at 54,18]]",
    "arrive": "arrive at 52,15 [form line 1]",
    "escape": "escape [when damage >= 90% | when suppression >= 3 | when ships <= 2]",
    "board": "board Ibis.3",
    "assault": "assault Ibis.3",
    "engulf": "engulf Ibis.3",
    "release": "release Ibis.3",
    "tow": "tow Ibis.3",
    "dock": "dock NAME",
    "land": "land 4 Terra NE",
    "transfer": "transfer 2 NE to SE",
    "sequence": "sequence Lance, Line, Wing",
    "detached": "detached Kestrel, Ibis",
    "initiative": "initiative first|second",
}


def bad_syntax(verb: str, rest: str) -> BadOrder:
    """BS-V-1: the words, and how the verb is written."""
    shown = f"{verb} {rest}".strip()
    return BadOrder("BS-V-1", f"'{shown}' cannot be read", SYNTAX.get(verb, ""), IGNORED)


# --- numbers ---------------------------------------------------------------------------------------------------------


def read_distance(text: str) -> int | None:
    """Inches with up to two decimals, an optional quote behind; in hundredths."""
    if not re.fullmatch(_SIGNED, text):
        return None
    sign = -1 if text.startswith("-") else 1
    whole, _, part = text.strip('-"').partition(".")
    return sign * (int(whole) * INCH + int((part + "00")[:2]))


def read_bearing(text: str) -> int | None:
    """0-359, 360 read as 0, or a compass word."""
    if text.upper() in COMPASS:
        return COMPASS.index(text.upper()) * 45 // 2
    if text.isdigit() and int(text) <= 360:
        return int(text) % 360
    return None


def read_point(text: str) -> tuple[int, int] | None:
    """`34.5,20`."""
    parts = [part.strip() for part in text.split(",")]
    if len(parts) != 2:
        return None
    x, y = read_distance(parts[0]), read_distance(parts[1])
    return (x, y) if x is not None and y is not None else None


def take_clause(rest: str, pattern: str) -> tuple[str, re.Match[str] | None]:
    """Cut a clause off the end of a line."""
    found = re.search(rf"(?:^|\s+){pattern}$", rest, re.IGNORECASE)
    return (rest[: found.start()].strip(), found) if found else (rest, None)


def take_min(rest: str, most: int = 6) -> tuple[str, int]:
    """`min n`; BS-V-61 when it is out of range."""
    rest, found = take_clause(rest, r"min\s+(-?\d+)")
    if found is None:
        return rest, 1
    value = int(found[1])
    if not 1 <= value <= most:
        limits = f"1-{most}" if most < 1000 else "1 or more"
        nearest_legal = max(1, min(most, value))
        raise BadOrder("BS-V-61", f"min {value} is outside {limits}", f"min {nearest_legal}", IGNORED)
    return rest, value


# --- formations ------------------------------------------------------------------------------------------------------


def read_formation(rest: str) -> Formation:
    """What stands behind `form`."""
    kind, _, more = rest.strip().partition(" ")
    kind, more = kind.casefold(), more.strip()
    if kind in ("cone", "tfcone", "ring") and not more:
        return Formation(kind, LIMITS.cone_spacing)  # type: ignore[arg-type]
    if kind == "custom":
        pairs = [read_point(pair) for pair in re.sub(r"\s*,\s*", ",", more).split()]
        if pairs and all(pair is not None for pair in pairs):
            return Formation("custom", INCH, tuple(pair for pair in pairs if pair is not None))
    if kind in ("line", "column", "vee", "cluster"):
        spacing = read_distance(more) if more else INCH
        if spacing is not None:
            return Formation(kind, _spacing(spacing))  # type: ignore[arg-type]
    raise bad_syntax("form", rest)


def _spacing(spacing: int) -> int:
    low, high = LIMITS.spacing_least, LIMITS.spacing_most
    if not low <= spacing <= high:
        reason = f"spacing {inches(spacing)} is outside {inches(low)}-{inches(high)}"
        raise BadOrder("BS-V-25", reason, inches(min(max(spacing, low), high)), IGNORED)
    return spacing


# --- names -----------------------------------------------------------------------------------------------------------


class Names:
    """Who may be named by a side: its own units by kind, and what it sees of the enemy's."""

    def __init__(self, battle: Battle, side: str, new_flights: Sequence[str] = ()) -> None:
        self.battle, self.side = battle, side
        foe = battle.enemy(side)
        self.own: dict[str, str] = {}
        for tf in battle.taskforces:
            if tf.side == side and tf.exists:
                self.own[tf.name] = "taskforce"
        for squadron in battle.squadrons:
            if squadron.side == side:
                self.own.setdefault(squadron.name, "station" if squadron.cls.is_station else "squadron")
        for name in (*(f.name for f in battle.flights if f.side == side), *new_flights):
            self.own.setdefault(name, "flight")
        self.bodies = [body.name for body in battle.bodies if body.name and body.quadrants]
        for name in self.bodies:
            self.own.setdefault(name, "planet")
        self.foes = self._visible(foe)
        self.objectives = [o.name for b in battle.bodies for q in b.quadrants.values() for o in q.objectives]

    def _visible(self, foe: str) -> dict[str, str]:
        battle, seen = self.battle, {}
        for tf in battle.taskforces:
            if tf.side == foe and tf.location == "table" and battle.identifies(self.side, tf):
                seen[tf.name] = "taskforce"
        for squadron in battle.squadrons:
            if squadron.side != foe or not squadron.present:
                continue
            shown = battle.masked[self.side].get(squadron.key, squadron.name)
            seen[shown] = "station" if squadron.cls.is_station else "squadron"
        for flight in battle.flights:
            if flight.side == foe:
                seen[flight.name] = "flight"
        return seen

    def unknown(self, text: str, among: Sequence[str]) -> BadOrder:
        close = nearest(text, among)
        return BadOrder("BS-V-2", f"no unit called '{text}'", f"did you mean '{close}'?" if close else "", IGNORED)

    def own_unit(self, text: str, kinds: Sequence[str] = ()) -> str:
        """A unit of one's own, of one of the kinds."""
        among = [name for name, kind in self.own.items() if not kinds or kind in kinds]
        found = match_name(text, among)
        if found is None:
            raise self.unknown(text, among)
        return found

    def foe_unit(self, text: str) -> str:
        """A visible enemy unit; BS-V-8 for one's own."""
        found = match_name(text, (*self.foes, *self.bodies, *self.objectives))
        if found is not None:
            return found
        friend = match_name(text, tuple(self.own))
        if friend is not None:
            raise BadOrder("BS-V-8", f"{friend} is your own", "name an enemy unit", IGNORED)
        raise self.unknown(text, tuple(self.foes))

    def any_unit(self, text: str) -> str:
        """Somebody to go toward: the enemy's first, then one's own, or `nearest`."""
        if text.casefold() == "nearest":
            return "nearest"
        found = match_name(text, tuple(self.foes)) or match_name(text, (*self.own, *self.bodies))
        if found is None:
            raise self.unknown(text, (*self.foes, *self.own))
        return found

    def leading(self, text: str) -> tuple[str, str]:
        """A name at the start of a text, and the rest."""
        if re.match(r"nearest\b", text, re.IGNORECASE):
            return "nearest", text[len("nearest") :].strip()
        found = leading_name(text, tuple(self.foes)) or leading_name(text, (*self.own, *self.bodies))
        if found is None:
            raise self.unknown(text.split()[0] if text else "", (*self.foes, *self.own))
        return found

    def target(self, text: str) -> Target:
        """One item of a target list."""
        text = text.strip()
        if text.casefold() in SELECTORS:
            return Target(text.casefold(), "selector")
        if found := re.fullmatch(r"(.+)\.(\d)", text):
            return Target(self.foe_unit(found[1]), number=int(found[2]))
        head, _, tail = text.rpartition(" ")
        if head and tail.upper() in QUADRANTS and match_name(head, self.bodies):
            return Target(match_name(head, self.bodies) or "", quadrant=tail.upper())
        return Target(self.foe_unit(text))

    def targets(self, text: str) -> tuple[Target, ...]:
        return tuple(self.target(item) for item in text.split(",") if item.strip())

    def ship(self, text: str, foes_first: bool) -> tuple[str, int]:
        """`Ibis.3`, or a one-ship unit without its number."""
        found = re.fullmatch(r"(.+)\.(\d)", text.strip())
        name, number = (found[1], int(found[2])) if found else (text.strip(), 0)
        if not foes_first:
            return self.foe_unit(name), number
        return self.any_unit(name), number

    def squadron_named(self, name: str) -> Squadron | None:
        """The squadron of either side that a name stands for, the enemy's first."""
        foe = self.battle.enemy(self.side)
        found = self.battle.squadron(foe, name) if name in self.foes else None
        return found or contact(self.battle, self.side, name) or self.battle.squadron(self.side, name)
