"""Points, winners and powers that are out (rule book EN-VIC; scenarios 10.4 to 10.6)."""

from __future__ import annotations

from fractions import Fraction

from games.encounters.state import Ended
from games.encounters.table import Table

Bloc = tuple[str, ...]


def points_held(table: Table, power: str) -> int:
    """What a power scores for the systems it owns, which everybody knows."""
    rules = table.state.victory
    owned = [system for system in table.systems.values() if system.owner == power]
    return sum(rules.points.get(system.name, system.RAW if rules.others_score_raw else 0) for system in owned)


def points_of(table: Table, power: str) -> int:
    """What a power scores by the scenario's text."""
    rules, total = table.state.victory, points_held(table, power)
    homes = {home for home in rules.homes.values() if table.systems[home].owner == power}
    total += rules.captured_home * len(homes - {rules.homes.get(power)})
    if rules.destroyed_ep:
        enemies = [key for key in table.seats if not table.same_bloc(power, key)]
        total += sum(table.powers[key].lost for key in enemies) // rules.destroyed_ep
    return total


def bloc_points(table: Table, bloc: Bloc) -> Fraction:
    """10.6: a bloc's sum divided by the number of its members, as an exact fraction."""
    total = Fraction(sum(points_of(table, key) for key in bloc))
    return total / len(bloc) if table.state.victory.shared_by_bloc else total


def drop_beaten_powers(table: Table) -> None:
    """EN-VIC-2: a power with no system and no ship is out."""
    owners = {system.owner for system in table.systems.values()}
    sailing = {unit.owner for unit in table.units.values() if table.is_ship(unit)}
    for key in table.seats:
        if key not in owners and key not in sailing and not table.powers[key].out:
            table.change(table.powers[key], out=True)
            table.tell("out", "EN-VIC-2", table.seats, {"power": key})


def blocs_left(table: Table) -> list[Bloc]:
    return table.blocs_among(key for key in table.seats if not table.powers[key].out)


def at_once(table: Table) -> list[Bloc]:
    """EN-VIC-1: blocs that fulfil a condition that wins at once."""
    rules = table.state.victory
    throned = bool(rules.throne) and table.throne_held >= rules.throne_turns
    return [
        bloc
        for bloc in blocs_left(table)
        if (rules.homes_win_at_once and holds_a_foreign_home(table, bloc)) or (throned and table.throne_holder in bloc)
    ]


def holds_a_foreign_home(table: Table, bloc: Bloc) -> bool:
    homes = table.state.victory.homes
    held = {home for home in homes.values() if table.systems[home].owner in bloc}
    if table.state.victory.captured_home:
        # 10.5: both homes must be held.
        return len(homes) > 1 and held == set(homes.values())
    return any(home in held and key not in bloc for key, home in sorted(homes.items()))


def count_throne(table: Table) -> None:
    throne = table.state.victory.throne
    if not throne:
        return
    owner = table.systems[throne].owner or ""
    same = owner and owner == table.state.throne_holder
    table.throne_held = (table.state.throne_held + 1 if same else 1) if owner else 0
    table.throne_holder = owner


def judge(table: Table) -> Ended | None:
    """Step 18, EN-VIC-1, 2: the campaign ends at once, with the last bloc, or with the last turn."""
    table.step = "the score"
    count_throne(table)
    drop_beaten_powers(table)
    left = blocs_left(table)
    if len(left) <= 1:
        return finish(table, left[0] if left else (), "the last bloc in the field")
    winners = at_once(table)
    if len(winners) == 1:
        return finish(table, winners[0], "a victory at once")
    if winners or table.turn >= table.switches.turn_limit:
        return by_points(table, winners or left)
    return None


def by_points(table: Table, blocs: list[Bloc]) -> Ended:
    ranked = sorted(blocs, key=lambda bloc: (-bloc_points(table, bloc), table.seat(bloc[0])))
    best, second = bloc_points(table, ranked[0]), bloc_points(table, ranked[1])
    rules, lead = table.state.victory, best - second
    if best == second or lead < rules.margin:
        return finish(table, (), f"a draw, {spoken(best)} points to {spoken(second)}")
    word = "a decisive victory" if rules.decisive and lead >= rules.decisive else "victory"
    return finish(table, ranked[0], f"{word}, {spoken(best)} points to {spoken(second)}")


def spoken(points: Fraction) -> str:
    return str(points.numerator) if points.denominator == 1 else f"{points.numerator}/{points.denominator}"


def finish(table: Table, winners: Bloc, how: str) -> Ended:
    names = " and ".join(table.name(key) for key in winners)
    reason = f"{names}: {how}." if winners else f"{how[0].upper()}{how[1:]}."
    scores = {key: points_of(table, key) for key in table.seats}
    table.tell("victory", "EN-VIC-1", table.seats, {"powers": list(winners), "points": scores, "reason": reason})
    return Ended(winners, reason, scores)
