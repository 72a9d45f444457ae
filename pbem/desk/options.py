"""The answer to ``options``: what the seat's units can still be ordered, on top of its sheet in force."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.campaign.offering import Offering, own_units
from pbem.campaign.reading import owner
from pbem.desk.case import Case
from pbem.desk.saying import Said, part
from pbem.kit.choices import Offer
from pbem.kit.sheet import leading_name, match_name, nearest
from pbem.letters.blocks import TextBlock
from pbem.letters.content import Mail
from pbem.letters.options import option_list
from pbem.store.rows import CampaignStatus

MOST_UNITS = 40
"""Units that the list of all tells of."""
MOST_LISTS = 3
"""Units whose choices one letter may ask for; each is a mail of its own."""


def options(case: Case, rest: str) -> Said | Mail:
    """``options``, ``options NAME`` or ``options NAME GROUP``."""
    why_not = _why_not(case)
    if why_not:
        return Said("Options", [why_not])
    units = own_units(case.at, case.seat)
    if not rest:
        return _overview(case, units)
    # A name of several words goes before a name and a group.
    whole = match_name(rest, units)
    found = (whole, "") if whole else leading_name(rest, units)
    if found is None:
        return Said("Options", [_which(case, rest, units)])
    return _of_unit(case, *found)


def too_many(rest: str) -> Said:
    """A letter that asks for the choices of a whole fleet, unit by unit."""
    said = f"One letter is answered with the choices of {MOST_LISTS} units; ask for those of {rest} in another."
    return Said("Options", [said])


def _why_not(case: Case) -> str:
    game, phase = case.at.game, case.at.phase
    if game.choices is None:
        return f"{game.title} lists no choices; your order form and 'help' show what can be written."
    if case.campaign.status == CampaignStatus.OVER:
        return f"{case.campaign.title} is over; there is nothing left to order."
    if case.seat.side not in phase.sides:
        return f"Turn {phase.turn} ({phase.name}) needs no orders of your side."
    return ""


def _overview(case: Case, units: Sequence[str]) -> Said:
    offering = Offering(case.at, case.seat)
    offers = [offering.of(unit) for unit in units[:MOST_UNITS]]
    worth = [offer for offer in offers if offer.groups]
    blocks: list[TextBlock | str] = [*part(case, "offers", worth)]
    if len(units) > MOST_UNITS:
        blocks.append(f"And {len(units) - MOST_UNITS} more units: {', '.join(units[MOST_UNITS:])}.")
    example = next((offer.unit for offer in worth if offer.choices), "NAME")
    blocks.append(f"Write for example 'options {example}' for the order lines themselves.")
    return Said("Options", blocks)


def _which(case: Case, text: str, units: Sequence[str]) -> str:
    """Why there is no such unit, and the names that work."""
    mine = f"You command {_listed(units)}." if units else "You command no units now."
    word = text.split()[0]
    begun = [unit for unit in units if unit.casefold().startswith(word.casefold())]
    if len(begun) > 1:
        return f"'{word}' could be {_listed(begun, 'or')}."
    fellow = leading_name(text, case.at.game.units(case.at.state, case.seat.side))
    commander = owner(case.at, case.seat.side, fellow[0]) if fellow else None
    if fellow and commander:
        return f"{fellow[0]} is commanded by {commander.name}, not by you. {mine}"
    close = nearest(text, units) or nearest(word, units)
    hint = f" Did you mean '{close}'?" if close else ""
    return f"No unit that you can order now is called '{text}': it is lost, not yours, or unknown.{hint} {mine}"


def _of_unit(case: Case, unit: str, wanted: str) -> Said | Mail:
    offering = Offering(case.at, case.seat)
    offer = offering.of(unit)
    group = match_name(wanted, offer.groups) if wanted else None
    if wanted and group is None:
        return Said(f"The options of {unit}", [_which_group(offer, wanted)])
    shown = offering.shown(offer, offer.groups if group is None else (group,))
    scene = case.at.game.forecast(offering.view, offering.sheet)
    return option_list(case.context(), case.received, offer, shown, offering.lines_of(unit), scene, case.house.pen)


def _which_group(offer: Offer, wanted: str) -> str:
    if not offer.groups:
        return f"{offer.unit} has nothing to choose now."
    close = nearest(wanted, offer.groups)
    hint = f" Did you mean '{close}'?" if close else ""
    return f"{offer.unit} has no choices called '{wanted}'.{hint} There are {_listed(offer.groups)}."


def _listed(names: Sequence[str], word: str = "and") -> str:
    return f"{', '.join(names[:-1])} {word} {names[-1]}" if len(names) > 1 else "".join(names)
