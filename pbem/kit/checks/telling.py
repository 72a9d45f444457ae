"""Law 4 and the letters: a side sees only its view, and all that it may know can be told to it."""

from __future__ import annotations

from pbem.kit.checks.letters import complaints, letters_of, missing_words
from pbem.kit.checks.sample import Sample
from pbem.kit.codec import encode, plain
from pbem.kit.game import Event
from pbem.kit.package import rule_book
from pbem.kit.scene import Scene
from pbem.letters.leakcheck import check, plain_words
from pbem.letters.pen import Pen
from pbem.letters.plaintext import WIDTH
from pbem.letters.schema import event_kinds, report_schema
from pbem.play.phase import Played


def views_can_be_drawn(at: Sample) -> None:
    """Every side's view, and the moderator's, has a map with words beside it, a JSON form and gauges."""
    for where, played in at.moments():
        for side in (*at.sides(played), None):
            who = f"{where}, seen by {side or 'the moderator'}"
            view = at.game.view(played.after, side)
            scene = at.game.scene(view, seen(played, side))
            assert isinstance(scene, Scene), f"{who}: the map is no Scene but a {type(scene).__name__}"
            assert scene.alt, f"{who}: the map says nothing to those who cannot see it; fill Scene.alt"
            assert plain(view), f"{who}: the view has no JSON form"
            gauges = {name: dict(figures) for name, figures in at.game.gauges(view).items()}
            strangers = {side for figures in gauges.values() for side in figures} - set(at.sides(played))
            assert not strangers, f"{who}: the gauges measure {sorted(strangers)}, who are no sides"


def seen(played: Played, side: str | None) -> list[Event]:
    return [event for event in played.events if side is None or side in event.seen_by]


def nobody_learns_a_secret(at: Sample) -> None:
    """No name that a side may not know stands in its view, its map or the events it saw."""
    for where, played in at.moments():
        for side in at.sides(played):
            view, events = at.game.view(played.after, side), seen(played, side)
            text = encode([plain(view), plain(at.game.scene(view, events)), [event.facts for event in events]])
            found = [word for word in sorted(at.game.secrets(played.after, side)) if word in text]
            assert not found, f"{where}: {side} learns {found} from its view, its map or an event"


def events_name_sides_and_rules(at: Sample) -> None:
    """Every event is seen by known sides, stands in the rule book, and shows real dice."""
    book = rule_book(at.game.slug)
    assert book is not None, f"{at.game.slug} comes without a rule book; it belongs into its package as rules.md"
    for where, played in at.moments():
        sides = set(at.sides(played))
        for event in played.events:
            assert isinstance(event, Event), f"{where}: {event!r} is no Event"
            assert event.rule, f"{where}: an event names no rule: {event}"
            assert event.rule in book, f"{where}: the rule {event.rule} is not in the rule book: {event}"
            assert event.seen_by <= sides, (
                f"{where}: seen by {sorted(event.seen_by - sides)}, who are no sides: {event}"
            )
            odd = [roll for roll in event.rolls if not roll.label or not 1 <= roll.face <= roll.sides]
            assert not odd, f"{where}: dice without a label, or with a face they do not have: {odd}"


def its_templates_are_there(at: Sample) -> None:
    """Narrative, status and help, each with the macro that letters call."""
    missing = list(missing_words(at.game.slug))
    assert not missing, f"{at.game.slug}: {'; '.join(missing)}"


def events_are_told(at: Sample) -> None:
    """The narrative has a macro for every kind of event that happened."""
    told = set(event_kinds(at.game.slug))
    kinds = {event.kind for played in (*at.phases, at.ending) for event in played.events}
    silent = sorted(kinds - told)
    assert not silent, f"{at.game.slug}: narrative.j2 has no macro for {', '.join(silent)}"


def letters_can_be_written(at: Sample) -> None:
    """All letters of a turn, in text and HTML, with a map, in the game's own words, and without a leak."""
    with Pen() as pen, complaints() as said:
        for letter in letters_of(at, pen):
            who, mail = f"{at}: {letter}", letter.mail
            assert mail.text.strip(), f"{who} is empty"
            wide = [line for line in mail.text.splitlines() if len(line) > WIDTH]
            assert not wide, f"{who} has lines of more than {WIDTH} columns:\n" + "\n".join(wide)
            if letter.drawn:
                names = {part.name for part in mail.attachments}
                assert mail.html, f"{who} has no HTML"
                assert {"map.png", "map.svg"} <= names, f"{who} has no map; it has {sorted(names)}"
            secrets = at.game.secrets(letter.state, letter.side)
            leaks = check(mail, secrets - plain_words(pen, at.game.slug, secrets))
            assert not leaks, f"{who} tells what {letter.side} may not know: {leaks}"
    assert not said, f"{at}: the templates cannot tell all that happened:\n" + "\n".join(said)
    assert report_schema(at.game)["$defs"], f"{at.game.slug}: the schema of report.json says nothing of the view"
