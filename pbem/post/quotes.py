"""A reply's own words: quoted lines, the line that introduces them, the copied letter below and the signature go.

One pass over the lines, each looked at a bounded number of times; a line counts as somebody else's only by a sign that
no order can carry, because a wrongly kept line is a problem on the receipt but a wrongly cut one is a lost order.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

QUOTE = ">"
CUT = "-----Original Message-----"
"""Everything below such a line is a copy of another letter."""

_LONGEST_INTRODUCTION = 500
_MOST_INTRODUCTION_LINES = 4
_LONGEST_LOOK = 200
"""Characters of a line that are looked at for the signs of a copied letter."""

# How mail programs say "wrote" in the line above a quote.
_WROTE = (
    "wrote", "writes", "schrieb", "geschrieben", "a écrit", "a ecrit", "escribió", "escribio", "ha scritto",
    "escreveu", "schreef", "heeft geschreven", "skrev", "napisał", "napisal", "napsal", "napísal", "kirjoitti",
    "пише", "пишет", "писал", "написал", "έγραψε", "yazdı", "írta", "a scris", "написа", "写道", "寫道", "のメール",
    "님이 작성",
)  # fmt: skip
_WHO = re.compile(
    r"<[^<>@\s]{1,80}@[^<>@\s]{1,200}>|\[mailto:[^\]\s]{1,200}\]|\(<?[^()<>@\s]{1,80}@[^()<>@\s]{1,200}>?\)"
)
_CLOCK = re.compile(r"\d{1,2}[:.h]\d\d|\d{4}|\d{1,2}[./-]\d{1,2}[./-]\d{2}")

# The first line of an introduction that is wrapped over several lines: a date stands in it, as in no order.
_DATED = re.compile(
    r"(?:(?:on|am|le|el|il|il giorno|em|op|den|dne|dnia|w dniu|в)\s.{0,80}?|[^\W\d]{2,12}\.?,?\s)?"
    r"(?:\d{1,2}[./-]\s?\d{1,2}[./-]\s?(?:20)?\d\d|(?:20)\d\d[年./-]|\d{1,2}\.?\s(?:de\s)?[^\W\d]{3,12}\.?,?\s(?:de\s)?20\d\d"
    r"|[^\W\d]{3,12}\.?\s\d{1,2}(?:st|nd|rd|th)?,?\s20\d\d)",
    re.IGNORECASE,
)

# "Original Message" between dashes, as mail programs spell it; below it all is copied.
_COPIED = re.compile(
    r"[-_=*\s]{2,60}(?:original(?:e)? (?:message|nachricht|mail)|ursprüngliche nachricht|urspruengliche nachricht"
    r"|originalnachricht|weitergeleitete nachricht|forwarded message|begin forwarded message|message d'origine"
    r"|message original|message transféré|mensaje original|mensaje reenviado|messaggio originale|messaggio inoltrato"
    r"|mensagem original|mensagem encaminhada|oorspronkelijk bericht|doorgestuurd bericht|ursprungligt meddelande"
    r"|vidarebefordrat meddelande|oprindelig meddelelse|opprinnelig melding|alkuperäinen viesti|wiadomość oryginalna"
    r"|původní zpráva|исходное сообщение|пересылаемое сообщение|原始邮件|元のメッセージ)"
    # Some phones write the copied header on the same line.
    r"(?:\s{0,3}[-_=*]{2,60}|[-_=*\s:]{0,60}$)",
    re.IGNORECASE,
)
_FORWARDED = re.compile(r"(?:begin forwarded message|anfang der weitergeleiteten nachricht):?", re.IGNORECASE)

# The header block that Outlook copies above the old letter, by what each line says, in its languages.
_FROM = ("from", "von", "de", "da", "van", "från", "fra", "lähettäjä", "od", "от", "发件人", "寄件者", "差出人")
_SENT = (
    "sent", "date", "gesendet", "datum", "envoyé", "enviado", "enviado el", "enviada em", "inviato", "data",
    "verzonden", "skickat", "sendt", "dato", "lähetetty", "päivämäärä", "wysłano", "odesláno", "отправлено", "дата",
    "fecha", "发送时间", "送信日時", "寄件日期",
)  # fmt: skip
_TO = (
    "to", "an", "à", "a", "para", "aan", "till", "til", "vastaanottaja", "do", "komu", "кому", "收件人", "宛先",
    "destinatario", "pour",
)  # fmt: skip
_SUBJECT = (
    "subject", "betreff", "objet", "asunto", "oggetto", "assunto", "onderwerp", "ämne", "emne", "aihe", "temat",
    "předmět", "тема", "主题", "件名", "主旨",
)  # fmt: skip
_LONGEST_BLOCK = 8
_SHORTEST_RULE = 10
_HEADER_LINE = re.compile(r"[*\s]{0,4}([^\W\d_][^:*：]{0,20}?)\s?\*?[:：]\*?(?:\s|$)")

# What phones and mail programs put under a letter.
_ADVERTISEMENTS = (
    "sent from my ", "sent from mail for ", "sent from outlook", "sent from yahoo", "sent from proton",
    "sent from gmail", "sent from samsung", "sent from the samsung", "sent with proton", "sent from aqua",
    "get outlook for ", "get bluemail for ", "von meinem iphone", "von meinem ipad", "von meinem samsung",
    "von meinem android", "von meinem galaxy", "von meinem handy", "gesendet von mail für", "gesendet von meinem ",
    "gesendet mit der ", "gesendet von outlook",
    "holen sie sich outlook", "envoyé de mon ", "envoyé depuis mon ", "envoyé à partir de ", "télécharger outlook",
    "enviado desde mi ", "enviado do meu ", "obtener outlook", "obter o outlook", "inviato da iphone",
    "inviato da ipad", "inviato dal mio ", "scarica outlook", "verzonden vanaf mijn ", "verstuurd vanaf mijn ",
    "outlook voor ", "skickat från min ", "sendt fra min ", "lähetetty iphone", "wysłane z iphone",
    "wysłane z telefonu", "odesláno z iphon", "отправлено с iphone",
)  # fmt: skip
_LONGEST_ADVERTISEMENT = 120


def own_text(text: str) -> str:
    """The lines of a reply that its sender wrote, without blank lines at either end."""
    lines = text.split("\n")
    kept: list[str] = []
    at = 0
    while at < len(lines):
        line = lines[at]
        if _is_signature(line) or _is_copy_below(lines, at):
            break
        if _is_quoted(lines, at):
            at += 1
            continue
        if length := _introduction(lines, at):
            at += length
            if not _quote_follows(lines, at):
                break
            continue
        if not _is_advertisement(line):
            kept.append(_unescaped(line).rstrip())
        at += 1
    return "\n".join(kept).strip("\n")


def _is_signature(line: str) -> bool:
    """RFC 3676 4.3: ``-- ``; without its blank it is the order language's own end mark."""
    return line.rstrip() == "--"


