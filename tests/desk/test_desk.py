"""One letter, one verdict: what the desk makes of every kind of letter."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pbem.desk import desk
from pbem.letters.leakcheck import plain_words
from pbem.office import NotPossible
from pbem.post.bounce import bounce_address
from pbem.store.letters import MailboxPlace
from pbem.store.rows import LetterStatus
from tests.office_bench import MODERATOR, ROBOT, Bench, duel

ANNA = "anna@home.example"
BOB = "bob@home.example"


def verdict(bench: Bench) -> tuple[str, str]:
    """Of the last letter: its verdict and status."""
    with bench.store.database.reading() as session:
        found = session.connection().exec_driver_sql("SELECT verdict, status FROM letter ORDER BY id DESC").first()
    assert found is not None
    return found[0], found[1]


def resolve(bench: Bench) -> None:
    bench.office.resolve_now("duel", bench.now)


# --- orders ----------------------------------------------------------------------------------------------------------


def test_orders_are_filed_and_answered_with_a_receipt(either: Bench) -> None:
    either.open_duel()
    (receipt,) = either.send("Anna", "Ares:\n  speed 3\nArgo: fire Boreas\n", subject="My plan")

    assert either.sheet("Anna") == "Ares:\n  speed 3\nArgo:\n  fire Boreas\n"
    assert verdict(either) == ("orders", "accepted")
    assert receipt.recipient == ANNA
    assert receipt.message["In-Reply-To"] == "<letter-1@home.example>"
    for words in ("My plan", "<letter-1@home.example>", "speed 3", "fire Boreas", "Still awaited: Bob."):
        assert words in receipt.text


def test_a_receipt_names_every_problem_with_line_rule_and_hint(bench: Bench) -> None:
    bench.open_duel()
    (receipt,) = bench.send("Anna", "Ares:\n  speed 9\n  fire Boreas\nZeus: speed 1\n")

    for words in (
        "Line 2: speed 9",
        "Speed 9 is more than 6. (DU-SPD-1)",
        "Send instead: speed 6",
        "No unit called 'Zeus'",
    ):
        assert words in receipt.text
    assert bench.sheet("Anna") == "Ares:\n  speed 9\n  fire Boreas\n"


def test_a_later_letter_replaces_the_blocks_it_contains(bench: Bench) -> None:
    bench.open_duel()
    bench.send("Anna", "Ares: speed 3\nArgo: speed 2")
    (receipt,) = bench.send("Anna", "Argo: fire Boreas")

    assert bench.sheet("Anna") == "Ares:\n  speed 3\nArgo:\n  fire Boreas\n"
    assert "speed 3" in receipt.text
    assert "speed 2" not in receipt.text


def test_what_is_bad_never_replaces_what_is_good(bench: Bench) -> None:
    bench.open_duel()
    bench.send("Anna", "Ares: speed 3")
    (receipt,) = bench.send("Anna", "# A change of plan\n\nAres: speed 7")

    assert bench.sheet("Anna") == "Ares:\n  speed 3\n"
    assert "Line 3: speed 7" in receipt.text
    assert "- speed 3" in receipt.text


def test_arrival_at_our_store_decides_and_not_the_date_of_the_letter(bench: Bench) -> None:
    bench.open_duel()
    late = bench.letter("Anna", "Ares: speed 1")
    early = bench.letter("Anna", "Ares: speed 5").replace(b"02 Nov 2026", b"01 Nov 2020")
    bench.take(late)
    bench.take(early)

    assert bench.sheet("Anna") == "Ares:\n  speed 5\n"


def test_start_over_clears_the_sheet(bench: Bench) -> None:
    bench.open_duel()
    bench.send("Anna", "Ares: speed 3\nArgo: speed 2")
    bench.send("Anna", "start over\nArgo: speed 1")
    assert bench.sheet("Anna") == "Argo:\n  speed 1\n"

    bench.send("Anna", "start over")
    assert bench.sheet("Anna") is None


def test_letters_with_nothing_good_in_them_are_no_sheet(bench: Bench) -> None:
    bench.open_duel()
    (receipt,) = bench.send("Anna", "Ares: dance")

    assert bench.sheet("Anna") is None
    assert "Still awaited: Bob and you." in receipt.text


def test_a_second_letter_mends_what_the_first_got_wrong(bench: Bench) -> None:
    bench.open_duel()
    bench.send("Anna", "Ares: speed 9\nArgo: speed 1")
    (receipt,) = bench.send("Anna", "Ares: speed 6")

    assert bench.sheet("Anna") == "Ares:\n  speed 6\nArgo:\n  speed 1\n"
    assert "could not stand" not in receipt.text


# --- turns named in a letter -----------------------------------------------------------------------------------------


def test_orders_for_the_open_turn_may_say_so(bench: Bench) -> None:
    bench.open_duel()
    bench.send("Anna", "turn 1\nAres: speed 3")

    assert bench.sheet("Anna") == "Ares:\n  speed 3\n"


def test_orders_for_a_turn_too_far_ahead_are_refused_with_the_reason(bench: Bench) -> None:
    bench.open_duel()
    (refusal,) = bench.send("Anna", "turn 4\nAres: speed 3")

    assert verdict(bench) == ("wrong turn", "refused")
    assert (
        "These orders are for turn 4, but turn 1 is open. Orders can be sent at most 2 turn(s) ahead." in refusal.text
    )
    assert bench.sheet("Anna") is None


def test_orders_ahead_wait_sealed_and_come_into_force_when_their_turn_opens(either: Bench) -> None:
    either.open_duel()
    (answer,) = either.send("Anna", "turn 2\nAres: speed 4\nZeus: speed 1")
    assert verdict(either) == ("ahead", "accepted")
    assert "wait sealed until turn 2 opens" in answer.text
    assert either.sheet("Anna") is None

    resolve(either)

    assert either.sheet("Anna") == "Ares:\n  speed 4\n"
    (receipt,) = either.sent("unsealed")
    assert "speed 4" in receipt.text
    assert "Still awaited: Bob." in receipt.text


def test_a_second_letter_ahead_replaces_the_blocks_it_contains(bench: Bench) -> None:
    bench.open_duel()
    bench.send("Anna", "turn 2\nAres: speed 4\nArgo: speed 1")
    bench.send("Anna", "turn 2\nArgo: speed 6")
    resolve(bench)

    assert bench.sheet("Anna") == "Ares:\n  speed 4\nArgo:\n  speed 6\n"


def test_a_late_letter_is_refused_with_the_turn_it_answers(bench: Bench) -> None:
    bench.open_duel()
    old = bench.letter("Anna", "Ares: speed 3")
    resolve(bench)
    (refusal,) = bench.take(old)

    assert verdict(bench) == ("late", "refused")
    assert "Your letter answers turn 1 (orders), which is resolved. Turn 2 (orders) is open." in refusal.text
    assert bench.sheet("Anna") is None


def test_an_old_reply_that_names_the_open_turn_is_taken(bench: Bench) -> None:
    bench.open_duel()
    old = bench.token("Anna")
    resolve(bench)
    bench.send("Anna", "turn 2\nAres: speed 3", token=old)

    assert bench.sheet("Anna") == "Ares:\n  speed 3\n"


def test_after_the_end_orders_are_refused_and_questions_answered(bench: Bench) -> None:
    bench.open_duel(last_turn=1)
    token = bench.token("Anna")
    resolve(bench)
    (refusal,) = bench.send("Anna", "Ares: speed 3", token=token)
    assert verdict(bench) == ("over", "refused")
    assert "A Duel is over. Red has " in refusal.text

    (answer,) = bench.send("Anna", "status", token=token)
    assert "A Duel is over." in answer.text
    (again,) = bench.send("Anna", "report 1", token=token)
    assert again.kind == "again"


# --- several seats of a side -----------------------------------------------------------------------------------------


@pytest.fixture
def shared(bench: Bench) -> Bench:
    """Anna leads the red side and has all but Argo, which Carl commands."""
    bench.office.open_campaign("duel", duel(), bench.now)
    bench.office.add_seat("duel", "Anna", "red", ANNA)
    bench.office.add_seat("duel", "Carl", "red", "carl@home.example", units=["Argo"])
    bench.office.add_seat("duel", "Bob", "blue", BOB)
    bench.office.start("duel", bench.now)
    return bench


def test_a_seat_orders_only_the_units_it_commands(shared: Bench) -> None:
    (receipt,) = shared.send("Carl", "Ares: speed 1\nArgo: speed 2\nFleet: stance bold")

    assert shared.sheet("Carl") == "Argo:\n  speed 2\n"
    assert "Ares is commanded by Anna, not by you." in receipt.text
    assert "Fleet is commanded by Anna, not by you." in receipt.text
    assert "you command Argo" in receipt.text
    assert "Ares drifts" not in receipt.text


def test_the_one_who_leads_may_not_order_what_others_command(shared: Bench) -> None:
    (receipt,) = shared.send("Anna", "stance bold\nAres: speed 1\nArgo: speed 6")

    assert shared.sheet("Anna") == "Fleet:\n  stance bold\nAres:\n  speed 1\n"
    assert "Argo is commanded by Carl" in receipt.text


def test_the_sheets_of_a_side_are_joined(shared: Bench) -> None:
    shared.send("Carl", "Argo: speed 2")
    shared.send("Anna", "Ares: speed 1")
    assert shared.resolve_due() == ()
    shared.send("Bob", "Boreas: speed 5")
    assert len(shared.resolve_due()) == 1

    assert shared.office.turns("duel")[0].sheets["red"] == "Ares:\n  speed 1\nArgo:\n  speed 2\n"


def test_a_side_has_one_seat_for_all_its_units(bench: Bench) -> None:
    bench.office.open_campaign("duel", duel(), bench.now)
    bench.office.add_seat("duel", "Anna", "red", ANNA)

    with pytest.raises(NotPossible, match="say which ones this seat commands"):
        bench.office.add_seat("duel", "Carl", "red", "carl@home.example")


# --- commands --------------------------------------------------------------------------------------------------------


def test_help_tells_the_commands_and_the_rules_on_one_page(bench: Bench) -> None:
    bench.open_duel()
    (answer,) = bench.send("Anna", "help")

    assert verdict(bench) == ("command", "accepted")
    assert "set zone Europe/Berlin" in answer.text
    assert "Ships go at speed 0 to 6 and fire." in answer.text


def test_status_tells_where_the_campaign_stands(bench: Bench) -> None:
    bench.open_duel()
    bench.send("Bob", "Boreas: speed 1")
    (answer,) = bench.send("Anna", "", subject="status")

    assert "A Duel is in turn 1 (orders). Your orders are not in yet. Still awaited: you." in answer.text


def test_a_campaign_may_hide_who_is_awaited(bench: Bench) -> None:
    bench.open_duel(hide_awaited=True)
    (receipt,) = bench.send("Anna", "Ares: speed 3")
    (answer,) = bench.send("Anna", "status")

    assert "Bob" not in receipt.text + answer.text


def test_orders_shows_the_sheet_in_force(bench: Bench) -> None:
    bench.open_duel()
    (none,) = bench.send("Anna", "orders")
    bench.send("Anna", "Ares: speed 3")
    (shown,) = bench.send("Anna", "orders")

    assert "You have sent no orders for this turn yet." in none.text
    assert "speed 3" in shown.text


def test_a_preview_is_drawn_and_not_filed(bench: Bench) -> None:
    bench.open_duel()
    bench.send("Anna", "Argo: speed 1")
    (preview,) = bench.send("Anna", "preview\nAres: speed 3")

    assert "This is a preview." in preview.text
    assert "speed 3" in preview.text
    assert bench.sheet("Anna") == "Argo:\n  speed 1\n"
    assert any(part.get_content_type() == "image/png" for part in preview.message.walk())


def test_withdraw_takes_the_orders_back(either: Bench) -> None:
    either.open_duel()
    either.send("Anna", "Ares: speed 3")
    (answer,) = either.send("Anna", "withdraw")

    assert either.sheet("Anna") is None
    assert "Your orders are taken back. Still awaited: Bob and you." in answer.text


def test_no_orders_is_a_sheet_too(bench: Bench) -> None:
    bench.open_duel()
    (answer,) = bench.send("Anna", "no orders")
    bench.send("Bob", "no orders")

    assert "Ares drifts." in answer.text
    assert len(bench.resolve_due()) == 1
    assert bench.office.turns("duel")[0].absent == ()


@pytest.mark.parametrize("text", ["turn 1\nAres:\n  # speed 0\nEND", "# all as the scenario has it", "END"])
def test_a_form_sent_back_without_orders_is_a_sheet_too(bench: Bench, text: str) -> None:
    bench.open_duel()
    (answer,) = bench.send("Anna", text)

    assert bench.sheet("Anna") == ""
    assert "your sheet is empty" in answer.text
    bench.send("Anna", "Ares: speed 2")
    bench.send("Anna", text)
    assert bench.sheet("Anna") == "Ares:\n  speed 2\n"


@pytest.mark.parametrize("words", ["withdraw", "no orders", "preview\nAres: speed 1", "Ares: speed 1"])
def test_a_setting_beside_anything_else_is_kept(bench: Bench, words: str) -> None:
    bench.open_duel()
    bench.send("Anna", f"set zone Europe/Berlin\n{words}")

    assert bench.store.campaigns.seats(1)[0].zone == "Europe/Berlin"


def test_report_sends_a_report_again_under_a_new_id(bench: Bench) -> None:
    bench.open_duel()
    (none,) = bench.send("Anna", "report")
    resolve(bench)
    resolve(bench)
    (again,) = bench.send("Anna", "report 1")
    (missing,) = bench.send("Anna", "report 7")

    first = bench.sent("report")[0]
    assert "No turn has been resolved yet." in none.text
    assert (again.subject, again.text) == (first.subject, first.text)
    assert again.message["Message-ID"] != first.message["Message-ID"]
    assert "There is no report of turn 7; there are those of 1, 2." in missing.text


def test_why_traces_results_to_rule_and_dice(bench: Bench) -> None:
    bench.open_duel(fog=True)
    bench.send("Anna", "Ares: fire Boreas\nArgo: speed 2")
    resolve(bench)
    (all_of_it,) = bench.send("Anna", "why")
    (of_argo,) = bench.send("Bob", "why Argo")

    assert "DU-FIR-1" in all_of_it.text
    assert "Krakatoa" in all_of_it.text
    assert "DU-FIR-1" not in of_argo.text
    assert "DU-SPD-1" in of_argo.text
    assert "Krakatoa" not in of_argo.text


def test_arcs_of_a_game_without_arcs_are_refused_kindly(bench: Bench) -> None:
    bench.open_duel()
    (answer,) = bench.send("Anna", "arcs Ares")

    assert "no fields of fire" in answer.text


def test_rules_of_a_game_without_a_book_point_to_help(bench: Bench) -> None:
    bench.open_duel()
    (answer,) = bench.send("Anna", "rules")

    assert "write 'help'" in answer.text


BOOK = "# Duel\n\n## 1. Moving ships\nHow far.\n\n## 2. Moving fleets\nTogether.\n\n## 3. Moving on\nThe end.\n"


def test_a_word_that_fits_many_chapters_is_answered_with_their_names(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pbem.desk.answers.rule_book", lambda _slug: BOOK)
    bench.open_duel()
    (answer,) = bench.send("Anna", "rules moving")

    assert "stands in the names of 3 chapters" in answer.text
    assert "2. Moving fleets" in answer.text
    assert "Together." not in answer.text


def test_one_letter_is_answered_so_often_and_no_oftener(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """A letter of 1,000 questions draws one mail that names the first it leaves out, and the book once."""
    monkeypatch.setattr("pbem.desk.answers.rule_book", lambda _slug: BOOK)
    bench.open_duel()
    (answer,) = bench.send("Anna", "\n".join(f"rules of {number}" for number in range(1000)))

    assert "One letter is answered with 12 answers; 988 more were asked for." in answer.text
    assert "rules of 12" in answer.text
    assert "rules of 24" not in answer.text
    assert [part.get_filename() for part in answer.message.iter_attachments()].count("rules.md") == 1
    assert len(answer.message.as_bytes()) < 40_000


def test_preferences_are_set_by_mail_and_used_at_once(either: Bench) -> None:
    either.open_duel()
    (answer,) = either.send("Anna", "set zone Europe/Berlin\nset text-only\nset map none\nset reminders 48h,6h")

    assert "Times are shown in the zone Europe/Berlin." in answer.text
    assert "You are reminded 48 h, 6 h before the deadline." in answer.text
    assert answer.message.get_body(("html",)) is None
    (receipt,) = either.send("Anna", "Ares: speed 3")
    assert "13:00" in receipt.text
    assert receipt.message.get_body(("html",)) is None


def test_a_setting_above_orders_is_answered_beside_the_receipt(bench: Bench) -> None:
    bench.open_duel()
    mails = bench.send("Anna", "set map small\nAres: speed 3")

    assert [mail.kind for mail in mails] == ["receipt", "answer"]
    assert bench.store.campaigns.seats(1)[0].map == "small"
    assert bench.sheet("Anna") == "Ares:\n  speed 3\n"


def test_a_bad_setting_is_answered_with_what_can_be_set(bench: Bench) -> None:
    bench.open_duel()
    (answer,) = bench.send("Anna", "set colour red")

    assert "there is no setting called 'colour'" in answer.text
    assert "set reminders 48h,6h" in answer.text


def test_an_empty_letter_is_answered_with_how_to_write_one(bench: Bench) -> None:
    bench.open_duel()
    (answer,) = bench.send("Anna", "> Ares: speed 3\n", subject="Re: A Duel")

    assert verdict(bench) == ("nothing", "refused")
    assert "Write them above the quoted text" in answer.text


# --- who may write ---------------------------------------------------------------------------------------------------


def test_a_stranger_gets_no_answer(bench: Bench) -> None:
    bench.open_duel()

    assert bench.send("Anna", "help", token="", sender="mallory@evil.example") == []
    assert verdict(bench) == ("stranger", "ignored")


def test_a_machine_gets_no_answer(bench: Bench) -> None:
    bench.open_duel()

    assert bench.send("Anna", "I am on holiday", Auto_Submitted="auto-replied") == []
    assert verdict(bench) == ("stranger", "ignored")


def test_a_token_from_another_address_is_told_to_its_owner_alone(bench: Bench) -> None:
    bench.open_duel()
    (refusal,) = bench.send("Anna", "Ares: speed 1", sender="mallory@evil.example")

    assert verdict(bench) == ("turned away", "refused")
    assert refusal.recipient == ANNA
    assert bench.sheet("Anna") is None


def test_a_player_cannot_use_the_token_of_another(bench: Bench) -> None:
    bench.open_duel()
    (refusal,) = bench.send("Anna", "Boreas: speed 1", token=bench.token("Bob"))

    assert refusal.recipient == BOB
    assert bench.sheet("Bob") is None


def test_the_same_bytes_are_the_same_letter(either: Bench) -> None:
    either.open_duel()
    raw = either.letter("Anna", "Ares: speed 3")

    assert len(either.take(raw)) == 1
    assert either.take(raw) == []
    assert either.take(raw) == []
    assert len(either.sent("receipt")) == 1


def test_the_same_message_id_on_another_way_is_the_same_letter(bench: Bench) -> None:
    bench.open_duel()
    raw = bench.letter("Anna", "Ares: speed 3")
    bench.take(raw)

    assert bench.take(b"Received: from elsewhere\r\n" + raw) == []
    assert verdict(bench) == ("repeated", "ignored")


def test_an_unreadable_letter_is_set_aside_in_silence(bench: Bench) -> None:
    bench.open_duel()

    assert bench.take(b"From: a@x.example, b@x.example\r\n\r\nhello") == []
    assert verdict(bench) == ("unreadable", "ignored")


def test_a_letter_before_the_start_is_told_to_wait(bench: Bench) -> None:
    bench.office.open_campaign("duel", duel(), bench.now)
    bench.office.add_seat("duel", "Anna", "red", ANNA)
    header = "Authentication-Results: mx.club.example; dmarc=pass header.from=home.example\r\n"
    policy = replace(bench.house.policy, trusted_authserv="mx.club.example")
    trusting = replace(bench.house, policy=policy)
    desk.take(trusting, header.encode() + bench.letter("Anna", "help", token=""), bench.now)

    assert verdict(bench) == ("not begun", "refused")
    assert "A Duel has not begun yet." in bench.sent()[0].text


def test_a_sender_with_several_seats_must_say_which(bench: Bench) -> None:
    bench.open_duel("one")
    bench.open_duel("two")
    header = "Authentication-Results: mx.club.example; dmarc=pass header.from=home.example\r\n"
    policy = replace(bench.house.policy, trusted_authserv="mx.club.example")
    desk.take(
        replace(bench.house, policy=policy), header.encode() + bench.letter("Anna", "status", token=""), bench.now
    )

    assert verdict(bench) == ("which seat", "refused")
    assert bench.sent("refusal")[0].recipient == ANNA


def test_a_mail_that_came_back_for_good_is_told_to_the_moderator(bench: Bench) -> None:
    bench.open_duel()
    back = bounce_address(ROBOT, bench.store.outgoing.bounce_key(), 1, 1)
    report = (
        f"From: MAILER-DAEMON@home.example\r\nTo: {back}\r\nSubject: failed\r\nMIME-Version: 1.0\r\n"
        'Content-Type: multipart/report; report-type=delivery-status; boundary="x"\r\n\r\n'
        "--x\r\n\r\nsorry\r\n--x\r\nContent-Type: message/delivery-status\r\n\r\n"
        "Reporting-MTA: dns; mx.home.example\r\n\r\n"
        "Final-Recipient: rfc822; anna@home.example\r\nAction: failed\r\nStatus: 5.1.1\r\n\r\n--x--\r\n"
    )
    (told,) = bench.take(report.encode())

    assert verdict(bench) == ("bounce", "ignored")
    assert told.recipient == MODERATOR
    assert "mail 1 (opening) to anna@home.example came back: permanent failure." in told.text


def test_a_flood_is_handled_without_answers(either: Bench) -> None:
    either.open_duel()
    either.house = replace(either.house, answers_at_once=3, answers_an_hour=2)
    answers = [len(either.send("Anna", f"Ares: speed {number}")) for number in range(5)]
    assert answers == [1, 1, 1, 0, 0]
    assert either.sheet("Anna") == "Ares:\n  speed 4\n"

    either.later(minutes=30)
    assert [len(either.send("Anna", "status")) for _ in range(2)] == [1, 0]
    assert len(either.send("Bob", "status")) == 1


# --- when we fail ----------------------------------------------------------------------------------------------------


def test_a_letter_that_meets_a_bug_is_set_aside_and_told(either: Bench) -> None:
    either.open_duel(trouble="read")
    either.send("Anna", "Ares: speed 1")
    mails = either.send("Anna", "Ares: speed 5 # kaboom")

    assert verdict(either)[1] == "broken"
    assert [mail.recipient for mail in mails] == [ANNA, MODERATOR]
    assert "the moderator has been told" in mails[0].text
    assert "kaboom" not in mails[1].text
    assert either.sheet("Anna") == "Ares:\n  speed 1\n"
    assert either.office.show("duel").status == "running"
    (aside,) = either.office.letters_set_aside()

    with either.store.database.writing() as session:
        session.connection().exec_driver_sql("UPDATE phase SET state = replace(state, '\"read\"', '\"\"')")
    assert either.office.requeue(aside.id, either.now).status == "accepted"
    assert either.sheet("Anna") == "Ares:\n  speed 5\n"
    assert either.office.letters_set_aside() == ()


def test_an_answer_that_would_leak_is_not_sent_and_pauses_the_campaign(bench: Bench) -> None:
    bench.open_duel()
    with bench.store.database.writing() as session:
        session.connection().exec_driver_sql(
            'UPDATE phase SET state = replace(state, \'"trouble": ""\', \'"trouble": "leak"\')'
        )
        session.connection().exec_driver_sql(
            'UPDATE phase SET state = replace(state, \'"trouble":""\', \'"trouble":"leak"\')'
        )
    mails = bench.send("Anna", "status")

    assert bench.office.show("duel").status == "paused"
    assert not any("Vesuvius" in mail.text for mail in mails if mail.recipient != MODERATOR)
    assert [mail.kind for mail in mails] == ["aside", "moderator", "paused", "paused"]
    assert "The words: Vesuvius." in mails[1].text

    bench.office.allow_words("duel", ["Vesuvius"])
    bench.office.resume("duel", "", bench.now)
    (answer,) = bench.send("Anna", "status")
    assert "Your mine is Vesuvius." in answer.text


def test_a_name_that_is_a_word_of_the_letters_themselves_is_no_leak(bench: Bench) -> None:
    """The help page and the templates are the same for everybody: a ship called Line is not betrayed by them."""
    names = frozenset(("Vesuvius", "Receipt", "Boreas", "Fair dice"))

    assert plain_words(bench.house.pen, "duel", names) == {"Receipt", "Boreas", "Fair dice"}


def test_a_player_who_guesses_a_secret_name_learns_nothing_and_stops_nothing(bench: Bench) -> None:
    bench.open_duel(fog=True)
    (first,) = bench.send("Anna", "Ares: fire Vesuvius")
    (second,) = bench.send("Anna", "Argo: speed 1")
    resolve(bench)
    (told,) = bench.send("Anna", "why")

    assert bench.office.show("duel").status == "running"
    assert (first.kind, second.kind) == ("receipt", "receipt")
    assert "Ares finds no Vesuvius to fire at." in told.text
    assert not any(
        "Vesuvius" in mail.text for mail in bench.sent() if mail.recipient == ANNA and mail.kind == "opening"
    )


def test_a_letter_that_kills_the_process_three_times_is_set_aside(bench: Bench) -> None:
    bench.open_duel()
    raw = bench.letter("Anna", "Ares: speed 3")
    filed = bench.store.letters.file(raw, bench.now)
    for _ in range(2):
        bench.store.letters.begin_again(filed.id)
    desk.catch_up(bench.house, bench.now)

    assert bench.store.letters.get(filed.id).status == LetterStatus.BROKEN
    assert desk.catch_up(bench.house, bench.now) == 0


def test_letters_left_over_from_a_crash_are_handled_in_the_order_they_came(bench: Bench) -> None:
    bench.open_duel()
    for speed in (1, 2, 3):
        bench.store.letters.file(bench.letter("Anna", f"Ares: speed {speed}"), bench.now)

    assert desk.catch_up(bench.house, bench.now) == 3
    assert [mail.key for mail in bench.sent("receipt")] == ["receipt/1", "receipt/2", "receipt/3"]
    assert bench.sheet("Anna") == "Ares:\n  speed 3\n"


def test_the_verdict_table_fits_on_one_screen() -> None:
    assert len(desk.VERDICTS) < 24
    assert len({rule.name for rule in desk.VERDICTS}) == len(desk.VERDICTS)


def test_a_letter_too_big_to_be_read_is_refused_by_its_header(bench: Bench) -> None:
    bench.open_duel()
    header = bench.letter("Anna", "Ares: speed 3").partition(b"\r\n\r\n")[0] + b"\r\n\r\n"
    desk.take(bench.house, header, bench.now, MailboxPlace(1, 1, 5_000_000))

    assert verdict(bench) == ("too big", "refused")
    assert "Your letter has 5000000 bytes, at most 1048576 are read." in bench.sent("refusal")[0].text
