"""FA-FIRE: declared fire becomes dice, hits and damage; one step is simultaneous for everybody in it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from games.fleet_action.battle import Battle, printed
from games.fleet_action.data import ARCS, BRACKETS, WeaponType
from games.fleet_action.rules import damage, elint, weapons
from games.fleet_action.rules.damage import GREY, Struck, Wounding
from games.fleet_action.state import Flight, Ship
from games.fleet_action.tables import TABLES
from pbem.kit.dice import Roll
from pbem.kit.hexgrid import distance


@dataclass
class Shot:
    """One weapon system, or one flight, at one target."""

    side: str
    firer: str
    firer_kind: str
    weapon: str
    """How the orders call it: mount name, or the fighter class."""
    weapon_name: str
    weapon_class: str
    target: str
    target_kind: str
    target_side: str
    x: int
    die: int
    """Faces of the to-hit die."""
    sensor: int
    """S without support: sensor and style, or a flight's bonuses."""
    defence: int
    """D without support: def and style."""
    distance: int = 0
    true_bracket: int = 0
    bracket: int = 0
    bypass: int = 0
    offensive: int = 0
    defensive: int = 0
    interceptor: int = 0
    guardian: int = 0
    style: int = 0
    arc: int | None = None
    """Arc of the target as the firer sees it; None at distance 0."""
    struck: Struck | None = None
    number: int = -1
    waited: int | None = None
    bonus: int = 0
    """Added to damage dice: flights."""
    type: WeaponType | None = None
    damage_die: int = 0
    label: str = ""
    extra: dict[str, int] = field(default_factory=dict)
    kind: str = "fire"
    rule: str = "FA-FIRE-7"
    dice: list[Roll] = field(default_factory=list)
    totals: list[int] = field(default_factory=list)
    """By how much each hit passed what was needed."""

    @property
    def need(self) -> int:
        """FA-FIRE-7: the least face that hits."""
        against = self.defence + self.defensive + self.guardian + self.interceptor
        return against + TABLES.range_modifier[self.bracket] + self.bypass - self.sensor - self.offensive

    def name(self) -> str:
        return f"{self.firer}/{self.weapon}/{self.target}"


def chance(die: int, need: int) -> float:
    """FA-DOC-5: the chance of one die, between 0 and 1."""
    return min(1.0, max(0.0, (die - need + 1) / die))


def bypass(battle: Battle, firer: Ship, target: Ship) -> int:
    """FA-FIRE-2: living ships of the target's squadron strictly nearer to the firer."""
    if target.name in elint.command_jammers(battle):
        return 0
    far = distance(firer.hex, target.hex)
    mates = battle.members(battle.squadrons[target.squadron])
    return sum(1 for mate in mates if distance(firer.hex, mate.hex) < far)


def aim(battle: Battle, ship: Ship, number: int, target: Ship | Flight) -> Shot | None:
    """FA-FIRE-3..7: this weapon at this target at full x, or None if it does not bear or reach."""
    mount = battle.card(ship).weapons[number]
    weapon = battle.cards.weapons[mount.weapon]
    if weapon.proximity or target.hex is None:
        return None
    far = distance(ship.hex, target.hex)
    true = weapons.bracket(weapon, far)
    die = weapon.fc[weapons.column(battle, target)]
    if true is None or not die:
        return None
    shifted = true + elint.is_fire_control_jammed(battle, ship)
    if weapon.weapon_class != "ballistic":
        shifted += weapons.is_jammed_by(battle, ship, target)
    if shifted > weapons.EXTREME:
        return None
    x = weapons.lessened(weapons.x_towards(battle, ship, number, target.hex), weapons.multiplier(battle, ship))
    if x < 1:
        return None
    return _shot(battle, ship, number, target, (far, true, shifted, x, die))


