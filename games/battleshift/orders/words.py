"""Words, numbers, places and names of order lines (sections 6.1, 6.2 and 6.4)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from games.battleshift.data import LIMITS
from games.battleshift.orders.records import SELECTORS, Target
from games.battleshift.rules.moving import inches
from games.battleshift.rules.targets import contact
from games.battleshift.rules.units import Squadron
from games.battleshift.state import QUADRANTS, Formation
from games.battleshift.table import Table
from pbem.kit.plane import INCH, Spot
from pbem.kit.sheet import BadOrder, match_name, nearest

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


class Misnamed(BadOrder):
    """One word of the line is wrong, and another, or none, would do in its place."""

    def __init__(self, rule: str, reason: str, wrong: str, right: str, hint: str = "") -> None:
        super().__init__(rule, reason, hint or (f"did you mean '{right}'?" if right else ""), IGNORED)
        self.wrong, self.right = wrong, right

    def mended(self, text: str) -> str:
        return re.sub(re.escape(self.wrong), lambda _: self.right, text, count=1, flags=re.IGNORECASE).strip()


def guessed(text: str, bad: BadOrder, verbs: Iterable[str]) -> str:
    """The line that was meant, where one word is wrong; empty: it is anybody's guess."""
    if isinstance(bad, Misnamed):
        known = bad.right or bad.rule != "BS-V-2"
        return bad.mended(text) if known and bad.wrong else ""
    head, _, rest = text.partition(" ")
    meant = nearest(head, verbs) if bad.reason == f"no order called '{head}'" else ""
    return f"{meant} {rest}".strip() if meant else ""


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


def read_point(text: str) -> Spot | None:
    """`34.5,20`."""
    left, _, right = text.partition(",")
    x, y = read_distance(left.strip()), read_distance(right.strip())
    return Spot(x, y) if x is not None and y is not None else None


def ship_of(text: str) -> tuple[str, int | None]:
    """`Ibis.3`, or a one-ship unit without its number."""
    said = re.fullmatch(r"(.+)\.(\d)", text.strip())
    return (said[1], int(said[2])) if said else (text.strip(), None)


def take_clause(rest: str, pattern: str) -> tuple[str, re.Match[str] | None]:
    """Cut a clause off the end of a line."""
    clause = re.search(rf"(?:^|\s+){pattern}$", rest, re.IGNORECASE)
    return (rest[: clause.start()].strip(), clause) if clause else (rest, None)


def take_min(rest: str, most: int = 6) -> tuple[str, int]:
    """`min n`; BS-V-61 when it is out of range."""
    rest, clause = take_clause(rest, r"min\s+(-?\d+)")
    if clause is None:
        return rest, 1
    value = int(clause[1])
    if not 1 <= value <= most:
        limits = f"1-{most}" if most < 1000 else "1 or more"
        nearest_legal = max(1, min(most, value))
        raise Misnamed("BS-V-61", f"min {value} is outside {limits}", clause[0].strip(), f"min {nearest_legal}")
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
            return Formation(kind, _spacing(spacing, more))  # type: ignore[arg-type]
    raise bad_syntax("form", rest)


def _spacing(spacing: int, said: str) -> int:
    low, high = LIMITS.spacing_least, LIMITS.spacing_most
    if not low <= spacing <= high:
        reason = f"spacing {inches(spacing)} is outside {inches(low)}-{inches(high)}"
        legal = inches(min(max(spacing, low), high))
        raise Misnamed("BS-V-25", reason, said, legal)
    return spacing


# --- names -----------------------------------------------------------------------------------------------------------


class Names:
    """Who may be named by a side: its own units by kind, and what it sees of the enemy's."""

    def __init__(self, table: Table, side: str, new_flights: Sequence[str] = ()) -> None:
        self.table, self.side = table, side
        foe = table.enemy(side)
        self.own: dict[str, str] = {}
        for tf in table.forces.values():
            if tf.side == side:
                self.own[tf.name] = "taskforce"
        for squadron in table.of(side):
            self.own.setdefault(squadron.name, "station" if squadron.cls.is_station else "squadron")
        for name in (*(f.name for f in table.aloft.values() if f.side == side), *new_flights):
            self.own.setdefault(name, "flight")
        self.bodies = [body.name for body in table.bodies if body.name and body.quadrants]
        for name in self.bodies:
            self.own.setdefault(name, "planet")
        self.foes = self._visible(foe)
        self.objectives = [o.name for b in table.bodies for q in b.quadrants.values() for o in q.now.objectives]

    def _visible(self, foe: str) -> dict[str, str]:
        table, seen = self.table, {}
        for tf in table.forces.values():
            if tf.side == foe and tf.now.location == "table" and table.identifies(self.side, tf):
                seen[tf.name] = "taskforce"
        for squadron in table.on_table(foe):
            shown = table.masked[self.side].get(squadron.key, squadron.name)
            seen[shown] = "station" if squadron.cls.is_station else "squadron"
        for flight in table.aloft.values():
            if flight.side == foe:
                seen[flight.name] = "flight"
        return seen

    def unknown(self, text: str, among: Sequence[str]) -> BadOrder:
        return Misnamed("BS-V-2", f"no unit called '{text}'", text, nearest(text, among))

    def own_unit(self, text: str, kinds: Sequence[str] = ()) -> str:
        """A unit of one's own, of one of the kinds."""
        among = [name for name, kind in self.own.items() if not kinds or kind in kinds]
        unit = match_name(text, among)
        if unit is None:
            raise self.unknown(text, among)
        return unit

    def foe_unit(self, text: str, words: Sequence[str] = ()) -> str:
        """A visible enemy unit; BS-V-8 for one's own; other words may have been meant."""
        unit = match_name(text, (*self.foes, *self.bodies, *self.objectives))
        if unit is not None:
            return unit
        friend = match_name(text, tuple(self.own))
        if friend is not None:
            raise BadOrder("BS-V-8", f"{friend} is your own", "name an enemy unit", IGNORED)
        raise self.unknown(text, (*self.foes, *self.bodies, *self.objectives, *words))

    def any_unit(self, text: str) -> str:
        """Somebody to go toward: the enemy's first, then one's own, or `nearest`."""
        if text.casefold() == "nearest":
            return "nearest"
        unit = match_name(text, tuple(self.foes)) or match_name(text, (*self.own, *self.bodies))
        if unit is None:
            raise self.unknown(text, ("nearest", *self.foes, *self.own))
        return unit

    def target(self, text: str) -> Target:
        """One item of a target list."""
        text = text.strip()
        if text.casefold() in SELECTORS:
            return Target(text.casefold(), "selector")
        name, number = ship_of(text)
        if number is not None:
            return Target(self.foe_unit(name), number=number)
        head, _, tail = text.rpartition(" ")
        if head and tail.upper() in QUADRANTS and match_name(head, self.bodies):
            return Target(match_name(head, self.bodies) or "", quadrant=tail.upper())
        return Target(self.foe_unit(text, SELECTORS))

    def targets(self, text: str) -> tuple[Target, ...]:
        return tuple(self.target(item) for item in text.split(",") if item.strip())

    def squadron_named(self, name: str) -> Squadron | None:
        """The squadron of either side that a name stands for, the enemy's first."""
        foe = self.table.enemy(self.side)
        seen = self.table.squadron(foe, name) if name in self.foes else None
        return seen or contact(self.table, self.side, name) or self.table.squadron(self.side, name)
