"""What a power can still be ordered for a battle or a ground battle (rule book 6.2, 6.3)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, get_args

from games.encounters.orders.headers import Place
from games.encounters.orders.offering import Desk, Entry, Switch, Wares
from games.encounters.orders.offers_empire import AIMS, MOST_PERCENT, USUAL_LOSSES
from games.encounters.orders.plans import BattlePlan, hits_text, planned, read_hits
from games.encounters.orders.records import BattleOrder, Forcing, Hit, Target, Way
from games.encounters.orders.words import YES_NO
from games.encounters.rules.combat import DEFAULTS, doctrines_of, setting
from games.encounters.rules.damage import ABSORB
from games.encounters.rules.ground import bombardment_points, can_land, landed_troops
from games.encounters.rules.squadrons import total_cc
from games.encounters.state import Unit
from pbem.kit.choices import Closed, Number, Places

KINDS = {"ships": "ship v ship", "dogfight": "flight v flight", "strike": "flight v ship", "flak": "ship v flight"}
ON_THE_GROUND = {**KINDS, "strike": "flights v troops", "flak": "troops v flights", "troops": "troop v troop"}
MOST_NAMES = 12
"""Enemy units offered by name; all that are known can be written."""


class Front:
    """One battle or ground battle of the reader, with what its letter says of it so far."""

    def __init__(self, desk: Desk, place: Place) -> None:
        self.desk = desk
        self.place = place
        self.table = desk.table
        self.here = [unit for unit in desk.table.at(place.system) if unit.owner == desk.side]
        orders = desk.given(BattleOrder)
        self.entries = [entry for entry in orders if Place(entry.order.where, entry.order.system) == place]
        self.plan: BattlePlan = planned(entry.order for entry in self.entries)

    def of(self, topic: str) -> list[Entry]:
        return [entry for entry in self.entries if entry.order.topic == topic]

    def order(self, topic: str, value: Any) -> BattleOrder:
        return BattleOrder(self.place.where, self.place.system, topic, value)

    def units(self, numbers: Sequence[int]) -> list[Unit]:
        return [self.table.units[number] for number in numbers if number in self.table.units]

    @property
    def stations(self) -> list[Unit]:
        return self.units(self.plan.station)

    @cached_property
    def enemies(self) -> list[str]:
        """Powers of other blocs known to be here, by seat."""
        known = {
            key for facing in self.desk.view.facings if facing.system == self.place.system for key in facing.against
        }
        met = (one.contact.powers for one in self.desk.view.presences if one.system == self.place.system)
        bloc = self.table.members(self.desk.side)
        return [key for key in self.table.by_seat({*known, *(key for keys in met for key in keys)}) if key not in bloc]

    @cached_property
    def named(self) -> list[str]:
        """Enemy units here that the reader knows by name."""
        known = self.desk.own.known
        met = [one.contact for one in self.desk.view.presences if one.system == self.place.system]
        names = [sighting.name for contact in met for sighting in contact.units if sighting.name in known]
        return list(dict.fromkeys(names))[:MOST_NAMES]

    def in_force(self, topic: str) -> str:
        """What is done where nothing is ordered: the doctrine, or the rule's default."""
        return setting(BattlePlan(), doctrines_of(self.table, self.desk.side, self.plan.flagship), topic)


def title_of_front(front: Front) -> str:
    """``Battle Altair: 5 ships, 12 CC; against Korvan readiness 11 (+1, 4 CC, D4)``."""
    ships = [unit for unit in front.here if front.table.is_ship(unit) and unit.in_play]
    against = []
    for facing in front.desk.view.facings:
        if facing.system == front.place.system:
            ready, who = facing.readiness, " and ".join(map(front.table.name, facing.against))
            effect = f"{ready.modifier:+d}, {ready.budget} CC, D{ready.level}"
            against.append(f"against {who} readiness {ready.total} ({effect})")
    force = f"{len(ships)} ship{'s' if len(ships) != 1 else ''}, {total_cc(front.table, ships)} CC"
    return "; ".join([f"{front.place.header}: {force}", *against])


# --- fighting --------------------------------------------------------------------------------------------------------


