"""Readers of turn orders: one function a verb (section 6.4)."""

from __future__ import annotations

import re
from collections.abc import Callable

from games.battleshift.orders import words as w
from games.battleshift.orders.grammar import (
    IGNORED,
    Names,
    bad_syntax,
    read_bearing,
    read_distance,
    read_formation,
    read_point,
    take_clause,
    take_min,
)
from games.battleshift.orders.words import Detail, Move
from games.battleshift.rules.space import read_sector
from games.battleshift.state import QUADRANTS, Return
from pbem.kit.sheet import BadOrder, match_name

Reader = Callable[[Names, str], Detail]
DISTANCE = r"(\d{1,4}(?:\.\d{1,2})?\"?)"


def read_move(names: Names, rest: str) -> Move:
    words = rest.split()
    if not words:
        raise bad_syntax("move", rest)
    head = words[0].casefold()
    if head == "to":
        point = read_point(rest[2:])
        if point is not None:
            return Move("to", x=point[0], y=point[1])
    elif head == "toward" or head == "towards":
        return _read_toward(names, rest[len(words[0]) :].strip())
    elif head == "away" and len(words) > 2 and words[1].casefold() == "from":
        return _read_away(names, " ".join(words[2:]))
    elif head == "ahead" and len(words) == 2:
        distance = read_distance(words[1])
        if distance is not None and distance >= 0:
            return Move("ahead", distance=distance)
    elif head in ("port", "starboard") and len(words) == 3 and words[1].isdigit():
        distance = read_distance(words[2])
        if distance is not None and distance >= 0 and int(words[1]) <= 180:
            return Move("port" if head == "port" else "starboard", int(words[1]), distance)
    elif len(words) == 2:
        bearing, distance = read_bearing(words[0]), read_distance(words[1])
        if bearing is not None and distance is not None and distance >= 0:
            return Move("bearing", bearing, distance)
    raise bad_syntax("move", rest)


def _read_toward(names: Names, rest: str) -> Move:
    rest, stop = take_clause(rest, rf"to\s+{DISTANCE}")
    rest, far = take_clause(rest, DISTANCE)
    if not rest:
        raise bad_syntax("move", f"toward {rest}")
    who = names.any_unit(rest)
    return Move(
        "toward", 0, read_distance(far[1]) if far else None, who=who, stop=read_distance(stop[1]) if stop else None
    )


def _read_away(names: Names, rest: str) -> Move:
    rest, far = take_clause(rest, DISTANCE)
    if not rest:
        raise bad_syntax("move", f"away from {rest}")
    return Move("away", 0, read_distance(far[1]) if far else None, who=names.any_unit(rest))


def read_hold(_names: Names, rest: str) -> Move:
    if rest:
        raise bad_syntax("hold", rest)
    return Move("hold")


def read_face(names: Names, rest: str) -> w.Face:
    words = rest.split()
    head = words[0].casefold() if words else ""
    if head in ("toward", "towards") and len(words) > 1:
        return w.Face("toward", who=names.any_unit(" ".join(words[1:])))
    if head == "course" and len(words) == 1:
        return w.Face("course")
    if head in ("port", "starboard") and len(words) == 2 and words[1].isdigit() and int(words[1]) <= 180:
        return w.Face("port" if head == "port" else "starboard", int(words[1]))
    bearing = read_bearing(rest) if len(words) == 1 else None
    if bearing is None:
        raise bad_syntax("face", rest)
    return w.Face("bearing", bearing)


def read_form(_names: Names, rest: str) -> w.Form:
    return w.Form(read_formation(rest))


WEAPON_WORDS = {"heavy": "heavy", "broadside": "broadside", "super": "super", "light": "light", "ion": "ion"}
WEAPON_WORDS |= {"heavyion": "heavy_ion", "all": "all"}


def read_fire(names: Names, rest: str) -> w.Fire:
    words = rest.split()
    if [word.casefold() for word in words] == ["none"]:
        return w.Fire("all", ())
    weapon = WEAPON_WORDS.get(words[0].casefold()) if words else None
    if weapon is None or len(words) < 2:
        raise bad_syntax("fire", rest)
    if words[1].casefold() == "none" and len(words) == 2:
        return w.Fire(weapon, ())
    if words[1].casefold() != "at" or len(words) < 3:
        raise bad_syntax("fire", rest)
    return _read_aim(names, weapon, " ".join(words[2:]))


