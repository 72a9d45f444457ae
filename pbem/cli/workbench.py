"""Commands that need no mail and no database: try a situation, check orders, draw a map, publish a schema."""

from __future__ import annotations

import json
from importlib import resources
from pathlib import Path
from typing import Annotated, Any

import typer

import games
from pbem.cli.speaking import Mistake, plain_mistakes, say, say_json, say_table
from pbem.kit.dice import KeyedDice
from pbem.kit.scenario import Scenario, load_scenario, package_of, scenarios_of
from pbem.kit.sheet import Problem, Sheet
from pbem.report.pen import Pen
from pbem.report.schema import report_schema
from pbem.report.story import story
from pbem.trial import NothingToTry, Tried, UnknownSide, as_plain, run_trial, side_named

orders_app = typer.Typer(help="Check order files without sending them.", no_args_is_help=True)

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for a script.")]


def add_to(app: typer.Typer) -> None:
    app.command("try")(try_situation)
    app.command("map")(draw_map)
    app.command("schema")(print_schema)
    app.command("games")(list_games)
    app.command("rules")(print_rules)
    app.command("tool")(run_tool)
    app.add_typer(orders_app, name="orders")


# --- try -------------------------------------------------------------------------------------------------------------


def try_situation(
    situation: Annotated[str, typer.Argument(help="A situation or scenario file, or GAME/SCENARIO.")],
    orders: Annotated[
        list[str], typer.Option(help="SIDE=FILE; - reads the terminal. May be given for each side.")
    ] = [],  # noqa: B006  typer wants a list
    dice: Annotated[
        str | None, typer.Option(help="Faces in the order the rules draw them: 5,4,9. Without it, fair dice.")
    ] = None,
    report: Annotated[str | None, typer.Option(help="Print the report this side would get.")] = None,
    map: Annotated[Path | None, typer.Option(help="Write the map as PNG or SVG.")] = None,
    as_json: AsJson = False,
) -> None:
    """Resolve one phase of a situation and show state, events, rolls and problems."""
    with plain_mistakes():
        tried = _tried(_situation(situation), _order_texts(orders), _faces(dice))
        report = None if report is None else _side(tried.game, tried.state, report)
    if map is not None:
        _write_map(tried, report, map)
    if as_json:
        say_json(as_plain(tried))
    elif report is not None:
        say(_report_text(tried, report))
    else:
        _say_tried(tried)


def _situation(named: str) -> Scenario:
    """A file, or a scenario that ships: ``galleys/ga-tutorial``."""
    slug, slash, key = named.partition("/")
    if slash and slug in games.slugs() and not Path(named).exists():
        found = scenarios_of(slug)
        if key not in found:
            raise Mistake(f"{slug} has no scenario '{key}'; it has {', '.join(found)}")
        return found[key]
    return load_scenario(Path(named))


def _tried(scenario: Scenario, orders: dict[str, str], faces: tuple[int, ...] | None) -> Tried:
    try:
        return run_trial(scenario, orders, faces)
    except (NothingToTry, UnknownSide) as error:
        raise Mistake(str(error)) from error


def _order_texts(given: list[str]) -> dict[str, str]:
    texts = {}
    for item in given:
        side, equals, name = item.partition("=")
        if not equals:
            raise Mistake(f"--orders takes SIDE=FILE, for example --orders earth=orders.txt; not '{item}'")
        texts[side] = typer.get_text_stream("stdin").read() if name == "-" else Path(name).read_text(encoding="utf-8")
    return texts


def _faces(dice: str | None) -> tuple[int, ...] | None:
    if dice is None:
        return None
    try:
        return tuple(int(face) for face in dice.replace(",", " ").split())
    except ValueError as error:
        raise Mistake(f"--dice takes faces such as 5,4,9; not '{dice}'") from error


def _side(game: games.AnyGame, state: Any, text: str) -> str:
    try:
        return side_named(game, state, text)
    except UnknownSide as error:
        raise Mistake(str(error)) from error


def _seen(tried: Tried, side: str | None) -> list[Any]:
    return [event for event in tried.events if side is None or side in event.seen_by]


def _write_map(tried: Tried, side: str | None, path: Path) -> None:
    scene = tried.game.scene(tried.game.view(tried.state, side), _seen(tried, side))
    with Pen() as pen:
        picture = pen.draw(scene, "large")
    _write_picture(picture.svg, picture.png, path)


def _write_picture(svg: str, png: bytes, path: Path) -> None:
    if path.suffix.lower() == ".svg":
        path.write_text(svg, encoding="utf-8")
    else:
        path.write_bytes(png)


def _report_text(tried: Tried, side: str) -> str:
    with Pen() as pen:
        return story(tried.game, tried.game.view(tried.state, side), _seen(tried, side), tried.phase, pen)


def _say_tried(tried: Tried) -> None:
    say(f"{tried.game.title}, turn {tried.phase.turn}, {tried.phase.name}")
    for side, sheet in tried.sheets.items():
        _say_sheet(side, sheet)
    say("\nEvents")
    for event in tried.events:
        facts = ", ".join(f"{name} {value}" for name, value in event.facts.items())
        say(f"  {event.step}: {event.kind} [{event.rule}] {facts}")
    say("\nRolls")
    for roll in tried.rolls:
        say(f"  d{roll.sides} {roll.face}  {roll.label}")
    if tried.unused_dice:
        say(f"  not used: {', '.join(str(face) for face in tried.unused_dice)}")
    say("\nThe new state is in the answer with --json.")