def _shot(
    battle: Battle, ship: Ship, number: int, target: Ship | Flight, figures: tuple[int, int, int, int, int]
) -> Shot:
    far, true, shifted, x, die = figures
    mount = battle.card(ship).weapons[number]
    weapon = battle.cards.weapons[mount.weapon]
    squadron = battle.squadrons[ship.squadron]
    last = ship.last_std[number]
    found = weapons.geometry.arcs(ship.hex, squadron.heading, target.hex) if target.hex else ()
    shot = Shot(
        side=squadron.side,
        firer=ship.name,
        firer_kind="ship",
        weapon=mount.name or mount.weapon,
        weapon_name=weapon.name,
        weapon_class=weapon.weapon_class,
        target=target.name,
        target_kind="flight" if isinstance(target, Flight) else "ship",
        target_side=target.side if isinstance(target, Flight) else battle.side_of(target),
        x=x,
        die=die,
        sensor=sensor_of(battle, ship),
        defence=battle.fighter(target).defence if isinstance(target, Flight) else defence_of(battle, target),
        distance=far,
        true_bracket=true,
        bracket=shifted,
        arc=max(found, key=lambda arc: (mount.arcs or (0,) * 6)[arc]) if found else None,
        number=number,
        waited=None if last is None else battle.now - last,
        type=weapon,
        label=mount.name or mount.weapon,
    )
    if isinstance(target, Ship):
        _against_ship(battle, shot, ship, target)
    return shot


def _against_ship(battle: Battle, shot: Shot, ship: Ship, target: Ship) -> None:
    """What counts only between ships: bypass, ELINT support, interceptors, the struck arc."""
    shot.bypass = bypass(battle, ship, target)
    shot.offensive = elint.offensive_support(battle, ship, target)
    shot.defensive = elint.defensive_support(battle, target)
    if shot.weapon_class != "laser":
        shot.interceptor = battle.interceptor_level(target)
    arc = weapons.struck_arc(battle, target, ship.hex, ship.prev_hex)
    shot.struck = Struck.on_arc(battle.card(target), arc)
    shot.style = TABLES.styles[battle.squadrons[target.squadron].style][2]


def sensor_of(battle: Battle, ship: Ship) -> int:
    """FA-CMD-16: the sensor track left and the commander's style, at least 0."""
    style = TABLES.styles[battle.squadrons[ship.squadron].style][1]
    return max(0, ship.sensor + style)


def defence_of(battle: Battle, ship: Ship) -> int:
    """FA-CMD-16: def and the commander's style."""
    return battle.card(ship).defence + TABLES.styles[battle.squadrons[ship.squadron].style][2]


# --- a step of fire --------------------------------------------------------------------------------------------------


def roll_to_hit(battle: Battle, shots: Sequence[Shot]) -> None:
    """FA-FIRE-8: all to-hit dice of the step before any damage."""
    for shot in shots:
        need = shot.need
        for n in range(1, shot.x + 1):
            roll = battle.roll(shot.die, battle.part, shot.name(), shot.label, "to hit", n)
            shot.dice.append(roll)
            if roll.face >= need:
                shot.totals.append(roll.face - need)
        if shot.target_kind == "ship":
            battle.flags.fired_on.add(battle.ships[shot.target].squadron)


def roll_damage(battle: Battle, shots: Sequence[Shot]) -> None:
    """FA-DMG-3: per weapon, per hit, per damage die; marks in that order."""
    for shot in shots:
        if shot.target_kind == "flight":
            _damage_flight(battle, shot)
        else:
            _damage_ship(battle, shot)


def draw_for(battle: Battle, shot: Shot) -> Callable[[int, str], Roll]:
    """Damage dice of a shot, numbered as they fall."""
    count = 0

    def draw(faces: int, purpose: str) -> Roll:
        nonlocal count
        count += 1
        return battle.roll(faces, battle.part, shot.name(), shot.label, purpose, count)

    return draw


def pulses_of(shot: Shot) -> list[int]:
    """FA-WPN-4: how often each hit rolls damage; more than once only for pulse weapons."""
    if shot.type is None or shot.weapon_class != "pulse":
        return [1] * len(shot.totals)
    most = shot.type.max_pulses
    return [min(most, 1 + margin) for margin in shot.totals]