def _read_aim(names: Names, weapon: str, rest: str) -> w.Fire:
    """Targets with their clauses, which may stand in any order."""
    least, disable, moment, after = 1, False, "best", 0
    while True:
        before = rest
        rest, value = take_min(rest)
        least = value if rest != before else least
        rest, found = take_clause(rest, "to disable")
        disable = disable or found is not None
        rest, found = take_clause(rest, rf"after\s+{DISTANCE}")
        if found is not None:
            moment, after = "after", read_distance(found[1]) or 0
        rest, found = take_clause(rest, "(start|end)")
        if found is not None:
            moment = found[1].casefold()
        if rest == before:
            break
    targets = names.targets(rest)
    if not targets:
        raise bad_syntax("fire", rest)
    for target in targets:
        if target.name == "flights" or names.foes.get(target.name) == "flight":
            reason = f"batteries cannot fire at flights ('{target.name}')"
            raise BadOrder("BS-V-24", reason, "use missiles, interceptors or flights", IGNORED)
    return w.Fire(weapon, targets, least, disable, moment, after)  # type: ignore[arg-type]


def read_missiles(names: Names, rest: str) -> w.Missiles:
    if rest.casefold() == "none":
        return w.Missiles(())
    if not rest.casefold().startswith("at "):
        raise bad_syntax("missiles", rest)
    rest, least = take_min(rest[3:])
    targets = names.targets(rest)
    if not targets:
        raise bad_syntax("missiles", rest)
    return w.Missiles(targets, least)


def read_intercept(_names: Names, rest: str) -> w.Intercept:
    rest, least = take_min(rest, 1000)
    what = rest.casefold()
    if what not in ("any", "missiles", "fighters", "self", "none"):
        raise bad_syntax("intercept", rest)
    return w.Intercept(what, least)  # type: ignore[arg-type]


def read_lightguns(_names: Names, rest: str) -> w.LightGuns:
    if rest.casefold() not in ("auto", "battery", "interceptor"):
        raise bad_syntax("lightguns", rest)
    return w.LightGuns(rest.casefold())  # type: ignore[arg-type]


def read_lose(names: Names, rest: str) -> w.Lose:
    if rest.casefold() in ("front", "rear"):
        return w.Lose(rest.casefold())  # type: ignore[arg-type]
    ships = []
    for item in rest.split(","):
        found = re.fullmatch(r"(.+)\.(\d)", item.strip())
        if not found:
            raise bad_syntax("lose", rest)
        ships.append((names.own_unit(found[1], ("squadron", "station")), int(found[2])))
    return w.Lose("list", tuple(ships))


def read_mode(_names: Names, rest: str) -> w.Mode:
    if rest.casefold() not in ("volley", "staggered", "concentrate"):
        raise bad_syntax("mode", rest)
    return w.Mode(rest.casefold())  # type: ignore[arg-type]


def read_detach(_names: Names, rest: str) -> w.Detach:
    if rest:
        raise bad_syntax("detach", rest)
    return w.Detach()


def read_add(names: Names, rest: str) -> w.Add:
    return w.Add(names.own_unit(rest, ("squadron", "station")))


def read_flagship(names: Names, rest: str) -> w.FlagshipTo:
    return w.FlagshipTo(names.own_unit(rest.split(".")[0], ("squadron", "station")))


SHIFT = re.compile(
    r"out(?:\s+return\s+turn\s+(\d{1,3})\s+sector\s+(\S+)\s+facing\s+(\w+)(?:\s+at\s+(\S+\s*,\s*\S+|\S+))?)?",
    re.IGNORECASE,
)


def read_shift(names: Names, rest: str) -> w.Shift:
    found = SHIFT.fullmatch(rest)
    if not found:
        raise bad_syntax("shift", rest)
    if found[1] is None:
        return w.Shift()
    return w.Shift(read_return(names, int(found[1]), found[2], found[3], found[4]))


def read_return(names: Names, turn: int, sector: str, facing: str, point: str | None) -> Return:
    """Turn, sector, facing and perhaps a point; BS-V-38 for a sector that does not exist."""
    state = names.battle.state
    where = read_sector(sector, state.width_ft, state.height_ft)
    bearing = read_bearing(facing)
    if where is None:
        reason = f"no sector '{sector}' on a table of {state.width_ft} by {state.height_ft} feet"
        raise BadOrder("BS-V-38", reason, "for example 5B: column, then row", IGNORED)
    place = read_point(point) if point else None
    if bearing is None or (point and place is None):
        raise bad_syntax("shift", f"out return turn {turn} sector {sector} facing {facing} {point or ''}")
    x, y = place if place else (None, None)
    return Return(turn, where.name, bearing, x, y)


