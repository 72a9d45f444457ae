"""A read sheet checked for every ship it reaches: what stays accepted, and the problems grouped by line (section 7)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from games.galleys.orders.levels import Complaint, work_out
from games.galleys.orders.plans import Else, Intent, Move, Order, Path, Speed, written_path
from games.galleys.state import State
from pbem.kit.game import Side
from pbem.kit.sheet import Accepted, Problem, Sheet


def checked(state: State, side: Side, sheet: Sheet[Order]) -> Sheet[Order]:
    """Check every line for every ship it becomes an order of; refuse it only where it is illegal."""
    worked = work_out(state, side, [(entry.line, entry.order) for entry in sheet.accepted])
    accepted = [_as_executed(entry, worked.cuts.get(entry.line)) for entry in sheet.accepted]
    accepted = [entry for entry in accepted if entry.line not in worked.refused and entry.line not in worked.replaced]
    kept = [*accepted, *_place_holders(sheet.accepted, accepted, worked.refused)]
    texts = {entry.line: entry for entry in sheet.accepted}
    problems = _grouped(worked.complaints, texts)
    if worked.silent:
        reason = f"no plan for {', '.join(worked.silent)}: stands guard (GA-ORD-12)"
        problems.append(Problem(0, "", "GA-VAL-33", reason, "write hold to stay put whatever comes"))
    defaults = tuple(
        f"{name} stands guard: cruise, rams what comes within reach, else holds." for name in worked.silent
    )
    blocks = tuple(
        replace(block, good=any(entry.unit == block.unit for entry in kept)) if block.good else block
        for block in sheet.blocks
    )
    done = replace(sheet, accepted=tuple(sorted(kept, key=lambda entry: entry.line)), blocks=blocks, defaults=defaults)
    return done.with_problems(problems)


def _as_executed(entry: Accepted[Order], cut: str | None) -> Accepted[Order]:
    """A ship's own path shows its legal part; for a squadron it is cut ship by ship when it is carried out."""
    if cut is None or not isinstance(entry.order, Path):
        return entry
    return replace(entry, order=replace(entry.order, tokens=cut), text=f"path {written_path(cut)}")


def _place_holders(
    before: Sequence[Accepted[Order]], after: Sequence[Accepted[Order]], refused: frozenset[int]
) -> list[Accepted[Order]]:
    """A unit whose every plan line was refused still has a plan of its own: it holds at Cruise."""
    planned = (Speed, Path, Move, Else, Intent)
    left = {entry.unit for entry in after if isinstance(entry.order, planned)}
    held: dict[str, Accepted[Order]] = {}
    for entry in before:
        if entry.line in refused and isinstance(entry.order, planned) and entry.unit not in left:
            held.setdefault(entry.unit, replace(entry, text="hold", order=Move(entry.unit, "hold")))
    return list(held.values())


def _grouped(complaints: Sequence[Complaint], texts: dict[int, Accepted[Order]]) -> list[Problem]:
    """One problem a line and rule, with the list of the ships it concerns."""
    groups: dict[tuple[int, str], list[Complaint]] = {}
    for complaint in complaints:
        groups.setdefault((complaint.line, complaint.rule), []).append(complaint)
    problems = []
    for (number, rule), group in groups.items():
        first, entry = group[0], texts.get(number)
        others = list(dict.fromkeys(found.ship for found in group[1:] if found.ship != first.ship))
        reason = f"{first.ship}: {first.reason}" if first.ship else first.reason
        if others:
            reason += f" (the same for {', '.join(others)})"
        text, unit = (entry.text, entry.unit) if entry else ("", first.ship)
        problems.append(Problem(number, text, rule, reason, first.hint, first.instead, unit))
    return problems
