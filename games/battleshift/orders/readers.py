"""Readers of turn orders: one function a verb (section 6.4)."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from games.battleshift.data import LIMITS
from games.battleshift.orders import records as o
from games.battleshift.orders.records import Detail, Leg, Move
from games.battleshift.orders.words import (
    IGNORED,
    Misnamed,
    Names,
    bad_syntax,
    read_bearing,
    read_distance,
    read_formation,
    read_point,
    ship_of,
    take_clause,
    take_min,
)
from games.battleshift.rules.space import nearest_sector, read_sector
from games.battleshift.state import QUADRANTS, Return
from pbem.kit.sheet import BadOrder, match_name

Reader = Callable[[Names, str], Detail]
DISTANCE = r"(\d{1,4}(?:\.\d{1,2})?\"?)"


# --- verbs with nothing or one word behind them ----------------------------------------------------------------------


def bare(verb: str, order: Detail) -> Reader:
    """A verb that stands alone."""

    def read(_names: Names, rest: str) -> Detail:
        if rest:
            raise bad_syntax(verb, rest)
        return order

    return read


def one_of(verb: str, made: Callable[[Any], Detail], *words: str) -> Reader:
    """A verb with one of a few words."""

    def read(_names: Names, rest: str) -> Detail:
        if rest.casefold() not in words:
            raise bad_syntax(verb, rest)
        return made(rest.casefold())

    return read


def unit_of(made: Callable[[str], Detail], *kinds: str) -> Reader:
    """A verb with the name of a unit of one's own, of some kinds or of any."""
    return lambda names, rest: made(names.own_unit(rest, kinds))


def units_of(verb: str, made: Callable[[tuple[str, ...]], Detail], *kinds: str) -> Reader:
    """A verb with a list of such names."""

    def read(names: Names, rest: str) -> Detail:
        units = tuple(names.own_unit(item, kinds) for item in rest.split(",") if item.strip())
        if not units:
            raise bad_syntax(verb, rest)
        return made(units)

    return read


# --- moves -----------------------------------------------------------------------------------------------------------


def read_move(names: Names, rest: str) -> Move:
    head, *words = rest.split() or [""]
    head = head.casefold()
    if head == "to" and (point := read_point(rest[2:])):
        return Move("to", spot=point)
    if head in ("toward", "towards"):
        return _read_toward(names, rest[len(head) :].strip())
    if head == "away" and len(words) > 1 and words[0].casefold() == "from":
        return _read_away(names, " ".join(words[1:]))
    distance = read_distance(words[-1]) if words else None
    if distance is not None and distance >= 0:
        bearing = read_bearing(head)
        if head == "ahead" and len(words) == 1:
            return Move("ahead", distance=distance)
        if head in ("port", "starboard") and len(words) == 2 and words[0].isdigit() and int(words[0]) <= 180:
            return Move("port" if head == "port" else "starboard", int(words[0]), distance)
        if bearing is not None and len(words) == 1:
            return Move("bearing", bearing, distance)
    raise bad_syntax("move", rest)


def _read_toward(names: Names, rest: str) -> Move:
    rest, stop = take_clause(rest, rf"to\s+{DISTANCE}")
    rest, far = take_clause(rest, DISTANCE)
    if not rest:
        raise bad_syntax("move", f"toward {rest}")
    distance, nearest = read_distance(far[1]) if far else None, read_distance(stop[1]) if stop else None
    return Move("toward", 0, distance, who=names.any_unit(rest), stop=nearest)


def _read_away(names: Names, rest: str) -> Move:
    rest, far = take_clause(rest, DISTANCE)
    if not rest:
        raise bad_syntax("move", f"away from {rest}")
    return Move("away", 0, read_distance(far[1]) if far else None, who=names.any_unit(rest))


