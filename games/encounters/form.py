"""The order form of a phase: what there is to decide, with every figure and example taken from the offers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from games.encounters.data import Design
from games.encounters.orders.headers import Place
from games.encounters.orders.offering import Desk, Wares
from games.encounters.orders.offers_battle import Front, damage, endings, fighting, forcing, landing, lists
from games.encounters.orders.offers_empire import builds, cancels, intel, investments, repairs, research, stances
from games.encounters.orders.offers_fleet import loading, moves, transfers, unloading
from games.encounters.orders.offers_squadron import flagships, forming, missions
from games.encounters.rules.economy import example_stats
from games.encounters.rules.names import free_variant
from games.encounters.state import Unit
from games.encounters.view import View
from pbem.kit.choices import Choice, Closed, fillings
from pbem.kit.sheet import Sheet

MOST_SHOWN = 5
"""Of a small group the lines themselves are shown, of a larger one the first few."""


def template(view: View) -> str:
    if view.own is None or view.own.out or view.ended:
        return "# There is nothing to order.\n"
    head = [f"# {view.own.name}, turn {view.turn}, {view.phase} phase", f"turn {view.turn}", ""]
    desk = Desk(view, Sheet())
    body = strategic_form(desk) if view.phase == "strategic" else [*battle_forms(desk)]
    return "\n".join([*head, *body, "", "END", ""])


# --- what offers say, in lines of a form -----------------------------------------------------------------------------


class Shelf:
    """The wares of one offer: what can be ordered, and what not and why."""

    def __init__(self, wares: Wares) -> None:
        offered = list(wares)
        self.choices = [ware for ware in offered if isinstance(ware, Choice)]
        self.closed = [ware for ware in offered if isinstance(ware, Closed)]

    def of(self, group: str) -> list[Choice]:
        return [choice for choice in self.choices if choice.group == group]

    def examples(self, *groups: str) -> list[str]:
        """One order of each group that has any."""
        firsts = [self.of(group)[:1] for group in groups]
        return [text_of(choice) for few in firsts for choice in few]


def text_of(choice: Choice) -> str:
    """Its first line with the blank filled by what a player most likely wants."""
    likely = getattr(choice.fill, "now", None)
    return choice.lines[0].replace("{}", str(likely) if likely is not None else next(fillings(choice.fill)), 1)


def shown(choices: Sequence[Choice], indent: str = "") -> list[str]:
    """The first few of a group, one a line with its figures, and how many more there are."""
    lines = [f"{indent}# {text_of(choice)}     # {choice.note}" for choice in choices[:MOST_SHOWN]]
    more = len(choices) - MOST_SHOWN
    return [*lines, f"{indent}#   and {more} more"] if more > 0 else lines


def abreast(orders: Sequence[str], indent: str = "") -> list[str]:
    """Several orders on one line, all but the first to be moved before they can be sent."""
    return [indent + "".join(f"# {order}     " for order in orders).rstrip()] if orders else []


def refused(closed: Iterable[Closed], indent: str = "") -> list[str]:
    return [f"{indent}# {shut.why} ({shut.rule})" for shut in list(closed)[:MOST_SHOWN]]


# --- strategic -------------------------------------------------------------------------------------------------------


def strategic_form(desk: Desk) -> list[str]:
    return [
        *treasury_lines(desk), *stance_lines(desk), *yard_lines(desk), *design_lines(desk), *research_lines(desk),
        *repair_lines(desk), *intel_lines(desk), *fleet_lines(desk), *cargo_lines(desk),
        "# Empire: doctrine retreat losses 50     # engage, retreat, absorb, pursue, direct, orbital",
    ]  # fmt: skip


def treasury_lines(desk: Desk) -> list[str]:
    books = desk.view.books[desk.side]
    sums = f"{books.in_hand} in hand + {books.income} income - {books.maintenance} maintenance"
    return [f"# Funds: {sums} = {desk.own.treasury} EP to spend.", ""]


def stance_lines(desk: Desk) -> list[str]:
    view = desk.view
    others = {key: view.powers[key].name for key in view.seats if key != view.side}
    standing = {key: f"you {view.relations[key].stance}, they {view.relations[key].returned}" for key in others}
    lines = [f"# {name} ({key}): {standing[key]}" for key, name in others.items()]
    return [*lines, *abreast([text_of(choice) for choice in Shelf(stances(desk)).choices[:2]]), ""]


def yard_lines(desk: Desk) -> list[str]:
    """What each own system yields, what its yards and works still hold, and what is building."""
    view, lines = desk.view, ["# Building:"]
    for system in view.systems.values():
        figures = view.figures[system.name]
        if system.owner != view.side or figures.yard is None or figures.works is None:
            continue
        yard, works, now = figures.yard, figures.works, view.values[system.name]
        state = "blockaded" if figures.blockaded else f"yield {figures.income} EP"
        lines.append(
            f"#   {system.name}: CEN {now.CEN} MOR {now.MOR} PROD {now.PROD} of CAP {system.CAP}, {state}; "
            f"yards {yard[1]} of {yard[0]} used, works {works[1]} of {works[0]} used"
        )
    for build in view.builds:
        what = view.designs[build.design].name + (f" '{build.name}'" if build.name else "")
        lines.append(f"#   {what} at {build.system}: {build.weeks} weeks, {turns(view, build.weeks)} to go")
    growing = Shelf(investments(desk))
    return [*lines, *shown(Shelf(cancels(desk)).choices), *shown(growing.choices), *refused(growing.closed), ""]


def turns(view: View, weeks: int) -> str:
    left = view.turns(weeks)
    return f"{left} turn" if left == 1 else f"{left} turns"


def design_lines(desk: Desk) -> list[str]:
    """Every design that can be laid down now, with the largest number where it fits best; the others by name."""
    offered, view = Shelf(builds(desk)), desk.view
    able: dict[str, Choice] = {}
    for choice in offered.choices:
        key = choice.label.split(" (")[0]
        if key not in able or most_of(choice) > most_of(able[key]):
            able[key] = choice
    places = Counter(place_of(choice) for choice in able.values())
    usual = places.most_common(1)[0][0] if places else ""
    lines = [f"# What can be built (cost, maintenance, DV/AS/AF/CV, CC, CR), and how many of it alone {usual}:"]
    idle = []
    for design in (view.designs[key] for key in view.books[desk.side].designs):
        if design.name in able:
            where = place_of(able[design.name])
            elsewhere = "" if where == usual else f" {where}"
            lines.append(f"#   {stats_of(view, design)}; {most_of(able[design.name])}{elsewhere}")
        else:
            idle.append(f"{design.name} {design.cost} EP")
    lines = [*(lines if able else []), *([f"#   Not now: {', '.join(idle)}."] if idle else [])]
    return [*lines, *refused(offered.closed), *abreast(offered.examples("build")), ""]


def stats_of(view: View, design: Design) -> str:
    able = f" {', '.join(design.abilities)}" if design.abilities else ""
    stats = f"{design.DV}/{design.AS}/{design.AF}/{design.CV}, CC {design.CC} CR {design.CR}{able}"
    price = f"{design.cost} EP, {turns(view, design.base_cost)}, {design.M}/{design.G}"
    return f"{design.name} {design.mark}: {price}, {stats}"


def most_of(choice: Choice) -> int:
    most: int = getattr(choice.fill, "most", 0)
    return most


def place_of(choice: Choice) -> str:
    return choice.label[choice.label.index(" at ") + 1 :]


def research_lines(desk: Desk) -> list[str]:
    own, books = desk.own, desk.view.books[desk.side]
    lines = []
    for path in sorted(own.tech):
        if own.tech[path]:
            waiting = "; an advance waits for a design order" if own.pending.get(path) else ""
            banked = f"{own.research.get(path, 0)} of {books.needed[path]} EP banked"
            lines.append(f"#   {path} {own.tech[path]}: {banked}{waiting}")
    offered = Shelf(research(desk))
    return [
        "# Research:",
        *lines,
        *abreast([*offered.examples("research"), *drawings(desk)]),
        *refused(offered.closed),
        "",
    ]


def drawings(desk: Desk) -> Iterator[str]:
    """EN-UNT-2: a design for each advance that waits, its stats one legal division of CP."""
    table = desk.letter.start.table
    for path, waits in sorted(table.powers[desk.side].pending.items()):
        of = next((of for of in table.classes().values() if of.path == path and waits), None)
        if of is not None:
            level = table.powers[desk.side].tech[path] + 1
            name = free_variant(table, desk.side, f"{path} Mark")
            yield f"design {name} {of.code} {example_stats(of.cp_at(level))}"


def repair_lines(desk: Desk) -> list[str]:
    """Crippled units that can be repaired, and in one line each reason why others cannot."""
    able: list[Choice] = []
    barred: dict[str, list[str]] = {}
    for unit in desk.table.of(desk.side):
        for ware in repairs(desk, unit, "Empire"):
            if isinstance(ware, Choice):
                able.append(ware)
            else:
                reason = ware.why.removeprefix(f"{unit.name}: ")
                barred.setdefault(f"{reason} ({ware.rule})", []).append(unit.name)
    lines = [f"# no repair now: {', '.join(names)}: {reason}" for reason, names in barred.items()]
    return [*shown(able), *lines]


def intel_lines(desk: Desk) -> list[str]:
    held = [f"{system} {points}" for system, points in sorted(desk.own.intel.items()) if points]
    offered = Shelf(intel(desk)).choices
    buying = [choice for choice in offered if choice.lines[0].startswith("intel buy")]
    spending = [choice for choice in offered if choice.lines[0].startswith("intel spend")]
    places = ", ".join(f"{place_of(choice)[3:]} {most_of(choice)}" for choice in buying)
    bought = [f"# {text_of(buying[0])}     # 2 EP each; most: {places}"] if buying else []
    return [f"# Intel held: {', '.join(held) or 'none'}", *bought, *shown(spending), ""]


def fleet_lines(desk: Desk) -> list[str]:
    lines = []
    for fleet in desk.view.fleets:
        if fleet.owner != desk.side:
            continue
        figures, offered = desk.view.flotillas[fleet.owner][fleet.name], Shelf(moves(desk, fleet.name))
        ways = [f"{choice.lines[0]} ({choice.note.split()[0]} MP)" for choice in offered.choices if choice.marks]
        more = [f"{len(ways) - MOST_SHOWN} more"] if len(ways) > MOST_SHOWN else []
        lines.append(f"{fleet.name}:     # {', '.join(figures.ships)}; {figures.MP} MP, {figures.CC} CC")
        lines.append("  hold     # " + "; or ".join([f"at {fleet.location}", *ways[:MOST_SHOWN], *more]))
        lines += refused(offered.closed, "  ")
        joining = [choice for choice in Shelf(transfers(desk, fleet.name)).choices if "a new fleet" not in choice.note]
        lines += abreast(sorted((text_of(choice) for choice in joining), key=len)[:1], "  ")
    return lines


def cargo_lines(desk: Desk) -> list[str]:
    """Carriers with something aboard, or with room for something ashore."""
    lines = []
    for unit in desk.table.of(desk.side):
        if not desk.table.ship_or_station(unit) or not desk.table.design(unit).CV:
            continue
        aboard = ", ".join(passenger.name for passenger in desk.table.aboard(unit.id))
        off, on = Shelf(unloading(desk, unit)), Shelf(loading(desk, unit))
        if off.choices:
            lines.append(f"# {unit.name}: {text_of(off.choices[-1])}     # aboard: {aboard}")
        elif aboard:
            lines.append(f"# {unit.name} has aboard: {aboard}")
        if on.choices:
            others = "".join(f", or {choice.label.removeprefix('load ')}" for choice in on.choices[1:MOST_SHOWN])
            room = f"{desk.table.free_cv(unit)} CV free"
            lines.append(f"# {unit.name}: {text_of(on.choices[0])}     # {room}{others}")
    return [*lines, ""]


# --- battle and ground -----------------------------------------------------------------------------------------------


def battle_forms(desk: Desk) -> Iterator[str]:
    """One block for each battle that waits for orders."""
    for system in desk.view.places:
        front = Front(desk, Place("battle" if desk.view.phase == "battle" else "ground", system))
        yield from [f"{front.place.header}:", *readiness_lines(desk.view, system), *force_lines(front)]
        yield from battle_lines(front) if front.place.where == "battle" else ground_lines(front)
        yield ""


def battle_lines(front: Front) -> Iterator[str]:
    yield from either(fighting(front))
    yield from arrangement(front)
    extra, force = Shelf(lists(front)), Shelf(forcing(front))
    yield from abreast([*extra.examples("station", "hold"), *force.examples("force")], "  ")
    yield from refused(force.closed, "  ")
    fire, end = Shelf(damage(front)), Shelf(endings(front))
    yield from abreast([*aims(fire, "ships"), *fire.examples("absorb"), *end.examples("rounds")], "  ")
    yield from abreast([text_of(choice) for choice in end.of("retreat")[-1:]], "  ")
    yield from abreast(end.examples("retreat to", "pursue"), "  ")
    yield from mission_lines(front)


def ground_lines(front: Front) -> Iterator[str]:
    troops = [unit for unit in front.here if front.table.is_troop(unit)]
    listed = [f"{u.name} ({front.table.design(u).name}, {'landed' if u.landed else 'aboard'})" for u in troops]
    yield f"  # Troops: {', '.join(listed) or 'none'}"
    ground = Shelf(landing(front))
    yield from either(choice for choice in ground.of("attack"))
    yield from refused([shut for shut in ground.closed if shut.group == "attack"], "  ")
    yield from either(choice for choice in ground.of("orbital"))
    yield from either(choice for choice in ground.of("bombard"))
    spare = ground.examples("exclude own")
    yield from abreast([*spare, *aims(Shelf(damage(front)), "troops"), *Shelf(damage(front)).examples("absorb")], "  ")
    if front.desk.view.systems[front.place.system].owner is not None:
        yield "  # For an orbital battle: squadron, flagship, missions and the rest as in a battle."


def either(wares: Wares) -> list[str]:
    """A few orders of which one is given: the first to be uncommented, the others behind it."""
    choices = Shelf(wares).choices[: MOST_SHOWN + 1]
    if not choices:
        return []
    first, *others = [text_of(choice) for choice in choices]
    verb = f"{first.split()[0]} "
    words = ", ".join(other.removeprefix(verb) for other in others)
    return [f"  # {first}     # {f'or {words}; ' if words else ''}{choices[0].note}"]


def aims(fire: Shelf, kind: str) -> list[str]:
    wanted = (f"direct {kind} at flagship", f"direct {kind} at weakest")
    return [text_of(choice) for choice in fire.of("direct") if choice.lines[0] in wanted][:1]


def arrangement(front: Front) -> Iterator[str]:
    """The squadrons that silence gives, ready to be changed, and who may command."""
    first = Shelf(forming(front)).choices[:1]
    for line in first[0].lines if first and len(first[0].lines[:MOST_SHOWN]) else ():
        yield f"  # {line}"
    able = Shelf(flagships(front)).of("flagship")
    best = sorted(able, key=lambda choice: -int(choice.note.removeprefix("CR ")))[:MOST_SHOWN]
    if best:
        others = ", ".join(f"{choice.label} {choice.note}" for choice in best)
        yield f"  # {text_of(best[0])}     # {others}"


def mission_lines(front: Front) -> Iterator[str]:
    """One unit's missions as an example; all have the same."""
    for unit in front.here:
        able = [choice for choice in Shelf(missions(front, unit)).of("mission") if choice.lines[0] != "mission engage"]
        if able and front.table.is_ship(unit) and unit.in_play:
            words = ", ".join(choice.label for choice in able[1:])
            yield f"# {unit.name}: {text_of(able[0])}     # or {words}; silence: engage"
            return


