"""The order form of a phase: what there is to decide, with yard and treasury worked out, as comments to fill in."""

from __future__ import annotations

from games.encounters.view import EmpireView, UnitView, View


def make_form(view: View) -> str:
    if view.side is None or view.ended or view.own is None:
        return "# There is nothing to order.\n"
    head = [f"# {name_of(view, view.side)}, turn {view.turn}, {view.phase} phase", f"turn {view.turn}", ""]
    if view.phase == "strategic":
        body = strategic_form(view, view.own)
    else:
        body = battle_form(view) if view.phase == "battle" else ground_form(view)
    return "\n".join([*head, *body, "", "END", ""])


def name_of(view: View, key: str) -> str:
    return next(power.name for power in view.powers if power.key == key)


# --- strategic -------------------------------------------------------------------------------------------------------


def strategic_form(view: View, own: EmpireView) -> list[str]:
    return [
        *treasury_lines(own), *stance_lines(view), *yard_lines(view), *design_lines(own), *research_lines(own),
        *repair_lines(view), *intel_lines(view), *fleet_lines(view), *cargo_lines(view),
        "# Empire: doctrine retreat losses 50     # engage, retreat, absorb, pursue, direct, orbital",
    ]  # fmt: skip


def treasury_lines(own: EmpireView) -> list[str]:
    sums = f"{own.treasury} in hand + {own.income} income - {own.maintenance} maintenance"
    return [f"# Funds: {sums} = {own.funds} EP to spend.", ""]


def stance_lines(view: View) -> list[str]:
    lines = [f"# {p.name} ({p.key}): you {p.stance}, they {p.returned}" for p in view.powers if p.key != view.side]
    other = next(power.name for power in view.powers if power.key != view.side)
    return [*lines, f"# stance {other} peace", ""]


def yard_lines(view: View) -> list[str]:
    """What each own system yields, what its yards and works still hold, and what is building."""
    lines = ["# Building:"]
    for system in view.systems:
        if system.owner != view.side or system.yard is None or system.works is None:
            continue
        yard, works = system.yard, system.works
        state = "blockaded" if system.blockaded else f"yield {system.income} EP"
        lines.append(
            f"#   {system.name}: CEN {system.CEN} MOR {system.MOR} PROD {system.PROD} of CAP {system.CAP}, {state}; "
            f"yards {yard[1]} of {yard[0]} used, works {works[1]} of {works[0]} used"
        )
    for build in view.builds:
        called = f" '{build.name}'" if build.name else ""
        lines.append(f"#   {build.design}{called} at {build.system}: {build.weeks} weeks, {build.turns} turns to go")
    return [*lines, "# build 1 Lance at ...     # cancel Lance at ...     # invest prod at ... (10 EP)", ""]


def design_lines(own: EmpireView) -> list[str]:
    lines = ["# Designs (cost, maintenance, DV/AS/AF/CV, CC, CR):"]
    for one in own.designs:
        able = f" {', '.join(one.abilities)}" if one.abilities else ""
        stats = f"{one.DV}/{one.AS}/{one.AF}/{one.CV}"
        price = f"{one.cost} EP, {one.turns} turns, {one.M}/{one.G}"
        lines.append(f"#   {one.name} {one.mark}: {price}, {stats}, CC {one.CC} CR {one.CR}{able}")
    return [*lines, ""]


def research_lines(own: EmpireView) -> list[str]:
    lines = []
    for path in sorted(own.tech):
        if own.tech[path]:
            waiting = "; an advance waits for a design order" if own.pending.get(path) else ""
            lines.append(
                f"#   {path} {own.tech[path]}: {own.research.get(path, 0)} of {own.needed[path]} EP banked{waiting}"
            )
    return ["# Research:", *lines, "# research Escort 10     # design Name DD dv 3 as 3 af 1 with scout", ""]


def repair_lines(view: View) -> list[str]:
    worn = [unit for unit in own_units(view) if unit.state == "crippled"]
    return [f"# repair {unit.name}     # at {unit.location}, {unit.repair} EP" for unit in worn]