# --- orders check ----------------------------------------------------------------------------------------------------


@orders_app.command("check")
def check_orders(
    file: Annotated[Path, typer.Argument(help="The orders, as they would stand in a mail.")],
    situation: Annotated[str, typer.Option(help="The situation or scenario file they are for, or GAME/SCENARIO.")],
    side: Annotated[str, typer.Option(help="Whose orders they are.")],
    map: Annotated[Path | None, typer.Option(help="Write the plot as PNG or SVG.")] = None,
    as_json: AsJson = False,
) -> None:
    """Read orders as the daemon would and say what it understands; exit status 1 if a line has a problem."""
    with plain_mistakes():
        scenario = _situation(situation)
        game = games.game(scenario.game)
        state = game.setup(scenario, KeyedDice(b"check"))
        side = _side(game, state, side)
        sheet = game.read_orders(state, side, file.read_text(encoding="utf-8"))
    if map is not None:
        with Pen() as pen:
            picture = pen.draw(game.forecast(game.view(state, side), sheet), "large")
        _write_picture(picture.svg, picture.png, map)
    if as_json:
        say_json({"accepted": sheet.accepted, "problems": sheet.problems, "defaults": sheet.defaults})
    else:
        _say_sheet(side, sheet)
    if sheet.problems:
        raise typer.Exit(1)


def _say_sheet(side: str, sheet: Sheet[Any]) -> None:
    say(f"\nOrders of {side}")
    for entry in sheet.accepted:
        say(f"  line {entry.line}: {entry.unit}: {entry.text}")
    for problem in sheet.problems:
        say(_spoken(problem))
    for sentence in sheet.defaults:
        say(f"  {sentence}")


def _spoken(problem: Problem) -> str:
    lines = [f"  line {problem.line}: '{problem.text}': {problem.reason} ({problem.rule})"]
    if problem.hint:
        lines.append(f"    would do: {problem.hint}")
    if problem.instead:
        lines.append(f"    instead: {problem.instead}")
    return "\n".join(lines)


# --- the rest --------------------------------------------------------------------------------------------------------


def draw_map(
    situation: Annotated[str, typer.Argument(help="A situation or scenario file, or GAME/SCENARIO.")],
    output: Annotated[Path, typer.Argument(help="Where to write it: a .png or .svg file.")],
    side: Annotated[str | None, typer.Option(help="As this side sees it; without it, all is shown.")] = None,
    size: Annotated[str, typer.Option(help="large or small.")] = "large",
) -> None:
    """Draw the map of a situation."""
    if size not in ("large", "small"):
        raise Mistake(f"--size is large or small, not '{size}'")
    with plain_mistakes():
        scenario = _situation(situation)
        game = games.game(scenario.game)
        state = game.setup(scenario, KeyedDice(b"map"))
    side = None if side is None else _side(game, state, side)
    with Pen() as pen:
        picture = pen.draw(game.scene(game.view(state, side), ()), "large" if size == "large" else "small")
    _write_picture(picture.svg, picture.png, output)


def print_schema(slug: Annotated[str, typer.Argument(metavar="GAME")]) -> None:
    """Print the JSON schema of a game's report.json."""
    with plain_mistakes():
        say(json.dumps(report_schema(games.game(slug)), indent=2))


def list_games(as_json: AsJson = False) -> None:
    """List the games and their scenarios."""
    rows = [
        {"game": slug, "title": games.game(slug).title, "scenario": scenario.key, "name": scenario.title}
        for slug in games.slugs()
        for scenario in scenarios_of(slug).values()
    ]
    if as_json:
        say_json(rows)
    else:
        say_table(["Game", "Title", "Scenario", "Name"], [list(row.values()) for row in rows])


def print_rules(slug: Annotated[str, typer.Argument(metavar="GAME")]) -> None:
    """Print the rule book of a game."""
    with plain_mistakes():
        games.game(slug)
    say((resources.files(package_of(slug)) / "rules.md").read_text(encoding="utf-8"))


def run_tool(
    slug: Annotated[str, typer.Argument(metavar="GAME")],
    tool: Annotated[str, typer.Argument(help="Left out: the game's tools are listed.")] = "",
    file: Annotated[Path, typer.Argument(help="What to work on; - reads the terminal.")] = Path("-"),
) -> None:
    """Run a game's own checker or calculator, such as a ship builder."""
    with plain_mistakes():
        tools = games.game(slug).tools
        if not tool:
            say_table(["Tool", "What it does"], [[name, found.help] for name, found in tools.items()])
            return
        if tool not in tools:
            raise Mistake(f"{slug} has no tool '{tool}'; it has {', '.join(tools) or 'none'}")
        text = typer.get_text_stream("stdin").read() if str(file) == "-" else file.read_text(encoding="utf-8")
        say(tools[tool].run(text).rstrip("\n"))
