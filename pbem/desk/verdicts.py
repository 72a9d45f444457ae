"""The questions and verdicts of the desk's table, one function each, in the table's order."""

from __future__ import annotations

from dataclasses import replace

from pbem.campaign.envelopes import check_secrets, message_id, note, to_address, to_moderator, to_seat
from pbem.campaign.reading import Reading, join, read_ahead
from pbem.campaign.standing import Standing, digest
from pbem.desk.answers import Answers, answer_all, answer_mail, awaited_blocks
from pbem.desk.case import Case
from pbem.desk.commands import Command, Word
from pbem.kit.package import rule_book
from pbem.letters.blocks import Items, Pre, TextBlock
from pbem.letters.content import Mail
from pbem.letters.notices import refusal
from pbem.letters.receipt import receipt
from pbem.post.gate import TurnedAway
from pbem.post.letter import LARGEST, Unreadable
from pbem.store.letters import LetterChange, SealedAhead
from pbem.store.outgoing import Draft
from pbem.store.phases import SheetChange
from pbem.store.rows import LetterStatus, OutgoingRow, PhaseStatus

# --- letters that are not answered -----------------------------------------------------------------------------------


def is_bounce(case: Case) -> bool:
    return case.came_back


def note_bounce(case: Case) -> LetterChange:
    """A mail of ours came back; for good, and the moderator learns whose."""
    bounced = case.bounced
    if bounced is None:
        return _silent(case, "a report on a mail of ours that tells of no failure")
    row = case.house.store.outgoing.get(bounced.ref.outgoing_id)
    what = f"mail {bounced.ref.outgoing_id} ({row.kind if row else 'unknown'})"
    reason = f"{what} to {', '.join(bounced.addresses)} came back: {bounced.kind} failure"
    change = replace(_silent(case, reason), notes=(note(None, "bounce", reason, case.now),))
    if bounced.kind == "temporary":
        return change
    campaign = case.house.store.campaigns.get(row.campaign_id) if row and row.campaign_id else None
    drafts = to_moderator(case.house, campaign, "A mail came back", [f"{reason}."], case.now)
    return replace(change, drafts=drafts)


def is_unreadable(case: Case) -> bool:
    return isinstance(case.parsed, Unreadable)


def ignore_unreadable(case: Case) -> LetterChange:
    assert isinstance(case.parsed, Unreadable)
    return replace(_silent(case, case.parsed.reason), message_id=case.parsed.message_id, sender=case.parsed.sender)


def is_turned_away_in_silence(case: Case) -> bool:
    return isinstance(case.admission, TurnedAway) and (not case.admission.answer or case.admission.seat is None)


def ignore(case: Case) -> LetterChange:
    assert isinstance(case.admission, TurnedAway)
    return _silent(case, case.admission.reason)


def is_repeated(case: Case) -> bool:
    return case.house.store.letters.repeats(case.letter_id, case.letter.sender, case.letter.message_id) is not None


def ignore_repeated(case: Case) -> LetterChange:
    # Without its Message-ID and sender, so that a letter sent twice is found once.
    return LetterChange(case.letter_id, LetterStatus.IGNORED, "", "the same Message-ID came before")


def _silent(case: Case, reason: str) -> LetterChange:
    if isinstance(case.parsed, Unreadable):
        return LetterChange(case.letter_id, LetterStatus.IGNORED, "", reason)
    letter = case.letter
    return LetterChange(case.letter_id, LetterStatus.IGNORED, "", reason, letter.message_id, letter.sender)


# --- letters that are refused with a reason --------------------------------------------------------------------------


def is_turned_away(case: Case) -> bool:
    return isinstance(case.admission, TurnedAway)


def refuse_at_gate(case: Case) -> LetterChange:
    """The answer goes to the registered address alone, whoever the letter says it is from."""
    assert isinstance(case.admission, TurnedAway)
    reason = case.admission.reason
    return _refused(case, f"{reason[:1].upper()}{reason[1:]}.", case.admission.hint)


def is_too_big(case: Case) -> bool:
    """Only its header was fetched."""
    return case.row.too_big > 0 and case.seat_ref is not None


