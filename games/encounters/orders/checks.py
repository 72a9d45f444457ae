"""What can only be judged when a whole battle letter has been read: EN-VAL-2, 21, 22."""

from __future__ import annotations

from games.encounters.orders.headers import Place
from games.encounters.orders.plans import BattlePlan
from games.encounters.orders.squadrons import SquadronReader
from games.encounters.rules.squadrons import choose_flagship, command_rating, within_number


def check(reader: SquadronReader) -> None:
    """Tell the player who really commands, which squadrons stand, and which names nobody formed."""
    for place in reader.squadrons:
        check_number(reader, place)
    for place in reader.flagships:
        if commands_from_afar(reader, place):
            check_station(reader, place)
    check_strangers(reader)


def check_number(reader: SquadronReader, place: Place) -> None:
    """EN-VAL-21, 22: the Flagship stands in a squadron, and its CR is the number of squadrons."""
    table, judge = reader.table, reader.judge
    formed = [(name, ships) for name, ships in reader.squadrons[place].items() if ships]
    squadrons = [(name, [table.units[number] for number in ships]) for name, ships in formed]
    stations = [table.units[number] for number in reader.stations.get(place, ())]
    ordered = reader.flagships.get(place)
    flagship = choose_flagship(table, BattlePlan(flagship=ordered), squadrons, stations)
    if flagship is None or not squadrons:
        return
    if ordered is not None and flagship.id != ordered:
        reason = f"the Flagship {table.units[ordered].name} is in no squadron"
        hint, instead = f"highest CR: {flagship.name}", f"{flagship.name} commands"
        judge.warn(reader.lines[place, "flagship"], "EN-VAL-21", reason, hint, instead, f"flagship {flagship.name}")
    standing = within_number(table, squadrons, flagship)
    if len(standing) < len(squadrons):
        rating = command_rating(table, flagship)
        reason = f"{len(squadrons)} squadrons, the CR of {flagship.name} is {rating}"
        instead = f"these stand: {', '.join(name for name, _ in standing)}"
        for name in [name for name, _ in squadrons if name not in dict(standing)]:
            judge.warn(reader.lines[place, name], "EN-VAL-22", reason, f"at most {rating}", instead)


def commands_from_afar(reader: SquadronReader, place: Place) -> bool:
    """A Station that commands ships in a space battle must be ordered in; auto-arranged ships do not bring it."""
    unit = reader.table.units[reader.flagships[place]]
    ships = any(reader.table.is_ship(own) for own in reader.own_at(place))
    alone = not ships or place.where == "ground" or bool(reader.squadrons.get(place))
    return reader.table.is_station(unit) and not alone and unit.id not in reader.stations.get(place, ())


def check_station(reader: SquadronReader, place: Place) -> None:
    """EN-VAL-21: whoever has the highest CR commands in its stead."""
    wanted, best = reader.table.units[reader.flagships[place]].name, reader.best_commander(place)
    line, reason = reader.lines[place, "flagship"], f"{wanted} is not ordered in"
    fix = f"{line.text}\nstation {wanted}"
    reader.judge.warn(line, "EN-VAL-21", reason, f"station {wanted}", f"{best} commands", fix)


def check_strangers(reader: SquadronReader) -> None:
    """EN-VAL-2: squadrons that this letter speaks to but does not form; an earlier letter may."""
    formed = [name for squadrons in reader.squadrons.values() for name in squadrons]
    for name, line in reader.strangers.items():
        hint = f"squadrons: {', '.join(formed)}" if formed else f"squadron {name} = ..."
        instead = "it counts only if an earlier letter forms the squadron"
        reader.judge.note(line, "EN-VAL-2", f"no unit or squadron called '{name}' here", hint, instead)
