"""Laws about orders: bots, forms and silence are legal, nonsense is answered, and a battle comes to an end."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.kit.checks.sample import MOST, Sample
from pbem.kit.dice import KeyedDice
from pbem.kit.sheet import Problem
from pbem.play.phase import play_phase

NONSENSE = """Nobody: fire everything
{unit}
{unit}:
  frobnicate 3
  fire
  move
  path F F F F F F F F F F F F F F F F F F F F F
  speed -1000000 pulse 77
  turn left
  ☃ «»: "unclosed 'quotes
Fleet:
  {unit} {unit} {unit}
"""


def bots_are_legal(at: Sample) -> None:
    """The orders of a bot are read without a complaint."""
    for where, played in at.moments():
        for side, sheet in played.sheets.items():
            assert not sheet.problems, (
                f"{where}: the bot of {side} wrote\n{played.texts[side]}\n{spoken(sheet.problems)}"
            )


def the_form_reads_back(at: Sample) -> None:
    """The order form, sent back as it is, is read without a complaint."""
    for where, played in at.moments():
        for side in sorted(played.phase.sides):
            form = at.game.template(at.game.view(played.before, side))
            problems = at.game.read_orders(played.before, side, form).problems
            assert not problems, f"{where}: the form of {side}\n{form}\n{spoken(problems)}"


def silence_is_played(at: Sample) -> None:
    """A side that sends nothing arrives with an empty sheet, and the phase is resolved all the same."""
    for where, played in at.moments():
        silent = play_phase(at.game, played.before, {}, KeyedDice(b"silence"))
        problems = [problem for sheet in silent.sheets.values() for problem in sheet.problems if problem.line > 0]
        assert not problems, f"{where}: no letter, and yet a complaint about a line\n{spoken(problems)}"


def nonsense_is_answered(at: Sample) -> None:
    """Whatever a letter holds, reading it raises nothing, and every line it takes or refuses is one of the letter's."""
    for where, played in at.moments():
        for side in sorted(played.phase.sides):
            unit = next(iter(at.game.units(played.before, side)), "Alpha")
            text = NONSENSE.format(unit=unit)
            sheet = at.game.read_orders(played.before, side, text)
            assert sheet.problems, f"{where}: {side} may order nonsense without a complaint:\n{text}"
            lines = range(len(text.splitlines()) + 1)
            beyond = [problem for problem in sheet.problems if problem.line not in lines]
            assert not beyond, f"{where}: a complaint about a line that nobody wrote\n{spoken(beyond)}"


def random_play_ends(at: Sample) -> None:
    """A battle of bots comes to an end that has words."""
    phase, outcome = at.game.phase(at.ending.after), at.game.outcome(at.ending.after)
    assert phase is None, f"{at}: still in turn {phase.turn} ({phase.name}) after {MOST} phases"
    assert outcome is not None, f"{at}: there is no open phase, and yet no outcome"
    assert outcome.reason, f"{at}: the outcome gives no reason"
    strangers = outcome.winners - set(at.sides(at.ending))
    assert not strangers, f"{at}: won by {sorted(strangers)}, who are no sides"


def spoken(problems: Sequence[Problem]) -> str:
    return "\n".join(f"  line {found.line} '{found.text}': {found.rule} {found.reason}" for found in problems)