def refuse_too_big(case: Case) -> LetterChange:
    reason = f"Your letter has {case.row.too_big} bytes, at most {LARGEST} are read."
    return _refused(case, reason, "Send your orders as plain text, without pictures and attachments.")


def is_ambiguous(case: Case) -> bool:
    return case.seat_ref is None


def refuse_ambiguous(case: Case) -> LetterChange:
    reason = "You hold several seats, and the letter does not say which it is for."
    hint = "Reply to the last letter of the campaign you mean."
    mail = refusal(case.house.pen.club, case.received, reason, hint, case.house.pen)
    key = f"refusal/{case.letter_id}"
    draft = to_address(case.house, case.letter.sender, mail, key, case.now, case.answering)
    return _handled(case, LetterStatus.REFUSED, (draft,), reason)


def is_not_begun(case: Case) -> bool:
    return case.phase is None


def refuse_not_begun(case: Case) -> LetterChange:
    return _refused(case, f"{case.campaign.title} has not begun yet.", "You will get a letter when it does.")


def is_over(case: Case) -> bool:
    return case.phase is not None and case.phase.status != PhaseStatus.OPEN


def refuse_over(case: Case) -> LetterChange:
    return _refused(case, f"{case.campaign.title} is over. {case.campaign.reason}".strip(), "")


def is_late(case: Case) -> bool:
    """It answers a phase that is resolved, and does not say that it means the open turn."""
    assert case.phase is not None
    answered = case.seat_ref.phase_id if case.seat_ref else None
    if answered is None or answered == case.phase.id:
        return False
    return case.sheet.turn != case.phase.turn


def refuse_late(case: Case) -> LetterChange:
    assert case.phase is not None
    assert case.seat_ref is not None
    assert case.seat_ref.phase_id is not None
    old = case.house.store.phases.get(case.seat_ref.phase_id)
    reason = (
        f"Your letter answers turn {old.turn} ({old.name}), which is resolved. "
        f"Turn {case.phase.turn} ({case.phase.name}) is open."
    )
    return _refused(case, reason, f"Reply to the report of the last turn, or write 'turn {case.phase.turn}' on top.")


def is_for_another_turn(case: Case) -> bool:
    assert case.phase is not None
    return case.sheet.turn is not None and case.sheet.turn != case.phase.turn


def refuse_turn(case: Case) -> LetterChange:
    assert case.phase is not None
    ahead = case.at.game.orders_ahead
    limit = f" Orders can be sent at most {ahead} turn(s) ahead." if ahead else ""
    reason = f"These orders are for turn {case.sheet.turn}, but turn {case.phase.turn} is open.{limit}"
    return _refused(case, reason, f"Write 'turn {case.phase.turn}', or leave the line out.")


def is_not_asked(case: Case) -> bool:
    assert case.phase is not None
    return case.seat.side not in case.phase.sides


def refuse_not_asked(case: Case) -> LetterChange:
    assert case.phase is not None
    reason = f"Turn {case.phase.turn} ({case.phase.name}) needs no orders of your side."
    return _refused(case, reason, "You will get a letter when it is your turn again.")


def _refused(case: Case, reason: str, hint: str) -> LetterChange:
    mail = refusal(case.house.pen.club, case.received, reason, hint, case.house.pen)
    return _handled(case, LetterStatus.REFUSED, (_answer(case, mail, "refusal"),), reason)


# --- commands --------------------------------------------------------------------------------------------------------


def is_preview(case: Case) -> bool:
    return case.request.asks(Word.PREVIEW) and not is_over(case)


def answer_preview(case: Case) -> LetterChange:
    """Read and draw the orders without filing them."""
    reading = join(case.at, case.seat, case.sheet, case.request.orders)
    mail = _receipt(case, case.at, reading, filed=False)
    change = _handled(case, LetterStatus.ACCEPTED, (_answer(case, mail, "preview"),))
    return _with_answers(case, change, but=Word.PREVIEW)


def is_withdrawal(case: Case) -> bool:
    return _changes_sheet(case, Word.WITHDRAW)