def intel_lines(view: View) -> list[str]:
    held = [f"{system.name} {system.intel}" for system in view.systems if system.intel]
    return [f"# Intel held: {', '.join(held) or 'none'}     # intel buy 1 at ... (2 EP)     # intel spend 1 at ...", ""]


def fleet_lines(view: View) -> list[str]:
    lines = []
    for fleet in view.fleets:
        if fleet.owner != view.side:
            continue
        ways = sorted(neighbours(view, fleet.location))
        lines.append(f"{fleet.name}:     # {', '.join(fleet.ships)}; {fleet.MP} MP, {fleet.CC} CC")
        lines.append(f"  hold     # at {fleet.location}; lanes to {', '.join(ways)}")
    return lines


def neighbours(view: View, system: str) -> set[str]:
    pairs = [lane.ends for lane in view.lanes if system in lane.ends]
    return {f"{b if a == system else a}" for a, b in pairs}


def cargo_lines(view: View) -> list[str]:
    lines = []
    for unit in own_units(view):
        load = [one.name for one in own_units(view) if one.carrier == unit.id]
        if load:
            lines.append(f"# {unit.name}: unload all     # aboard: {', '.join(load)}")
    return [*lines, ""]


def own_units(view: View) -> list[UnitView]:
    return [unit for unit in view.units if unit.owner == view.side]


# --- battle and ground -----------------------------------------------------------------------------------------------


def battle_form(view: View) -> list[str]:
    """One block for each battle that waits for orders."""
    lines = []
    for system in view.places:
        lines += [f"Battle {system}:", *readiness_lines(view, system), *force_lines(view, system)]
        lines += [
            "  # fight all     # or: decline",
            "  # squadron Red = ...     # flagship ...     # reserve ...",
            "  # direct ships at flagship, biggest     # absorb cripple-first     # rounds 3",
            "  # retreat losses 50     # retreat to ...     # pursue no",
            "# Red: mission screen     # or engage, disrupt flagship, firecontrol, disengage",
            "",
        ]
    return lines


def readiness_lines(view: View, system: str) -> list[str]:
    """The own readiness here, and what detection gave."""
    lines = []
    for one in view.readiness:
        if one.system == system:
            versus = " and ".join(name_of(view, key) for key in one.versus)
            lines.append(
                f"  # Readiness {one.total} against {versus}: {one.modifier:+d}, {one.budget} CC, D{one.level}"
            )
    for contact in view.contacts:
        if contact.system == system:
            who = " and ".join(name_of(view, key) for key in contact.powers)
            lines.append(f"  # {who}: {contact.text or 'present'}")
    return lines


def force_lines(view: View, system: str) -> list[str]:
    here = [unit for unit in own_units(view) if unit.location == system and unit.in_play]
    lines = []
    for unit in here:
        if unit.category in ("ship", "base"):
            state = "" if unit.state == "intact" else f" {unit.state}"
            load = [one.name for one in here if one.carrier == unit.id]
            carries = f", carries {', '.join(load)}" if load else ""
            stats = f"DV {unit.DV} AS {unit.AS} AF {unit.AF} CC {unit.CC} CR {unit.CR}"
            lines.append(f"  #   {unit.name} ({unit.design}{state}): {stats}{carries}")
    return lines


def ground_form(view: View) -> list[str]:
    """One block for each ground battle that waits for orders."""
    lines = []
    for system in view.places:
        troops = [unit for unit in own_units(view) if unit.location == system and unit.category == "troop"]
        listed = [f"{unit.name} ({unit.design}, {'landed' if unit.landed else 'aboard'})" for unit in troops]
        lines += [f"Ground {system}:", *readiness_lines(view, system), *force_lines(view, system)]
        lines += [
            f"  # Troops: {', '.join(listed) or 'none'}",
            "  # invade     # or: assault, no attack",
            "  # bombard support     # or: strike prod, mor; none",
            "  # exclude own ...     # direct troops at weakest     # absorb cripple-first",
            "",
        ]
        if any(one.name == system and one.owner == view.side for one in view.systems):
            lines.insert(-1, "  # orbital yes")
    return lines