def read_face(names: Names, rest: str) -> o.Face:
    words = rest.split()
    head = words[0].casefold() if words else ""
    if head in ("toward", "towards") and len(words) > 1:
        return o.Face("toward", who=names.any_unit(" ".join(words[1:])))
    if head == "course" and len(words) == 1:
        return o.Face("course")
    if head in ("port", "starboard") and len(words) == 2 and words[1].isdigit() and int(words[1]) <= 180:
        return o.Face("port" if head == "port" else "starboard", int(words[1]))
    bearing = read_bearing(rest) if len(words) == 1 else None
    if bearing is None:
        raise bad_syntax("face", rest)
    return o.Face("bearing", bearing)


def read_form(_names: Names, rest: str) -> o.Form:
    return o.Form(read_formation(rest))


# --- fire ------------------------------------------------------------------------------------------------------------

WEAPON_WORDS = {"heavy": "heavy", "broadside": "broadside", "super": "super", "light": "light", "ion": "ion"}
WEAPON_WORDS |= {"heavyion": "heavy_ion", "all": "all"}


def read_fire(names: Names, rest: str) -> o.Fire:
    words = rest.split()
    if [word.casefold() for word in words] == ["none"]:
        return o.Fire("all", ())
    weapon = WEAPON_WORDS.get(words[0].casefold()) if words else None
    if weapon is None or len(words) < 2:
        raise bad_syntax("fire", rest)
    if words[1].casefold() == "none" and len(words) == 2:
        return o.Fire(weapon, ())
    if words[1].casefold() != "at" or len(words) < 3:
        raise bad_syntax("fire", rest)
    return _read_aim(names, weapon, " ".join(words[2:]))


def _read_aim(names: Names, weapon: str, rest: str) -> o.Fire:
    """Targets with their clauses, which may stand in any order."""
    least, disable, moment, after = 1, False, "best", 0
    while True:
        before = rest
        rest, value = take_min(rest)
        least = value if rest != before else least
        rest, clause = take_clause(rest, "to disable")
        disable = disable or clause is not None
        rest, clause = take_clause(rest, rf"after\s+{DISTANCE}")
        if clause is not None:
            moment, after = "after", read_distance(clause[1]) or 0
        rest, clause = take_clause(rest, "(start|end)")
        if clause is not None:
            moment = clause[1].casefold()
        if rest == before:
            break
    targets = names.targets(rest)
    if not targets:
        raise bad_syntax("fire", rest)
    for target in targets:
        if target.name == "flights" or names.foes.get(target.name) == "flight":
            reason = f"batteries cannot fire at flights ('{target.name}')"
            hint = "use missiles, interceptors or flights"
            raise BadOrder("BS-V-24", reason, hint, IGNORED, f"missiles at {target.spoken()}")
    return o.Fire(weapon, targets, least, disable=disable, moment=moment, after=after)  # type: ignore[arg-type]


def read_missiles(names: Names, rest: str) -> o.Missiles:
    if rest.casefold() == "none":
        return o.Missiles(())
    if not rest.casefold().startswith("at "):
        raise bad_syntax("missiles", rest)
    rest, least = take_min(rest[3:])
    targets = names.targets(rest)
    if not targets:
        raise bad_syntax("missiles", rest)
    return o.Missiles(targets, least)


def read_intercept(_names: Names, rest: str) -> o.Intercept:
    rest, least = take_min(rest, 1000)
    what = rest.casefold()
    if what not in ("any", "missiles", "fighters", "self", "none"):
        raise bad_syntax("intercept", rest)
    return o.Intercept(what, least)  # type: ignore[arg-type]


def read_lose(names: Names, rest: str) -> o.Lose:
    if rest.casefold() in ("front", "rear"):
        return o.Lose(rest.casefold())  # type: ignore[arg-type]
    ships = []
    for item in rest.split(","):
        name, number = ship_of(item)
        if number is None:
            raise bad_syntax("lose", rest)
        ships.append((names.own_unit(name, ("squadron", "station")), number))
    return o.Lose("list", tuple(ships))


def read_flagship(names: Names, rest: str) -> o.FlagshipTo:
    return o.FlagshipTo(names.own_unit(rest.split(".")[0], ("squadron", "station")))


