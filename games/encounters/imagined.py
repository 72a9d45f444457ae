"""A campaign that a view could come from: what its reader cannot see is drawn from the dice (section 8)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import cast

from games.encounters.data import PATHS, catalogue, tables
from games.encounters.phase import concerned
from games.encounters.rules.cargo import enemies_landed
from games.encounters.rules.economy import is_blockaded
from games.encounters.rules.readiness import readiness_at
from games.encounters.rules.supply import in_supply, is_depot, is_open
from games.encounters.rules.unseen import (
    GARRISON,
    STATION,
    TRANSPORT,
    WARSHIP,
    Draft,
    Recruits,
    draft,
    set_up,
    take_down,
)
from games.encounters.state import (
    Account,
    BlocHere,
    Encounter,
    Fleet,
    Known,
    Power,
    Readiness,
    SeenFleet,
    Stance,
    State,
    System,
    Upkeep,
    Values,
)
from games.encounters.table import Table
from games.encounters.view import Facing, View
from pbem.kit.dice import Dice
from pbem.kit.records import part, shared

STANCES: tuple[Stance, ...] = ("war", "war", "war", "peace")
RICHES = (0, 5, 10, 15, 20)


def imagined(view: View, dice: Dice) -> State:
    """The view with its gaps filled; seen by the same side, it is the same view again."""
    classes = {**catalogue().classes, **view.classes}
    recruits = Recruits(dice, classes, view.designs)
    bare = charted(view, recruits)
    table = Table(bare)
    table.designs = recruits.designs
    if view.side is not None:
        hide_forces(Shadows(view, table, recruits))
    designs = {key: d for key, d in recruits.designs.items() if catalogue().designs.get(key) != d}
    fleets = tuple(table.fleets[key] for key in sorted(table.fleets))
    return replace(
        bare, powers=table.powers, units=dict(sorted(table.units.items())), fleets=fleets, designs=designs,
        encounters=tuple(encounters(view, recruits)), next_id=max(table.units, default=0) + 1,
    )  # fmt: skip


# --- what is known, and what hangs on nothing ------------------------------------------------------------------------


def charted(view: View, recruits: Recruits) -> State:
    """Map, powers, and all units that the reader sees; nothing of what is hidden stands on it yet."""
    known = shared(Known, view)
    known["powers"] = {key: power_of(view, key, recruits) for key in view.powers}
    known["systems"] = {name: system_of(view, name, recruits) for name in view.systems}
    known["fleets"] = tuple(fleet_of(fleet) for fleet in view.fleets)
    done = None
    if view.phase == "strategic":
        closed = tuple(name for name, figures in view.figures.items() if figures.blockaded)
        done = Upkeep(closed, {key: part(Account, books) for key, books in view.books.items()})
    return State(**known, next_order=max((build.order for build in view.builds), default=0) + 1, upkeep=done)


def fleet_of(fleet: SeenFleet) -> Fleet:
    return fleet if isinstance(fleet, Fleet) else Fleet(**vars(fleet))


def power_of(view: View, key: str, recruits: Recruits) -> Power:
    """A foreign power: its stances as far as its blocs show them, the level-1 designs, some money."""
    power = view.powers[key]
    if isinstance(power, Power):
        return power
    return Power(
        **vars(power),
        treasury=recruits.drawn(RICHES, key, "treasury"),
        stance={other: stance_of(view, key, other, recruits) for other in view.seats if other != key},
        tech=dict.fromkeys(PATHS, 1),
        designs=tuple(name for name, design in recruits.designs.items() if design.level == 1 and ":" not in name),
    )


def stance_of(view: View, key: str, other: str, recruits: Recruits) -> Stance:
    if other == view.side:
        return cast(Stance, view.relations[key].returned)
    return "ally" if other in view.relations[key].bloc else recruits.drawn(STANCES, key, other, "stance")


def system_of(view: View, name: str, recruits: Recruits) -> System:
    """With its values as last known; of a system never seen, any that its CAP allows."""
    chart, seen = view.systems[name], view.values.get(name)
    if seen is not None:
        return System(**vars(chart), **shared(Values, seen))
    census = recruits.drawn(range(chart.CAP + 1), name, "CEN")
    morale, work = (recruits.drawn(range(min(census, 10) + 1), name, stat) for stat in ("MOR", "PROD"))
    return System(**vars(chart), CEN=census, MOR=morale, PROD=work)


def encounters(view: View, recruits: Recruits) -> Iterator[Encounter]:
    """EN-RDY-3: the own totals are known, those of the others drawn."""
    for system in sorted({facing.system for facing in view.facings}):
        known = [facing for facing in view.facings if facing.system == system]
        leads = {view.relations[facing.lead].bloc: facing.lead for facing in known}
        # The moderator sees every lead; others keep the order in which they met their enemies.
        blocs = {**leads, **{facing.against: leads.get(facing.against, facing.against[0]) for facing in known}}
        ordered = sorted(blocs, key=lambda bloc: view.seats.index(blocs[bloc])) if view.side is None else blocs
        here = tuple(BlocHere(bloc, blocs[bloc]) for bloc in ordered)
        pairs = [pair(one, other, known, recruits) for one in here for other in here if one is not other]
        yield Encounter(system, here, tuple(pairs))


def pair(bloc: BlocHere, other: BlocHere, known: Sequence[Facing], recruits: Recruits) -> Readiness:
    for facing in known:
        if facing.lead == bloc.lead and facing.against == other.members:
            return Readiness(bloc=bloc.lead, versus=other.lead, **vars(facing.readiness))
    die = recruits.drawn(range(1, 11), known[0].system, bloc.lead, other.lead, "readiness")
    return readiness_at(bloc.lead, other.lead, die)


# --- hidden forces ---------------------------------------------------------------------------------------------------


class Shadows:
    """The table on which hidden forces are set up, until all that the reader works out from it is as the view says."""

    def __init__(self, view: View, table: Table, recruits: Recruits) -> None:
        self.view = view
        self.table = table
        self.recruits = recruits
        self.side = view.side or ""
        self.bloc = view.relations[self.side].bloc
        self.hostile = [key for key in view.seats if key not in self.bloc]
        self.watched = [name for name in sorted(table.systems) if self.side in table.present(name)]
        """Systems the reader is in or owns: there it sees its bloc's units, and looks round at others."""
        self.supplied = {name: fed for name, figures in view.figures.items() if (fed := figures.supplied) is not None}
        places = {(fleet.owner, fleet.name): fleet.location for fleet in view.fleets}
        self.supplied |= {places[self.side, name]: f.supplied for name, f in view.flotillas.get(self.side, {}).items()}
        """EN-SUP-1, as the view says; a fleet that was lost keeps its place until the turn ends."""
        self.placed: dict[str, list[int]] = {}

    def place(self, system: str, drafts: Sequence[Draft]) -> None:
        take_down(self.table, self.placed.pop(system, ()))
        self.placed[system] = set_up(self.table, system, drafts)

    def fed(self, system: str) -> bool:
        return in_supply(self.table, self.side, system)

    def overfed(self) -> bool:
        """Something is in supply that the view says is not."""
        return any(self.fed(name) for name, supplied in self.supplied.items() if not supplied)

    def starving(self) -> list[str]:
        """What the view says is in supply and is not."""
        return [name for name, supplied in self.supplied.items() if supplied and not self.fed(name)]

    def looks_right(self, system: str) -> bool:
        """What the reader sees of the system itself: landed enemies, a blockade, whether orders are wanted there."""
        phase, figures = self.view.phase, self.view.figures[system]
        if system in self.watched and enemies_landed(self.table, self.side, system) != figures.contested:
            return False
        if phase == "strategic":
            return True
        owner = self.table.systems[system].owner
        visible = system in self.watched or owner in self.bloc
        if visible and is_blockaded(self.table, system) != figures.blockaded:
            return False
        return (self.side in concerned(self.table, phase, system)) == (system in self.view.places)