def _damage_ship(battle: Battle, shot: Shot) -> None:
    tell_fire(battle, shot)
    if not shot.totals:
        return
    assert shot.struck is not None
    draw = draw_for(battle, shot)
    wounding = Wounding(battle, shot.target, shot.struck, draw)
    armour = shot.struck.armour
    if shot.type is not None:
        armour = damage.armour_against(shot.type, armour)
    for pulses in pulses_of(shot):
        for _ in range(pulses):
            _strike_once(shot, wounding, armour)
    tell_damage(battle, shot, wounding.wounds, armour)


def _strike_once(shot: Shot, wounding: Wounding, armour: int) -> None:
    """One hit, or one pulse of it."""
    weapon = shot.type
    if weapon is not None and weapon.weapon_class == "matter":
        wounding.matter(weapon.points)
        return
    dice = (1, shot.damage_die) if weapon is None else damage.damage_dice(weapon, shot.true_bracket, shot.waited)
    if dice is None:
        return
    for _ in range(dice[0]):
        wounding.die(wounding.draw(dice[1], "damage"), armour, shot.weapon_class, shot.bonus)


def _damage_flight(battle: Battle, shot: Shot) -> None:
    """FA-DMG-10, FA-WPN-2, 8: fighters have no structure; each penetrating die kills."""
    tell_fire(battle, shot)
    if not shot.totals:
        return
    kills, rolls, faces = flight_kills(battle, shot, draw_for(battle, shot))
    flight = battle.flights[shot.target]
    lost = min(kills, flight.count)
    lose_fighters(battle, flight, lost, shot.firer)
    armour = battle.fighter(flight).armor
    results = [{"die": face, "severity": "kill" if face >= armour else "none", "marks": []} for face in faces]
    facts = _damage_facts(shot, armour, results, [], lost)
    battle.tell("damage", "FA-DMG-10", frozenset({shot.side, shot.target_side}), facts, rolls)
    _tell_third_parties(battle, shot)


def flight_kills(battle: Battle, shot: Shot, draw: Callable[[int, str], Roll]) -> tuple[int, list[Roll], list[int]]:
    """The fighters that the hits of a shot destroy, and the damage dice."""
    card = battle.fighter(battle.flights[shot.target])
    weapon = shot.type
    assert weapon is not None
    kills = 0
    rolls: list[Roll] = []
    for pulses in pulses_of(shot):
        for _ in range(pulses):
            if weapon.weapon_class == "em":
                kills += 1
            elif weapon.weapon_class == "matter":
                kills += weapon.points
            else:
                count, faces = damage.damage_dice(weapon, shot.true_bracket, shot.waited) or (0, 0)
                drawn = [draw(faces, "damage") for _ in range(count)]
                rolls.extend(drawn)
                kills += card.hits * sum(1 for roll in drawn if roll.face >= card.armor)
    return kills, rolls, [roll.face for roll in rolls]


def lose_fighters(battle: Battle, flight: Flight, lost: int, cause: str) -> None:
    """Fighters die; a flight without fighters is lost."""
    if lost < 1:
        return
    current = battle.flights[flight.name]
    left = current.count - min(lost, current.count)
    at = printed(current.hex)
    battle.put(replace(current, count=left) if left else replace(current, count=0, state="lost", hex=None))
    if not left:
        facts = {"side": flight.side, "unit": flight.name, "unit_kind": "flight", "squadron": None}
        facts |= {"cause": cause, "grey": 0, "hex": at, "count": current.count}
        battle.tell("loss", "FA-DMG-10", battle.audience, facts)


# --- telling ---------------------------------------------------------------------------------------------------------