# --- shifts ----------------------------------------------------------------------------------------------------------

SHIFT = re.compile(
    r"out(?:\s+return\s+turn\s+(\d{1,3})\s+sector\s+(\S+)\s+facing\s+(\w+)(?:\s+at\s+(\S+\s*,\s*\S+|\S+))?)?",
    re.IGNORECASE,
)


def read_shift(names: Names, rest: str) -> o.Shift:
    said = SHIFT.fullmatch(rest)
    if not said:
        raise bad_syntax("shift", rest)
    if said[1] is None:
        return o.Shift()
    return o.Shift(read_return(names, int(said[1]), said[2], said[3], said[4]))


def read_return(names: Names, turn: int, sector: str, facing: str, point: str | None) -> Return:
    """Turn, sector, facing and perhaps a point; BS-V-38 for a sector that does not exist."""
    state = names.table.state
    where = read_sector(sector, state.width_ft, state.height_ft)
    bearing = read_bearing(facing)
    if where is None:
        reason = f"no sector '{sector}' on a table of {state.width_ft} by {state.height_ft} feet"
        close = nearest_sector(sector, state.width_ft, state.height_ft)
        raise Misnamed("BS-V-38", reason, sector, close.name if close else "")
    place = read_point(point) if point else None
    if bearing is None or (point and place is None):
        raise bad_syntax("shift", f"out return turn {turn} sector {sector} facing {facing} {point or ''}")
    return Return(turn, where.name, bearing, *(place or (None, None)))


def read_arrive(_names: Names, rest: str) -> o.Arrive:
    said = re.fullmatch(r"at\s+([\d.\"]+\s*,\s*[\d.\"]+)(?:\s+form\s+(.+))?", rest, re.IGNORECASE)
    point = read_point(said[1]) if said else None
    if not said or point is None:
        raise bad_syntax("arrive", rest)
    if not said[2]:
        return o.Arrive(point)
    formation = read_formation(said[2])
    if formation.kind in ("cone", "tfcone", "ring"):
        fix = f"arrive at {said[1]} form cluster"
        raise BadOrder("BS-V-4", "nobody arrives in a cone or ring (BS-FRM-7)", "form cluster", IGNORED, fix)
    return o.Arrive(point, formation)


ESCAPE = re.compile(r"(?:when\s+(damage|suppression)\s*>=\s*(\d+)\s*(%?)|when\s+(ships)\s*<=\s*(\d+))?", re.IGNORECASE)


def read_escape(_names: Names, rest: str) -> o.Escape:
    said = ESCAPE.fullmatch(rest)
    if not said:
        raise bad_syntax("escape", rest)
    if said[4]:
        return o.Escape("ships", int(said[5]))
    if not said[1]:
        return o.Escape()
    test, value = said[1].casefold(), int(said[2])
    if (test == "damage") != (said[3] == "%"):
        raise bad_syntax("escape", rest)
    if test == "damage" and not 1 <= value <= 300:
        legal = f"{max(1, min(300, value))}%"
        raise Misnamed("BS-V-61", f"{value}% is outside 1-300", f"{said[2]}%", legal)
    return o.Escape(test, value)  # type: ignore[arg-type]


# --- boarding and ground ---------------------------------------------------------------------------------------------


def act_reader(verb: str) -> Reader:
    """Board, assault, engulf, release and tow are read alike."""

    def read(names: Names, rest: str) -> o.Act:
        name, number = ship_of(rest)
        if not name or (verb == "release" and number is None):
            raise bad_syntax(verb, rest)
        unit_named = {"release": names.own_unit, "engulf": names.any_unit, "tow": names.any_unit}
        return o.Act(verb, unit_named.get(verb, names.foe_unit)(name), number or 0)  # type: ignore[arg-type]

    return read