def fighting(front: Front) -> Wares:
    """EN-CMB-1, 2: whom to fight; silence follows the doctrine."""
    switch, note = Switch(front.desk, "fight", front.of("fight")), f"silence: {front.in_force('engage')} (doctrine)"
    yield switch.to("fight everybody here", "fight all", front.order("fight", ("all",)), note=note)
    for key in front.enemies if len(front.enemies) > 1 else ():
        name = front.table.name(key)
        yield switch.to(f"fight {name}", f"fight {name}", front.order("fight", (key,)), note=note)
    yield switch.to("fight nobody unless attacked", "decline", front.order("fight", ()), note=note)


def lists(front: Front) -> Wares:
    """EN-SQD-5, 6, 7: ships left out of the automatic arrangement, Stations brought in, flights kept aboard."""
    table, loose = front.table, not front.plan.squadrons
    ships = [unit for unit in front.here if table.is_ship(unit) and unit.intact and unit.in_play and loose]
    stations = [unit for unit in front.here if table.is_station(unit) and front.place.where == "battle"]
    flights = [unit for unit in front.here if table.is_flight(unit) and unit.in_play]
    kinds = {"reserve": (ships, "stays out"), "station": (stations, "joins Home"), "hold": (flights, "stays aboard")}
    for topic, (units, effect) in kinds.items():
        for entry in front.of(topic):
            yield front.desk.chosen(topic, entry.text, entry)
        for unit in units:
            if unit.id not in getattr(front.plan, topic):
                design = table.design(unit)
                note = f"{design.name}, {design.CC} CC: {effect}"
                yield Switch(front.desk, topic, ()).to(f"{topic} {unit.name}", f"{topic} {unit.name}", note=note)


def forcing(front: Front) -> Wares:
    """EN-INX-1: units of the enemy forced in or out, where readiness gives a budget."""
    budgets = [pair.budget for pair in front.table.readiness(front.place.system, front.desk.side)]
    if not any(budgets):
        why = "readiness gives a budget of 0 CC: nobody can be forced in or out"
        yield Closed("force", why, "EN-RDY-3")
        return
    for way in get_args(Way):
        for word in (*AIMS, *front.named):
            order = front.order("forcing", Forcing(way, (Target(word),)))
            old = [entry for entry in front.of("forcing") if entry.order == order]
            note = f"{max(budgets)} CC to force with"
            yield Switch(front.desk, "force", old).to(f"{way} {word}", f"{way} {word}", order, note=note)


# --- fire and losses -------------------------------------------------------------------------------------------------


def damage(front: Front) -> Wares:
    """EN-DMG-4, 5: whom each kind of fire is aimed at; EN-DMG-6: who takes what the enemy leaves to us."""
    ground = front.place.where == "ground"
    for kind, who in (*(ON_THE_GROUND if ground else KINDS).items(), ("all", "every kind of fire")):
        old = [
            entry
            for entry in front.of("direct")
            if isinstance(entry.order, BattleOrder) and entry.order.value[0] == kind
        ]
        switch = Switch(front.desk, "direct", old)
        names = front.named if kind in ("ships", "all") else ()
        aims = [*AIMS, *names, *(f"kill {word}" for word in ("weakest", "crippled", "flagship", *names))]
        for hits in ((), *((aim(word),) for word in aims)):
            order = front.order("direct", (kind, hits))
            label = f"{kind} {hits_text(hits)}"
            yield switch.to(label, f"direct {label}", order, note=f"{who}; silence: plain aim")
    switch = Switch(front.desk, "absorb", front.of("absorb"))
    for word in ABSORB:
        note = f"silence: {front.in_force('absorb')}"
        yield switch.to(word, f"absorb {word}", front.order("absorb", word), note=note)


def aim(text: str) -> Hit:
    return read_hits(f"at {text}")[0]


# --- how long, and away ----------------------------------------------------------------------------------------------