def withdraw(case: Case) -> LetterChange:
    """The sheet is taken back; the seat is awaited again."""
    at = case.at.with_sheet(case.seat, None)
    stood = case.seat.id in case.at.sheets
    said = "Your orders are taken back." if stood else "There were no orders to take back."
    mail = answer_mail(case, "Orders withdrawn", [said, *awaited_blocks(case, at)], at)
    sheet = _sheet_change(case, at, None) if stood else None
    change = _handled(case, LetterStatus.ACCEPTED, (_answer(case, mail, "answer", "/1"),))
    return _with_answers(case.after(at), replace(change, sheet=sheet), but=Word.WITHDRAW)


def is_no_orders(case: Case) -> bool:
    return _changes_sheet(case, Word.NO_ORDERS)


def file_empty(case: Case) -> LetterChange:
    """A sheet without orders, on purpose: nobody needs to wait for it."""
    at = case.at.with_sheet(case.seat, "")
    defaults = case.sheet.defaults
    blocks = ["You have no orders for this turn; your sheet is empty.", *awaited_blocks(case, at)]
    mail = answer_mail(case, "No orders", [*blocks, Items(defaults)] if defaults else blocks, at)
    change = _handled(case, LetterStatus.ACCEPTED, (_answer(case, mail, "answer", "/1"),))
    return _with_answers(case.after(at), replace(change, sheet=_sheet_change(case, at, "")), but=Word.NO_ORDERS)


def _changes_sheet(case: Case, word: Word) -> bool:
    return case.request.asks(word) and not case.brings_orders and not is_over(case) and not is_not_asked(case)


def is_command(case: Case) -> bool:
    return bool(case.request.commands) and not case.brings_orders


def answer_commands(case: Case) -> LetterChange:
    answers = answer_all(case, case.request.commands)
    return replace(_handled(case, LetterStatus.ACCEPTED, _drafts(case, answers)), preferences=answers.preferences)


def _with_answers(case: Case, change: LetterChange, but: Word | None = None) -> LetterChange:
    """What the letter changes, with the answers to its other commands; each is composed once."""
    rest: tuple[Command, ...] = tuple(command for command in case.request.commands if command.word is not but)
    if not rest:
        return change
    answers = answer_all(case, rest)
    drafts = _drafts(case, answers, first=1 if but is None else 2)
    return replace(change, drafts=(*change.drafts, *drafts), preferences=answers.preferences)


def _drafts(case: Case, answers: Answers, first: int = 1) -> tuple[Draft, ...]:
    made = [_answer(case, mail, "answer", f"/{number}") for number, mail in enumerate(answers.mails, first)]
    return (*made, *(_again(case, row, f"again/{case.letter_id}/{row.id}") for row in answers.again))


def _again(case: Case, row: OutgoingRow, key: str) -> Draft:
    """A mail once more under a new Message-ID, as many mailboxes hide a second one with the same."""
    name = message_id(case.house, case.campaign.secret, key)
    raw = row.raw.replace(row.message_id.encode(), name.encode(), 1)
    draft = Draft(key, "again", row.recipient, row.envelope_sender, name, row.subject, raw)
    return replace(draft, campaign_id=row.campaign_id, seat_id=row.seat_id, letter_id=case.letter_id)


# --- orders ----------------------------------------------------------------------------------------------------------


def is_empty(case: Case) -> bool:
    return not case.brings_words


def answer_empty(case: Case) -> LetterChange:
    """Nothing of the sender's own was found; most likely it stood below the quoted text."""
    said = "No orders and no command were found in your letter. Write them above the quoted text, one a line."
    mail = answer_mail(case, "Nothing to read", [said], case.at)
    return _handled(case, LetterStatus.REFUSED, (_answer(case, mail, "answer"),), "no orders and no command")


def is_ahead(case: Case) -> bool:
    assert case.phase is not None
    wanted, now = case.sheet.turn, case.phase.turn
    return wanted is not None and now < wanted <= now + case.at.game.orders_ahead


