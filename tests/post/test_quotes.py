"""What counts as somebody else's words, line by line and language by language."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.post.hypertext import as_text
from pbem.post.parts import unflow
from pbem.post.quotes import own_text

INTRODUCTIONS = (
    "On Mon, 16 Nov 2026 at 18:03, Robot <robot@club.example> wrote:",
    "On 2026-11-16 18:03, Robot wrote:",
    "On 11/16/26, Robot <robot@club.example> wrote:",
    "Am Mo., 16. Nov. 2026 um 18:03 Uhr schrieb Robot <robot@club.example>:",
    "Am 16.11.26 um 18:03 schrieb Robot:",
    "Le lun. 16 nov. 2026 à 18:03, Robot <robot@club.example> a écrit :",
    "Le 16/11/2026 à 18:03, Robot a écrit :",
    "El lun, 16 nov 2026 a las 18:03, Robot (<robot@club.example>) escribió:",
    "Il giorno lun 16 nov 2026 alle ore 18:03 Robot <robot@club.example> ha scritto:",
    "Em seg., 16 de nov. de 2026 às 18:03, Robot <robot@club.example> escreveu:",
    "Op ma 16 nov 2026 om 18:03 schreef Robot <robot@club.example>:",
    "Den mån 16 nov. 2026 kl 18:03 skrev Robot <robot@club.example>:",
    "man. 16. nov. 2026 kl. 18:03 skrev Robot <robot@club.example>:",
    "pon., 16 lis 2026 o 18:03 Robot <robot@club.example> napisał(a):",
    "po 16. 11. 2026 v 18:03 odesílatel Robot <robot@club.example> napsal:",
    "ma 16. marrask. 2026 klo 18.03 Robot (robot@club.example) kirjoitti:",
    "пн, 16 нояб. 2026 г. в 18:03, Robot <robot@club.example>:",
    "2026年11月16日(月) 18:03 Robot <robot@club.example>:",
    "Robot <robot@club.example> 于2026年11月16日周一 18:03写道：",
)


@pytest.mark.parametrize("line", INTRODUCTIONS)
def test_the_line_above_a_quote_is_known_in_many_languages(line: str) -> None:
    assert own_text(f"speed 8\n{line}\n> old\n> words\nfire at 0412") == "speed 8\nfire at 0412"


@pytest.mark.parametrize("line", INTRODUCTIONS)
def test_an_unmarked_quote_below_it_is_cut(line: str) -> None:
    assert own_text(f"speed 8\n\n{line}\n\nold words\nmove 99") == "speed 8"


@pytest.mark.parametrize("line", [line for line in INTRODUCTIONS if "<" in line and line[0] not in "R"])
def test_a_wrapped_introduction_never_takes_the_order_above_it(line: str) -> None:
    """The line before it holds four digits, as hexes do."""
    wrapped = line.replace(" <", "\n<", 1).replace(" (<", "\n(<", 1)

    assert own_text(f"fire at 0412\n{wrapped}\n> old") == "fire at 0412"


@pytest.mark.parametrize(
    "block",
    [
        "From: Robot <robot@club.example>\nSent: Monday, November 16, 2026 6:03 PM\nTo: Ann\nSubject: Turn 4",
        "*From:* Robot <robot@club.example>\n*Sent:* 16 November 2026 18:03\n*To:* Ann\n*Subject:* Turn 4",
        "From: Robot\nDate: Monday, 16 November 2026 at 18:03\nTo: Ann <ann@mail.example>,\n Bob\nSubject: Turn 4",
        "Von: Robot\nGesendet: Montag, 16. November 2026 18:03\nAn: Ann\nBetreff: Zug 4",
        "De : Robot\nEnvoyé : lundi 16 novembre 2026 18:03\nÀ : Ann\nObjet : Tour 4",
        "De: Robot\nEnviado el: lunes, 16 de noviembre de 2026 18:03\nPara: Ann\nAsunto: Turno 4",
        "Da: Robot\nInviato: lunedì 16 novembre 2026 18:03\nA: Ann\nOggetto: Turno 4",
        "Van: Robot\nVerzonden: maandag 16 november 2026 18:03\nAan: Ann\nOnderwerp: Beurt 4",
        "________________________________\nFrom: Robot\nSent: 16 November 2026 18:03\nTo: Ann\nSubject: Turn 4",
        "-----Original Message-----\nFrom: Robot",
        "-----Ursprüngliche Nachricht-----\nVon: Robot",
        "-------- Original message --------",
        "---------- Forwarded message ---------\nFrom: Robot",
        "Begin forwarded message:\n\nFrom: Robot",
        "-------- Ursprüngliche Nachricht --------Von: Robot <robot@club.example> Datum: 16.11.26  18:03  An: Ann",
        "-------- Original message --------From: Robot Date: 16/11/2026 " + "x" * 300,
        "On Monday, 16 November 2026 at 18:03:07 CET, Robot <robot@club.example> wrote:   Turn 4 is open. " + "x" * 600,
        "    Am Montag, 16. November 2026 um 18:03:07 MEZ hat Robot <robot@club.example> geschrieben:  \n \n x",
    ],
)
def test_a_copied_letter_below_is_cut(block: str) -> None:
    assert own_text(f"Alpha:\nspeed 8\n\n{block}\n\nmove 99") == "Alpha:\nspeed 8"


@pytest.mark.parametrize(
    "orders",
    [
        "From Sol move 3\nFrom: Sol\nmove 3",
        "From: Sol\nTo: Vega\nmove 3",
        "From: Sol\nTo: Vega\nDate: soon",
        "On station: hold\nspeed 8",
        "At 0412 fire\nBravo:\nturn left",
        "Am Ziel:\nfire at 0412",
        "Alpha: # was 16.11.2026",
        "------\nspeed 8\n======",
        "__________\nspeed 8",
        "Wrote:\nspeed 8",
        "send press to Bob: he wrote nonsense\nspeed 8",
        "Sent 3 probes\nVon Sol nach Vega",
        "Date: 2026-11-16 18:03\nTo: Vega\nspeed 8",
        "Squadron 3:\nmove 2\n  turn right 60\nEND",
    ],
)
def test_orders_are_never_taken_for_mail(orders: str) -> None:
    assert own_text(orders) == orders


def test_a_line_of_two_dashes_ends_the_letter_and_longer_rules_do_not() -> None:
    assert own_text("speed 8\n---\nturn left\n--\nAnn") == "speed 8\n---\nturn left"
    assert own_text("speed 8\n-- \nAnn") == "speed 8"


def test_from_protected_by_a_mail_server_is_an_order_but_a_quoted_one_is_not() -> None:
    assert own_text("speed 8\n>From Sol move 3\nturn left") == "speed 8\nFrom Sol move 3\nturn left"
    assert own_text("> speed 8\n>From Sol move 3\nturn left") == "turn left"


def test_rfc_3676_soft_breaks_are_joined_within_one_depth() -> None:
    text = "fire at \n0412 and \n0413\n> old \n> words\n>> older \nown \nwords\n-- \nAnn"

    joined = unflow(text, delete_space=False)

    assert joined == "fire at 0412 and 0413\n> old words\n> older \nown words\n-- \nAnn"


def test_rfc_3676_delsp_joins_without_the_blank() -> None:
    assert unflow("Kriegs \nschiff\n  stuffed", delete_space=True) == "Kriegsschiff\n stuffed"


ORDER = st.text(alphabet="abcdefghij 0123456789,'-", min_size=1, max_size=30).filter(
    lambda line: line.strip() and line.strip() != "--" and line == line.rstrip()
)


@settings(max_examples=100, deadline=None)
@given(st.lists(ORDER, min_size=1, max_size=8), st.sampled_from(INTRODUCTIONS), st.lists(ORDER, max_size=4))
def test_orders_come_out_as_they_went_in_whatever_is_quoted(orders: list[str], line: str, quoted: list[str]) -> None:
    text = "\n".join([*orders, "", line, *(f"> {old}" for old in quoted)])

    assert own_text(text) == "\n".join(orders)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.one_of(ORDER, st.text(max_size=30), st.sampled_from(INTRODUCTIONS)), max_size=12))
def test_own_text_only_ever_leaves_lines_out(lines: list[str]) -> None:
    lines = [piece for line in lines for piece in line.split("\n")]
    kept = iter(line.rstrip() for line in lines)

    assert all(line in kept or f">{line}" in lines for line in own_text("\n".join(lines)).split("\n") if line)


# --- HTML ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>speed 8</p><p>turn&nbsp;left</p>", "speed 8\nturn left"),
        ("speed 8<br>turn <b>left</b>", "speed 8\nturn left"),
        ("<div>speed 8</div><div><br></div><div>turn left</div>", "speed 8\n\nturn left"),
        ("<table><tr><td>Alpha:</td><td>speed 8</td></tr><tr><td>Bravo:</td></tr></table>", "Alpha: speed 8\nBravo:"),
        ("<pre>speed 8\nturn left</pre>", "speed 8\nturn left"),
        ("<ul><li>speed 8<li>turn left</ul>", "speed 8\nturn left"),
        ("a<script>b</script><span style='display: none'>c</span><i hidden>d</i>e", "ae"),
        ("a<blockquote>b<blockquote>c</blockquote></blockquote>d", "a\n>\nd"),
        ("<title>x</title>", ""),
        ("", ""),
        ("speed &lt; 8 &amp; more", "speed < 8 & more"),
        (f"a<img src='data:{'A' * 3000}'>b", "ab"),
    ],
)
def test_html_as_a_reader_sees_it(html: str, text: str) -> None:
    assert as_text(html) == text


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.sampled_from(["<div>", "</div>", "<blockquote>", "</p>", "<pre>", "<br>", "x", "\n", "<td>", "&#0;", "<!--"])
    )
)
def test_no_html_makes_the_reader_raise(pieces: list[str]) -> None:
    assert as_text("".join(pieces)) is not None
