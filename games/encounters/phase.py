"""Which phase is open and whom it asks; the sides, their units, the outcome, and the names a side must not read."""

from __future__ import annotations

from games.encounters.data import catalogue
from games.encounters.orders.headers import Place
from games.encounters.rules.contacts import knows
from games.encounters.rules.engagement import concerned_powers
from games.encounters.rules.ground import concerned_on_the_ground
from games.encounters.rules.turn import after_upkeep
from games.encounters.state import State
from games.encounters.table import Table
from pbem.kit.game import Outcome, Phase, SideInfo


def sides(state: State) -> tuple[SideInfo, ...]:
    return tuple(SideInfo(key, state.powers[key].name) for key in state.seats)


def units(state: State, side: str) -> tuple[str, ...]:
    """The names that may open a block: battles of the phase, fleets, then units."""
    table = after_upkeep(state) if state.phase == "strategic" else Table(state)
    battles = [place.header for place in places_of(table, side)]
    return (*battles, *table.fleet_names(side), *(unit.name for unit in table.of(side)))


def phase(state: State) -> Phase | None:
    """3.1: the phase that is open, and the powers it concerns."""
    if state.ended is not None:
        return None
    return Phase(state.phase, state.turn, frozenset(powers_asked(Table(state), state.phase)))


def concerned(table: Table, where: str, system: str) -> list[str]:
    """3.1: the powers that a battle or ground block of a system asks."""
    return concerned_powers(table, system) if where == "battle" else concerned_on_the_ground(table, system)


def powers_asked(table: Table, where: str) -> list[str]:
    """EN-VIC-2: a power that is out is asked for no more orders."""
    playing = [key for key in table.seats if not table.powers[key].out]
    if where == "strategic":
        return playing
    wanted = {key for system in table.systems for key in concerned(table, where, system)}
    return [key for key in playing if key in wanted]


def places_of(table: Table, side: str) -> list[Place]:
    """The battles or ground battles that concern a side in the open phase."""
    where = table.state.phase
    if where == "strategic":
        return []
    return [Place(where, name) for name in sorted(table.systems) if side in concerned(table, where, name)]


def outcome(state: State) -> Outcome | None:
    if state.ended is None:
        return None
    return Outcome(frozenset(state.ended.winners), state.ended.reason, state.ended.scores)


# --- secrets ---------------------------------------------------------------------------------------------------------


def secrets(state: State, side: str) -> frozenset[str]:
    """Names that side may not know: of hostile units, fleets and designs it has neither met nor could call its own."""
    table = Table(state)
    allowed = open_words(table, side)
    hidden = {unit.name for unit in table.units.values() if not knows(table, side, unit)}
    hidden |= {fleet.name for fleet in table.fleets.values() if not knows(table, side, fleet)}
    for key in table.seats:
        if key != side:
            hidden |= {table.design_of(design).name for design in table.powers[key].designs if ":" in design}
            hidden |= {build.name for build in table.builds.values() if build.owner == key and build.name}
    return frozenset(
        name
        for name in hidden
        if not is_automatic(table, name) and not any(name.casefold() in word for word in allowed)
    )


def open_words(table: Table, side: str) -> list[str]:
    """Texts a side may read anyway: its own and its allies' names, the map, the catalogue, names it has met."""
    mine = table.powers[side]
    met = [sighting for contacts in mine.contacts.values() for contact in contacts for sighting in contact.units]
    words = (
        *(unit.name for unit in table.units.values() if knows(table, side, unit)),
        *(fleet.name for fleet in table.fleets.values() if knows(table, side, fleet)),
        *(table.design_of(key).name for key in mine.designs),
        *(build.name for build in table.builds.values() if build.owner == side),
        *mine.former,
        *(word for sighting in met for word in (sighting.name, sighting.fleet, *sighting.cargo) if word),
        *mine.known,
        *table.systems,
        *(word for power in table.powers.values() for word in (power.key, power.name)),
        *catalogue().designs,
    )
    return [word.casefold() for word in words]


def is_automatic(table: Table, name: str) -> bool:
    """``Lance 7``, ``Yard Vega``: names the rules give alike to everybody, which tell nothing by themselves."""
    head, _, tail = name.rpartition(" ")
    return name.startswith(("Yard ", "Retreat ")) or (tail.isdigit() and head in table.catalogue().designs)