def tell_fire(battle: Battle, shot: Shot) -> None:
    """Section 9: in full to the two sides, without dice to others."""
    firer = battle.ships.get(shot.firer) or battle.flights[shot.firer]
    target = battle.ships.get(shot.target) or battle.flights[shot.target]
    modifiers = {
        "sensor": shot.sensor,
        "offensive": shot.offensive,
        "bypass": shot.bypass,
        "def": shot.defence,
        "style": shot.style,
        "defensive": shot.defensive,
        "guardian": shot.guardian,
        "interceptor": shot.interceptor,
        "range": TABLES.range_modifier[shot.bracket],
        **{"count": 0, "anti_ship": 0, "strike": 0, **shot.extra},
    }
    facts = {
        "side": shot.side,
        "firer": shot.firer,
        "firer_kind": shot.firer_kind,
        "target": shot.target,
        "target_kind": shot.target_kind,
        "target_side": shot.target_side,
        "weapon": shot.weapon,
        "weapon_name": shot.weapon_name,
        "x": shot.x,
        "dice": [roll.face for roll in shot.dice],
        "need": shot.need,
        "hits": len(shot.totals),
        "distance": shot.distance,
        "bracket": BRACKETS[shot.bracket],
        "arc": None if shot.arc is None else ARCS[shot.arc],
        "modifiers": modifiers,
        "full": True,
        "firer_hex": printed(firer.hex),
        "target_hex": printed(target.hex),
        "lost": False,
    }
    concerned = frozenset({shot.side, shot.target_side})
    battle.tell(shot.kind, shot.rule, concerned, facts, shot.dice)
    if others := battle.audience - concerned:
        battle.tell(shot.kind, shot.rule, others, {**facts, "dice": [], "need": None, "modifiers": {}, "full": False})


def _damage_facts(
    shot: Shot, armour: int, results: Sequence[dict[str, object]], marks: Sequence[str], kills: int
) -> dict[str, object]:
    arc = None if shot.struck is None else ARCS[shot.struck.manoeuvre_arc]
    return {
        "side": shot.target_side,
        "target": shot.target,
        "firer": shot.firer,
        "firer_side": shot.side,
        "weapon": shot.weapon,
        "weapon_name": shot.weapon_name,
        "arc": arc,
        "armour": armour,
        "results": list(results),
        "marks": damage.in_words(marks),
        "structure": None,
        "kills": kills,
        "full": True,
    }


def tell_damage(battle: Battle, shot: Shot, wounds: damage.Wounds, armour: int) -> None:
    """Section 8: the target knows exactly; the scorer the effects; others that it was hit."""
    battle.blame[shot.target] = shot.firer
    facts = _damage_facts(shot, armour, wounds.results, wounds.marks, 0)
    left = battle.ships[shot.target].structure
    if shot.side == shot.target_side:
        battle.tell("damage", "FA-DMG-2", shot.target_side, {**facts, "structure": left}, wounds.rolls)
    else:
        battle.tell("damage", "FA-DMG-2", shot.target_side, {**facts, "structure": left}, wounds.rolls)
        seen = left if battle.state.switches.fog == "open" else None
        told = {**_without_grey(facts), "structure": seen, "full": False}
        battle.tell("damage", "FA-DMG-2", shot.side, told, wounds.rolls)
    _tell_third_parties(battle, shot)


def _without_grey(facts: dict[str, object]) -> dict[str, object]:
    """Section 8: morale is the owner's secret, so the scorer is not told of grey boxes."""
    results = [{**result, "marks": [m for m in result["marks"] if m != GREY]} for result in facts["results"]]  # type: ignore[attr-defined]
    marks = [mark for mark in facts["marks"] if not mark.endswith(GREY)]  # type: ignore[attr-defined]
    return {**facts, "results": results, "marks": marks}


def _tell_third_parties(battle: Battle, shot: Shot) -> None:
    others = battle.others(shot.side, shot.target_side)
    if others and shot.totals:
        facts = {"side": shot.target_side, "target": shot.target, "firer": shot.firer, "weapon": shot.weapon}
        hits = {"weapon_name": shot.weapon_name, "hits": len(shot.totals)}
        battle.tell("hit", "FA-FIRE-7", others, {**facts, **hits})
