"""Commands for whoever writes a game: begin a new one, let bots play it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import games
from pbem.cli.speaking import Mistake, plain_mistakes, say, say_json
from pbem.cli.workbench import situation_named
from pbem.newgame import BadName, new_game
from pbem.play.contest import MOST_PHASES, Contest, contest
from pbem.play.phase import NothingToPlay

game_app = typer.Typer(help="Write a game of your own.", no_args_is_help=True)


def add_to(app: typer.Typer) -> None:
    app.add_typer(game_app, name="game")
    app.command("selfplay")(selfplay)


@game_app.command("new")
def new(
    name: Annotated[str, typer.Argument(help="Its package and slug: small letters, digits, underscores.")],
    folder: Annotated[Path | None, typer.Option(help="Where to write it; default: a folder of its name, here.")] = None,
) -> None:
    """Write a small, complete, playable game to start from."""
    where = folder or Path(name)
    try:
        written = new_game(name, where)
    except BadName as error:
        raise Mistake(str(error)) from error
    except FileExistsError as error:
        raise Mistake(f"{error.filename} is already there; name another folder with --folder") from error
    except OSError as error:
        raise Mistake(f"cannot write {error.filename}: {error.strerror}") from error
    say(f"{where} holds a game called {name}: {len(written)} files, two squadrons on a sea of hexes.")
    say("Next:")
    for line in (
        f"cd {where}",
        "pip install -e '.[dev]'",
        "pytest",
        f"pbem try {name}/first-contact",
        f"pbem selfplay {name}/first-contact",
    ):
        say(f"  {line}")
    say(f"Its README.md says what each file is for; change {name}/rules.md first, then the tests, then the code.")


def selfplay(
    situation: Annotated[str, typer.Argument(help="GAME/SCENARIO, or a situation or scenario file.")],
    battles: Annotated[int, typer.Option("--battles", "-n", min=1, max=10_000, help="How many.")] = 100,
    seed: Annotated[str, typer.Option(help="The same seed gives the same battles.")] = "selfplay",
    most_phases: Annotated[int, typer.Option(min=1, max=10_000, help="A longer battle is broken off.")] = MOST_PHASES,
    *,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for a script.")] = False,
) -> None:
    """Let bots play a scenario against each other: who wins, how long it takes, how fast it is."""
    with plain_mistakes():
        scenario = situation_named(situation)
        rules = games.game(scenario.game)
        try:
            fought = contest(rules, scenario, battles, seed, most_phases)
        except NothingToPlay as error:
            raise Mistake(str(error)) from error
    if as_json:
        say_json(fought.as_plain())
    else:
        _say_contest(f"{rules.title}, {scenario.title}", fought, most_phases)


def _say_contest(title: str, fought: Contest, most_phases: int) -> None:
    count = len(fought.battles)
    say(f"{title}: {count} {'battle' if count == 1 else 'battles'}, seed '{fought.seed}'")
    rows = [(fought.sides[side], won) for side, won in fought.wins.items()] + [("draws", fought.draws)]
    if fought.broken_off:
        rows.append((f"not over after {most_phases} phases", fought.broken_off))
    width = max(len(name) for name, _ in rows)
    for name, number in rows:
        say(f"  {name:{width}} {number:6} {fought.share(number):6.1f} %")
    shortest, middle, longest = fought.turns
    say(f"Turns: median {middle:g}, from {shortest} to {longest}")
    say(f"Speed: {fought.seconds_a_battle:.3f} s a battle, {fought.ms_a_phase:.1f} ms a phase, bots included")