def endings(front: Front) -> Wares:
    """EN-END-1, EN-RET-1, 6, EN-PUR-1."""
    desk, most = front.desk, front.table.switches.max_rounds
    wished = front.plan.rounds
    yield Switch(desk, "rounds", front.of("rounds")).to(
        "rounds wished for", "rounds {}", note=f"1 to {most}; silence: {most} if you want to fight, else 1",
        fill=Number(1, most, wished or most), chosen=wished is not None,
    )  # fmt: skip
    switch, note = Switch(desk, "retreat", front.of("retreat")), f"silence: {front.in_force('retreat')}"
    for word in ("none", "crippled", "all"):
        yield switch.to(f"retreat {word}", f"retreat {word}", front.order("retreat", word), note=note)
    yield switch.to(
        "retreat at losses of a percentage", "retreat losses {}", note=note,
        fill=Number(1, MOST_PERCENT, USUAL_LOSSES), chosen=(front.plan.retreat or "").startswith("losses"),
    )  # fmt: skip
    near = {name: desk.points[name] for name in front.table.neighbours(front.place.system)}
    if near:
        owned = [name for name in near if front.table.systems[name].owner == desk.side]
        yours = f"yours: {', '.join(owned)}" if owned else "none of them is yours"
        yield Switch(desk, "retreat to", front.of("retreat_to")).to(
            "where ships that get away go", "retreat to {}", note=f"{yours}; not where enemy ships or Stations are",
            fill=Places(near), chosen=front.plan.retreat_to is not None,
        )  # fmt: skip
    if desk.view.switches.pursuit:
        switch = Switch(desk, "pursue", front.of("pursue"))
        for word in YES_NO:
            note = f"silence: {front.in_force('pursue')}"
            yield switch.to(f"pursue: {word}", f"pursue {word}", front.order("pursue", word), note=note)
    else:
        yield Closed("pursue", "no pursuit in this campaign", "EN-PUR-1")


# --- the ground ------------------------------------------------------------------------------------------------------


def landing(front: Front) -> Wares:
    """EN-GRD-1, EN-ORB-1, EN-BOM-2..4, EN-GFE-1."""
    yield from starts(front)
    system = front.table.systems[front.place.system]
    if system.owner == front.desk.side:
        switch = Switch(front.desk, "orbital", front.of("orbital"))
        for word in YES_NO:
            note = f"force an orbital battle first; silence: {front.in_force('orbital') or DEFAULTS['orbital']}"
            yield switch.to(f"orbital {word}", f"orbital {word}", front.order("orbital", word), note=note)
    yield from bombarding(front)
    for entry in front.of("exclude_own"):
        yield front.desk.chosen("exclude own", entry.text, entry)
    for unit in front.here:
        spared = (front.table.is_troop(unit) and not unit.landed) or front.table.is_flight(unit)
        if spared and unit.id not in front.plan.exclude_own:
            text = f"exclude own {unit.name}"
            yield Switch(front.desk, "exclude own", ()).to(text, text, note=f"{front.table.design(unit).name}")


def starts(front: Front) -> Wares:
    system, side = front.place.system, front.desk.side
    ashore = landed_troops(front.table, system, (side,))
    aboard = [unit for unit in front.here if can_land(front.table, unit)]
    switch = Switch(front.desk, "attack", front.of("start"))
    if ashore or aboard:
        note = f"{total_cc(front.table, aboard)} CC of troops land, {total_cc(front.table, ashore)} CC are landed"
        yield switch.to("invade, from orbit as well", "invade", front.order("start", "invade"), note=note)
    else:
        yield Closed("attack", f"no troops of yours at {system} can land", "EN-GRD-1")
    if ashore:
        note = f"{total_cc(front.table, ashore)} CC of landed troops alone"
        yield switch.to("assault with landed troops", "assault", front.order("start", "assault"), note=note)
    yield switch.to("no attack", "no attack", front.order("start", "no attack"), note="silence: no attack")


def bombarding(front: Front) -> Wares:
    """EN-VAL-31: one use a system; no strike on the own bloc."""
    points = bombardment_points(front.table, front.place.system, front.desk.side)
    old, owner = front.of("bombard"), front.table.systems[front.place.system].owner
    switch, note = Switch(front.desk, "bombard", old), f"points of your ships: {points}"
    for use in ("support", "none"):
        yield switch.to(f"bombard {use}", f"bombard {use}", front.order("bombard", (use, ())), note=note)
    if owner is not None and front.table.same_bloc(front.desk.side, owner):
        yield Closed("bombard", f"{front.place.system} belongs to your own bloc: no strike", "EN-BOM-4")
        return
    for stats in ((), ("prod",), ("mor",), ("cen",)):
        text = " ".join(("bombard strike", *stats))
        yield switch.to(text, text, front.order("bombard", ("strike", stats)), note=f"{note}; 16 points take one off")