def seal_ahead(case: Case) -> LetterChange:
    """Orders for a later turn wait sealed; they are read again when it opens."""
    turn = case.sheet.turn
    assert turn is not None
    waiting = {row.seat_id: row.text for row in case.house.store.phases.ahead(case.seat.campaign_id, turn)}
    reading = read_ahead(case.at, case.seat, case.request.orders, waiting.get(case.seat.id, ""))
    blocks: list[TextBlock | str] = [
        f"These orders wait sealed until turn {turn} opens; they are read again in the situation of that day.",
        Pre(reading.text or "(none)"),
    ]
    if reading.problems:
        complaints = tuple(f"Line {p.line}: {p.text}: {p.reason}" for p in reading.problems)
        blocks.extend(("As things stand today, these would not do:", Items(complaints)))
    mail = answer_mail(case, f"Orders for turn {turn}", blocks, case.at)
    sealed = SealedAhead(case.seat.id, turn, reading.text)
    change = _handled(case, LetterStatus.ACCEPTED, (_answer(case, mail, "receipt"),))
    return _with_answers(case, replace(change, ahead=sealed))


def always(_case: Case) -> bool:
    return True


def file_orders(case: Case) -> LetterChange:
    """Join the letter with the sheet in force and answer with the whole of it."""
    if _is_blank_form(case):
        return file_empty(case)
    reading = join(case.at, case.seat, case.sheet, case.request.orders)
    at, sheet = case.at, None
    if reading.stands:
        at = case.at.with_sheet(case.seat, reading.text)
        sheet = _sheet_change(case, at, reading.text)
    elif case.sheet.start_over and case.seat.id in case.at.sheets:
        at = case.at.with_sheet(case.seat, None)
        sheet = _sheet_change(case, at, None)
    mail = _receipt(case, at, reading, filed=True)
    change = _handled(case, LetterStatus.ACCEPTED, (_answer(case, mail, "receipt"),))
    return _with_answers(case.after(at), replace(change, sheet=sheet))


def _is_blank_form(case: Case) -> bool:
    """A form sent back as it was, or a mere comment: nothing is ordered and nothing is wrong."""
    sheet = case.sheet
    return not (sheet.accepted or sheet.problems or sheet.start_over or case.seat.id in case.at.sheets)


def _receipt(case: Case, at: Standing, reading: Reading, *, filed: bool) -> Mail:
    mark = digest(reading.text) if filed and reading.stands else ""
    context = case.context(at)
    game, pen = at.game, case.house.pen
    return receipt(context, game, case.view, reading.sheet, case.received, mark, pen, reading.problems, filed=filed)


def _sheet_change(case: Case, at: Standing, text: str | None) -> SheetChange:
    assert case.phase is not None
    mark = "" if text is None else digest(text)
    return SheetChange(case.seat.id, case.phase.id, case.phase.version, text, mark, at.due(case.now))


# --- what every verdict shares ---------------------------------------------------------------------------------------


def _answer(case: Case, mail: Mail, kind: str, behind: str = "") -> Draft:
    """A mail that answers this letter; it goes to the seat's registered address."""
    if case.phase is not None:
        check_secrets(case.house, mail, case.at, case.seat, _own_words(case))
    key = f"{kind}/{case.letter_id}{behind}"
    phase_id = case.phase.id if case.phase is not None else None
    return to_seat(case.house, case.campaign, case.seat, mail, key, case.now, case.answering, phase_id)


def _own_words(case: Case) -> str:
    """What the player, or for the turn before the side, wrote to us, and the rule book: an answer may quote it."""
    sheet = case.at.sheets.get(case.seat.id, "")
    before = case.house.store.phases.last_words(case.campaign.id, case.seat.side)
    book = rule_book(case.at.game.slug) if case.request.asks(Word.RULES) else None
    return "\n".join((case.letter.subject, case.letter.own_text, sheet, before, book or ""))


def _handled(case: Case, status: LetterStatus, drafts: tuple[Draft, ...], reason: str = "") -> LetterChange:
    seat = case.seat_ref
    return LetterChange(
        letter_id=case.letter_id,
        status=status,
        verdict="",
        reason=reason,
        message_id=case.letter.message_id,
        sender=case.letter.sender,
        seat_id=seat.seat_id if seat else None,
        phase_id=case.phase.id if seat is not None and case.phase is not None else None,
        drafts=drafts,
    )
