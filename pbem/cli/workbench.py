"""Commands that need no mail and no database: try a situation, check orders, draw a map, publish a schema."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

import games
from pbem.campaign.proving import proven
from pbem.cli.speaking import Mistake, plain_mistakes, say, say_json, say_mistake, say_table
from pbem.kit.codec import BadData
from pbem.kit.dice import KeyedDice
from pbem.kit.package import rule_book
from pbem.kit.scenario import Scenario, load_scenario, scenario_of, scenarios_of
from pbem.kit.sheet import Problem, Sheet
from pbem.letters.options import OptionRow, with_ghosts
from pbem.letters.pen import Pen
from pbem.letters.schema import report_schema
from pbem.letters.story import story
from pbem.play.phase import NothingToPlay, Played
from pbem.play.trial import OfferTried, UnknownSide, UnknownUnit, as_plain, run_trial, side_named, try_choices

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
    choices: Annotated[
        str | None, typer.Option(help="Resolve nothing: print what this unit can still be ordered beside --orders.")
    ] = None,
    side: Annotated[str | None, typer.Option(help="Whose unit it is, where two sides have one of that name.")] = None,
    *,
    as_json: AsJson = False,
) -> None:
    """Resolve one phase of a situation and show state, events, rolls and problems."""
    if side is not None and choices is None:
        raise Mistake("--side goes with --choices; for what a side sees, write --report SIDE")
    if choices is not None:
        with plain_mistakes():
            offered = _offered(situation_named(situation), _order_texts(orders), choices, side)
        _show_offer(offered, map, as_json=as_json)
        return
    with plain_mistakes():
        tried = _tried(situation_named(situation), _order_texts(orders), _faces(dice))
        report = None if report is None else _side(tried.game, tried.state, report)
        told = None if report is None or as_json else _report_text(tried, report)
    if map is not None:
        _write_map(tried, report, map)
    if as_json:
        say_json(as_plain(tried))
    elif told is not None:
        say(told)
    else:
        _say_tried(tried)


def situation_named(named: str) -> Scenario:
    """A file, or a scenario that ships: ``galleys/rhium``."""
    slug, slash, key = named.partition("/")
    if slash and slug in games.slugs() and not Path(named).exists():
        return scenario_of(slug, key)
    return load_scenario(Path(named))


def _tried(scenario: Scenario, orders: dict[str, str], faces: tuple[int, ...] | None) -> Played:
    try:
        return run_trial(scenario, orders, faces)
    except (NothingToPlay, UnknownSide) as error:
        raise Mistake(str(error)) from error


def _offered(scenario: Scenario, orders: dict[str, str], unit: str, side: str | None) -> OfferTried:
    try:
        return try_choices(scenario, unit, side, orders)
    except (NothingToPlay, UnknownSide, UnknownUnit) as error:
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


def _seen(tried: Played, side: str | None) -> list[Any]:
    return [event for event in tried.events if side is None or side in event.seen_by]


def _write_map(tried: Played, side: str | None, path: Path) -> None:
    scene = tried.game.scene(tried.game.view(tried.state, side), _seen(tried, side))
    with Pen() as pen:
        picture = pen.draw(scene, "large")
    _write_picture(picture.svg, picture.png, path)


def _write_picture(svg: str, png: bytes, path: Path) -> None:
    if path.suffix.lower() == ".svg":
        path.write_text(svg, encoding="utf-8")
    else:
        path.write_bytes(png)


def _report_text(tried: Played, side: str) -> str:
    with Pen() as pen:
        return story(tried.game, tried.game.view(tried.state, side), _seen(tried, side), tried.phase, pen)


def _say_tried(tried: Played) -> None:
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


def _show_offer(offered: OfferTried, map: Path | None, *, as_json: bool) -> None:
    rows = [OptionRow(number, choice) for number, choice in enumerate(offered.offer.choices, 1)]
    if map is not None:
        scene = offered.game.forecast(offered.view, offered.sheet)
        with Pen() as pen:
            picture = pen.draw(with_ghosts(scene, offered.side, offered.offer.unit, rows), "large")
        _write_picture(picture.svg, picture.png, map)
    if as_json:
        say_json(offered.offer)
        return
    say(offered.offer.title)
    for group in offered.offer.groups:
        say(f"\n{group}")
        for row in (row for row in rows if row.choice.group == group):
            for number, line, label, figures in row.cells:
                say(f"  {number:>3}  {line}" + (f"    {label}" if label else "") + (f" [{figures}]" if figures else ""))
        for closed in (closed for closed in offered.offer.closed if closed.group == group):
            say(f"  closed: {closed.why} ({closed.rule})")


# --- orders check ----------------------------------------------------------------------------------------------------


@orders_app.command("check")
def check_orders(
    file: Annotated[Path, typer.Argument(help="The orders, as they would stand in a mail.")],
    situation: Annotated[str, typer.Option(help="The situation or scenario file they are for, or GAME/SCENARIO.")],
    side: Annotated[str, typer.Option(help="Whose orders they are.")],
    map: Annotated[Path | None, typer.Option(help="Write the plot as PNG or SVG.")] = None,
    *,
    as_json: AsJson = False,
) -> None:
    """Read orders as the daemon would and say what it understands; exit status 1 if a line has a problem."""
    with plain_mistakes():
        scenario = situation_named(situation)
        game = games.game(scenario.game)
        state = game.setup(scenario, KeyedDice(b"check"))
        side = _side(game, state, side)
        text = file.read_text(encoding="utf-8")
        read = game.read_orders(state, side, text)
        sheet = replace(read, problems=proven(game, state, side, text, read.problems, read))
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
    if problem.fix:
        lines.append("    send instead: " + "\n      ".join(problem.fix.splitlines()))
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
        scenario = situation_named(situation)
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


def list_games(*, as_json: AsJson = False) -> None:
    """List the games and their scenarios."""
    rows: list[dict[str, str]] = []
    faults: list[str] = []
    for slug in games.slugs():
        try:
            rows += _scenario_rows(slug)
        except (games.BrokenGame, BadData) as error:
            # A broken game of somebody else hides none of the others.
            faults.append(f"{slug}: {error}")
    if as_json:
        say_json(rows)
    else:
        say_table(["Game", "Title", "Scenario", "Name"], [list(row.values()) for row in rows])
    for fault in faults:
        say_mistake(Mistake(fault))


def _scenario_rows(slug: str) -> list[dict[str, str]]:
    title = games.game(slug).title
    return [
        {"game": slug, "title": title, "scenario": scenario.key, "name": scenario.title}
        for scenario in scenarios_of(slug).values()
    ]


def print_rules(slug: Annotated[str, typer.Argument(metavar="GAME")]) -> None:
    """Print the rule book of a game."""
    with plain_mistakes():
        games.game(slug)
        book = rule_book(slug)
    if book is None:
        raise Mistake(f"{slug} comes without a rule book; it belongs into its package as rules.md")
    say(book)


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