def read_arrive(_names: Names, rest: str) -> w.Arrive:
    found = re.fullmatch(r"at\s+([\d.\"]+\s*,\s*[\d.\"]+)(?:\s+form\s+(.+))?", rest, re.IGNORECASE)
    point = read_point(found[1]) if found else None
    if not found or point is None:
        raise bad_syntax("arrive", rest)
    formation = read_formation(found[2]) if found[2] else None
    if formation is not None and formation.kind in ("cone", "tfcone", "ring"):
        raise BadOrder("BS-V-4", "nobody arrives in a cone or ring (BS-FRM-7)", "form cluster", IGNORED)
    return w.Arrive(*point, formation)


ESCAPE = re.compile(r"(?:when\s+(damage|suppression)\s*>=\s*(\d+)\s*(%?)|when\s+(ships)\s*<=\s*(\d+))?", re.IGNORECASE)


def read_escape(_names: Names, rest: str) -> w.Escape:
    found = ESCAPE.fullmatch(rest)
    if not found:
        raise bad_syntax("escape", rest)
    if found[4]:
        return w.Escape("ships", int(found[5]))
    if not found[1]:
        return w.Escape()
    test, value = found[1].casefold(), int(found[2])
    if (test == "damage") != (found[3] == "%"):
        raise bad_syntax("escape", rest)
    if test == "damage" and not 1 <= value <= 300:
        nearest = max(1, min(300, value))
        raise BadOrder("BS-V-61", f"{value}% is outside 1-300", f"escape when damage >= {nearest}%", IGNORED)
    return w.Escape(test, value)  # type: ignore[arg-type]


def act_reader(verb: str) -> Reader:
    """Board, assault, engulf, release and tow are read alike."""

    def read(names: Names, rest: str) -> w.Act:
        if not rest:
            raise bad_syntax(verb, rest)
        if verb == "release":
            found = re.fullmatch(r"(.+)\.(\d)", rest)
            if not found:
                raise bad_syntax(verb, rest)
            return w.Act("release", names.own_unit(found[1]), int(found[2]))
        unit, number = names.ship(rest, foes_first=verb in ("engulf", "tow"))
        return w.Act(verb, unit, number)  # type: ignore[arg-type]

    return read


def read_dock(names: Names, rest: str) -> w.Dock:
    return w.Dock(names.own_unit(rest, ("station",)))


def read_undock(_names: Names, rest: str) -> w.Undock:
    if rest:
        raise bad_syntax("dock", rest)
    return w.Undock()


def read_land(names: Names, rest: str) -> w.Land:
    found = re.fullmatch(r"(\d{1,3})\s+(.+)\s+(NE|SE|SW|NW)", rest, re.IGNORECASE)
    if not found:
        raise bad_syntax("land", rest)
    body = match_name(found[2], names.bodies)
    if body is None:
        raise names.unknown(found[2], names.bodies)
    return w.Land(int(found[1]), body, found[3].upper())


def read_transfer(_names: Names, rest: str) -> w.TransferGround:
    found = re.fullmatch(r"(\d{1,3})\s+(\w\w)\s+to\s+(\w\w)", rest, re.IGNORECASE)
    if not found or found[2].upper() not in QUADRANTS or found[3].upper() not in QUADRANTS:
        raise bad_syntax("transfer", rest)
    return w.TransferGround(int(found[1]), found[2].upper(), found[3].upper())


def read_sequence(names: Names, rest: str) -> w.Sequence:
    units = tuple(names.own_unit(item, ("taskforce", "planet")) for item in rest.split(",") if item.strip())
    if not units:
        raise bad_syntax("sequence", rest)
    return w.Sequence(units)


def read_detached(names: Names, rest: str) -> w.DetachedOrder:
    units = tuple(names.own_unit(item) for item in rest.split(",") if item.strip())
    if not units:
        raise bad_syntax("detached", rest)
    return w.DetachedOrder(units)


def read_initiative(_names: Names, rest: str) -> w.Initiative:
    if rest.casefold() not in ("first", "second"):
        raise bad_syntax("initiative", rest)
    return w.Initiative(rest.casefold())  # type: ignore[arg-type]


def read_concede(_names: Names, rest: str) -> w.Concede:
    if rest:
        raise bad_syntax("concede", rest)
    return w.Concede()


def read_clear(_names: Names, rest: str) -> w.Clear:
    if rest:
        raise bad_syntax("clear", rest)
    return w.Clear()


def read_player(_names: Names, rest: str) -> w.Player:
    if not rest:
        raise bad_syntax("player", rest)
    return w.Player(rest)