def read_land(names: Names, rest: str) -> o.Land:
    said = re.fullmatch(r"(\d{1,3})\s+(.+)\s+(NE|SE|SW|NW)", rest, re.IGNORECASE)
    if not said:
        raise bad_syntax("land", rest)
    body = match_name(said[2], names.bodies)
    if body is None:
        raise names.unknown(said[2], names.bodies)
    return o.Land(int(said[1]), body, said[3].upper())


def read_transfer(_names: Names, rest: str) -> o.TransferGround:
    said = re.fullmatch(r"(\d{1,3})\s+(\w\w)\s+to\s+(\w\w)", rest, re.IGNORECASE)
    if not said or said[2].upper() not in QUADRANTS or said[3].upper() not in QUADRANTS:
        raise bad_syntax("transfer", rest)
    return o.TransferGround(int(said[1]), said[2].upper(), said[3].upper())


def read_player(_names: Names, rest: str) -> o.Player:
    if not rest:
        raise bad_syntax("player", rest)
    return o.Player(rest)


# --- flights ---------------------------------------------------------------------------------------------------------


LAUNCH = re.compile(rf"(\d{{1,3}})(?:\s+(NE|SE|SW|NW))?\s+as\s+(.+?)(?:\s+after\s+{DISTANCE})?", re.IGNORECASE)


def read_launch(_names: Names, rest: str) -> o.Launch:
    said = LAUNCH.fullmatch(rest)
    if not said or int(said[1]) < 1:
        raise bad_syntax("launch", rest)
    name = said[3].strip().strip("\"'").strip()
    check_name(name)
    return o.Launch(int(said[1]), name, read_distance(said[4]) if said[4] else None, (said[2] or "").upper())


FORBIDDEN = ':#,."'


def check_name(name: str) -> None:
    """BS-V-59: length, characters, and words that mean something else."""
    allowed = "".join(character for character in name if character not in FORBIDDEN)[: LIMITS.name_length].strip()
    if len(name) > LIMITS.name_length:
        raise Misnamed("BS-V-59", f"'{name}' has {len(name)} characters, limit {LIMITS.name_length}", name, allowed)
    for character in FORBIDDEN:
        if character in name:
            raise Misnamed("BS-V-59", f"'{name}' contains '{character}'", name, allowed)
    if name.casefold() in (*o.SELECTORS, "fleet"):
        raise BadOrder("BS-V-59", f"'{name}' is a word of the order language", "take another name", IGNORED)


def read_strike(names: Names, rest: str) -> o.Fly:
    target, *then = re.split(r"\s+then\s+", rest, maxsplit=1, flags=re.IGNORECASE)
    if not target.strip():
        raise bad_syntax("strike", rest)
    after = tuple(read_leg(leg) for leg in then)
    return o.Fly((), names.target(target.strip()), after)


def read_leg(text: str) -> Leg:
    words = text.split()
    if words and words[0].casefold() == "to":
        point = read_point(text.strip()[2:])
        if point is not None:
            return Leg("to", spot=point)
    elif len(words) == 2:
        bearing, distance = read_bearing(words[0]), read_distance(words[1])
        if bearing is not None and distance is not None and distance >= 0:
            return Leg("bearing", bearing, distance)
    raise bad_syntax("fly", text)


def read_fly(names: Names, rest: str) -> o.Fly:
    legs: list[Leg] = []
    strike = None
    parts = re.split(r"\s+then\s+", rest, flags=re.IGNORECASE)
    for number, part in enumerate(parts):
        if re.match(r"strike\s", part, re.IGNORECASE) and number == len(parts) - 1 and number:
            strike = names.target(part[len("strike") :])
        else:
            legs.append(read_leg(part))
    return o.Fly(tuple(legs), strike)


def read_engage(names: Names, rest: str) -> o.Fly:
    target = names.target(rest)
    if target.kind == "unit" and names.foes.get(target.name) != "flight":
        raise BadOrder("BS-V-4", f"{target.name} is no flight", "use strike", IGNORED, f"strike {target.spoken()}")
    return o.Fly((), target)