def readiness_lines(view: View, system: str) -> list[str]:
    """The own readiness here, and what detection gave."""
    lines = []
    for facing in view.facings:
        if facing.system == system:
            versus, ready = names_of(view, facing.against), facing.readiness
            effect = f"{ready.modifier:+d}, {ready.budget} CC, D{ready.level}"
            lines.append(f"  # Readiness {ready.total} against {versus}: {effect}")
    here = [presence for presence in view.presences if presence.system == system]
    seen = [f"  # {names_of(view, presence.contact.powers)}: {presence.text or 'present'}" for presence in here]
    return [*lines, *seen]


def names_of(view: View, powers: Sequence[str]) -> str:
    return " and ".join(view.powers[key].name for key in powers)


def force_lines(front: Front) -> list[str]:
    lines = []
    for unit in front.here:
        design = front.table.design(unit)
        if unit.in_play and design.category in ("ship", "base"):
            load = ", ".join(passenger.name for passenger in front.table.aboard(unit.id))
            carries = f", carries {load}" if load else ""
            lines.append(f"  #   {unit.name} ({design.name}{worn(unit)}): {ratings(unit, design)}{carries}")
    return lines


def worn(unit: Unit) -> str:
    return "" if unit.intact else f" {unit.state}"


def ratings(unit: Unit, design: Design) -> str:
    """EN-GEN-3: a crippled unit has neither AS nor AF, and no CR."""
    if not unit.intact:
        return f"DV {design.DV} CC {design.CC}, no fire, no mission"
    return f"DV {design.DV} AS {design.AS} AF {design.AF} CC {design.CC} CR {design.CR}"