@dataclass(frozen=True)
class Way:
    """What a system is to be for the supply of the reader's bloc; None: whatever it likes."""

    closed: bool | None = None
    depot: bool | None = None

    def fits(self, shadows: Shadows, system: str) -> bool:
        closed, depot = is_closed(shadows, system), is_depot(shadows.table, shadows.side, system)
        return self.closed in (None, closed) and self.depot in (None, depot)


ANY_WAY, CUT, THROUGH, DEPOT = Way(), Way(closed=True, depot=False), Way(closed=False, depot=False), Way(depot=True)


def hide_forces(shadows: Shadows) -> None:
    """Likely forces first; where they contradict the view, others system by system."""
    drafts = {name: likely(shadows, name) for name in sorted(shadows.table.systems)}
    for name in drafts:
        settle(shadows, name, drafts[name])
    if shadows.starving() or shadows.overfed():
        trace_supply(shadows, drafts)


def likely(shadows: Shadows, system: str) -> list[Draft]:
    """Whoever the reader's contacts tell of; in a foreign system it has no eyes in, a garrison."""
    view, recruits = shadows.view, shadows.recruits
    owner, fresh = view.systems[system].owner, view.turn - (1 if view.phase == "strategic" else 0)
    contacts = [presence.contact for presence in view.presences if presence.system == system]
    met: list[Draft] = []
    for contact in contacts:
        stays = system in shadows.watched and contact.turn >= fresh
        if stays or recruits.drawn((True, False), system, *contact.powers, "still there"):
            met += recruits.met(contact, system)
    # Of its bloc's units the reader sees all where it is itself.
    met = [each for each in met if each.owner in shadows.hostile]
    if met or system in shadows.watched or owner is None:
        return met
    return recruits.garrison(owner, system)