def _is_quoted(lines: Sequence[str], at: int) -> bool:
    return lines[at].lstrip(" ")[:1] == QUOTE and not _is_escaped_from(lines, at)


def _is_escaped_from(lines: Sequence[str], at: int) -> bool:
    """``>From`` alone among unquoted lines: a mail server protected an order such as ``From Sol move 3``."""
    if not lines[at].startswith(">From "):
        return False
    around = (lines[at - 1] if at else "", lines[at + 1] if at + 1 < len(lines) else "")
    return not any(other.startswith(QUOTE) for other in around)


def _unescaped(line: str) -> str:
    return line[1:] if line.startswith(">From ") else line


def _is_advertisement(line: str) -> bool:
    folded = line.strip().casefold()
    return len(folded) <= _LONGEST_ADVERTISEMENT and folded.startswith(_ADVERTISEMENTS)


# --- the line above a quote ------------------------------------------------------------------------------------------


def _introduction(lines: Sequence[str], at: int) -> int:
    """How many lines from here on say "On that day somebody wrote:"; mail programs wrap it; 0: none."""
    if not lines[at].strip():
        return 0
    if _is_run_together(lines[at][:_LONGEST_INTRODUCTION].strip()):
        return 1
    joined = ""
    for length in range(1, _MOST_INTRODUCTION_LINES + 1):
        if at + length > len(lines) or not lines[at + length - 1].strip():
            return 0
        joined = f"{joined} {lines[at + length - 1].strip()}".strip()
        if len(joined) > _LONGEST_INTRODUCTION or joined[:1] == QUOTE:
            return 0
        if joined[-1] in ":：":
            return length if _introduces(joined, lines, at + length) else 0
        if length == 1 and not _DATED.match(joined):
            return 0
    return 0


def _is_run_together(text: str) -> bool:
    """Some programs write the old letter on the same line: a date, an address, a colon, and on it goes."""
    who = _WHO.search(text) if _DATED.match(text) else None
    return who is not None and ":" in text[who.end() : who.end() + 40]


def _introduces(text: str, lines: Sequence[str], below: int) -> bool:
    folded = text.casefold()
    wrote = any(word in folded for word in _WROTE)
    who, when = _WHO.search(text) is not None, _CLOCK.search(text) is not None
    # A bare "Robot wrote:" is believed only where a quote stands right below.
    return (when and (wrote or who)) or ((wrote or who) and _quote_follows(lines, below))


def _quote_follows(lines: Sequence[str], at: int) -> bool:
    """The next line that is not blank is a quoted one; looking a few lines ahead is enough."""
    for line in lines[at : at + 4]:
        if line.strip():
            return line.lstrip(" ")[:1] == QUOTE
    return False


# --- the copied letter -----------------------------------------------------------------------------------------------


def _is_copy_below(lines: Sequence[str], at: int) -> bool:
    line = lines[at][:_LONGEST_LOOK].strip()
    if not line:
        return False
    if _COPIED.match(line) or _FORWARDED.fullmatch(line):
        return True
    if line == "_" * len(line) and len(line) >= _SHORTEST_RULE:
        return any(_is_header_block(lines, below) for below in range(at + 1, min(at + 4, len(lines))))
    return _is_header_block(lines, at)


def _is_header_block(lines: Sequence[str], at: int) -> bool:
    """A From line, and right below it a Sent line with a date and a To or Subject line: one alone may be a unit's."""
    if _header_word(lines[at]) not in _FROM:
        return False
    dated = addressed = False
    strange = 0
    for line in lines[at + 1 : at + _LONGEST_BLOCK]:
        word = _header_word(line)
        dated = dated or (word in _SENT and _CLOCK.search(line[:_LONGEST_LOOK]) is not None)
        addressed = addressed or word in _TO or word in _SUBJECT
        # One line may be the rest of a wrapped one; two are the end of the block.
        strange = 0 if word in _SENT or word in _TO or word in _SUBJECT else strange + 1
        if strange == 2:
            break
    return dated and addressed


def _header_word(line: str) -> str:
    match = _HEADER_LINE.match(line[:_LONGEST_LOOK])
    return match[1].strip().casefold() if match else ""
