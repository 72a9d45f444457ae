"""Orders that stay in force or rule the whole side: who acts when, and the doctrines (GA-SEQ-2, section 6.1)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from games.galleys.orders.offers.block import Block
from games.galleys.orders.reading import KINDS
from games.galleys.orders.records import FLEET
from games.galleys.state import DEFAULT_DOCTRINES, DOCTRINE_VALUES
from pbem.kit.choices import Fill, Number, Ranking, fillings
from pbem.kit.sheet import LONGEST_LINE


def offer_succession(block: Block) -> None:
    """The order of activation of a fleet's squadrons, or of a squadron's ships."""
    if block.unit == FLEET:
        _offer_activation(block)
    elif block.ships and not block.ship:
        _offer_sequence(block)


def _offer_activation(block: Block) -> None:
    """GA-SEQ-2: as it stands now, to be put in another order; what is not listed follows in roster order."""
    present = [squadron.name for squadron in block.view.own_squadrons()]
    listed = [name for name in block.table.sides[block.letter.side].activate_list if name in present]
    order = listed + [name for name in present if name not in listed]
    if order:
        fill = Ranking(_fitting("activate", order))
        block.offer_line(
            "activate", "the squadrons act in this order", "activate {}", fill=fill, note="stays until changed"
        )


def _offer_sequence(block: Block) -> None:
    """Section 3, step 4: prizes come last unless listed."""
    ships = sorted(block.ships, key=lambda ship: (ship.prize, ship.roster))
    listed = [name for name in block.trial.orders.sequences.get(block.unit, ()) if name in {s.name for s in ships}]
    order = listed + [ship.name for ship in ships if ship.name not in listed]
    fill = Ranking(_fitting("sequence", order))
    block.offer_line("sequence", "the ships act in this order", "sequence {}", fill=fill, note="for this turn")


def _fitting(verb: str, names: Sequence[str]) -> tuple[str, ...]:
    """As many names as one line may hold."""
    fits = [count for count in range(len(names) + 1) if len(f"{verb} {', '.join(names[:count])}") <= LONGEST_LINE]
    return tuple(names[: fits[-1]])


def offer_doctrines(block: Block) -> None:
    """Section 6.2: every doctrine under its own heading, with what holds now."""
    for word in DEFAULT_DOCTRINES:
        objection = None
        for line, value, fill in _values(block, word):
            note = "in force" if value == _in_force(block, word) else ""
            fit = block.fit(line, sample=next(fillings(fill)))
            objection = objection or block.offer(word, line.replace("{}", "so many"), fit, fill=fill, note=note)
        if block.unit == FLEET or (objection and objection.rule != "GA-VAL-32"):
            block.close(word, objection)


def _values(block: Block, word: str) -> Iterator[tuple[str, str, Fill | None]]:
    """The lines of a doctrine, the value each sets, and its blank."""
    if word in KINDS:
        kinds = KINDS[word]
        sets = [" ".join(some) for count in range(1, len(kinds)) for some in combinations(kinds, count)]
        yield from ((f"{word} {value}", value, None) for value in ("all", "none", *sets))
    elif word in DOCTRINE_VALUES:
        yield from ((f"{word} {value}", value, None) for value in DOCTRINE_VALUES[word])
    else:
        if word == "hold fire":
            yield word, "always", None
        now = _in_force(block, word)
        yield f"{word} below {{}}%", "", Number(0, 100, int(now) if now.isdecimal() else 0)


def _in_force(block: Block, word: str) -> str:
    """Section 6.1: what the unit goes by, its own doctrine or that of a level above."""
    table = block.table
    levels = [table.sides[block.letter.side].doctrines]
    squadron = block.ship.squadron if block.ship else block.unit
    if squadron in table.squadrons:
        levels.insert(0, table.squadrons[squadron].doctrines)
    if block.ship:
        levels.insert(0, table.ships[block.unit].doctrines)
    return next((level[word] for level in levels if word in level), DEFAULT_DOCTRINES[word])