def settle(shadows: Shadows, system: str, drafts: Sequence[Draft], way: Way = ANY_WAY) -> bool:
    """Set up the first variant of a force that looks right and serves supply as wanted."""
    for variant in variants(shadows, system, drafts):
        shadows.place(system, variant)
        if way.fits(shadows, system) and shadows.looks_right(system):
            return True
    return False


def variants(shadows: Shadows, system: str, drafts: Sequence[Draft]) -> Iterator[list[Draft]]:
    """The force as drawn, with its ships worn or gone; then with one ship, Station or troop more of somebody."""
    owner = shadows.table.systems[system].owner
    armed = [each for each in drafts if has_weight(shadows, each)]
    others = [each for each in drafts if each not in armed]
    ashore = [each for each in others if shadows.table.design_of(each.design).category != "troop"]
    bases: tuple[list[Draft], ...] = (
        list(drafts),
        [*(each.worn() for each in armed), *others],
        others,
        ashore,
        [],
    )
    yield from bases
    likely_first = [*(each.owner for each in drafts), *([owner] if owner else []), *shadows.view.seats]
    here = system in shadows.watched
    able = shadows.hostile if here else [key for key in shadows.view.seats if key != shadows.side]
    powers = [key for key in dict.fromkeys(likely_first) if key in able]
    singles = [extra for key in powers for extra in extras(key, owner)]
    for base in bases:
        yield from ([*base, *extra] for extra in singles)
    for one, other in combinations(singles, 2):
        yield from ([*base, *one, *other] for base in (others, []))


def has_weight(shadows: Shadows, wanted: Draft) -> bool:
    design = shadows.table.design_of(wanted.design)
    return design.category == "ship" or design.path == "Station"


def extras(power: str, owner: str | None) -> Iterator[tuple[Draft, ...]]:
    yield (draft(power, WARSHIP),)
    yield (draft(power, WARSHIP, "crippled"),)
    if power == owner:
        yield (draft(power, STATION),)
    yield (draft(power, GARRISON),)
    yield (draft(power, TRANSPORT), draft(power, GARRISON, afloat=True))


# --- supply ----------------------------------------------------------------------------------------------------------


def is_closed(shadows: Shadows, system: str) -> bool:
    return not is_open(shadows.table, shadows.side, system)


def trace_supply(shadows: Shadows, drafts: Mapping[str, list[Draft]]) -> None:
    """Cut every way that may be cut, then open as few as the supply of the view needs (EN-SUP-1).

    Cutting helps every system that is out of supply and opening every one that is in it, so a way is found if there is
    one.
    """
    for name in drafts:
        cut_off(shadows, name, drafts[name])
    own = {name for name in shadows.table.systems if shadows.table.systems[name].owner in shadows.bloc}
    cut = {name: THROUGH for name in drafts if is_closed(shadows, name)}
    depots = {name: DEPOT for name in sorted(own) if name not in shadows.watched}
    open_ways(shadows, drafts, [*cut.items(), *depots.items()])


def open_ways(shadows: Shadows, drafts: Mapping[str, list[Draft]], helps: Sequence[tuple[str, Way]]) -> bool:
    starving = shadows.starving()
    if not starving:
        return not shadows.overfed()
    near = within(shadows.table, starving[0], tables().movement.supply_lanes)
    able = [way for way in helps if way[0] in near]
    for few in (*combinations(able, 1), *combinations(able, 2), *combinations(able, 3)):
        done = [settle(shadows, name, drafts[name], way) for name, way in few]
        others = [way for way in helps if way not in few]
        if all(done) and shadows.fed(starving[0]) and not shadows.overfed() and open_ways(shadows, drafts, others):
            return True
        for name, _ in few:
            cut_off(shadows, name, drafts[name])
    return False


def cut_off(shadows: Shadows, system: str, drafts: Sequence[Draft]) -> None:
    """Closed, or at least no depot, where what the reader sees of the system allows it."""
    any(settle(shadows, system, drafts, way) for way in (CUT, THROUGH, ANY_WAY))


def within(table: Table, start: str, lanes: int) -> set[str]:
    reached = {start}
    for _ in range(lanes):
        reached |= {other for name in reached for other in table.neighbours(name)}
    return reached - {start}
