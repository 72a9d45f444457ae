"""HTML mail as lines of text, with each quoted element reduced to one quote mark for `quotes.own_text` to find."""

from __future__ import annotations

from selectolax.lexbor import LexborHTMLParser, LexborNode

from pbem.post.quotes import CUT, QUOTE

LONGEST_HTML = 256 * 1024
MOST_TAGS = 20_000
MOST_OPEN = 5_000
"""Tags opened and not closed; the parser's time grows with the square of the depth."""
LONGEST_TAG = 2_048
"""A longer tag carries a picture or an attack, no order; the parser's time grows with the square of the attributes."""

_UNSEEN = frozenset(("script", "style", "head", "title", "noscript", "template", "object", "iframe", "svg"))
_HIDING = ("display:none", "visibility:hidden")
_SIGNATURES = ("gmail_signature", "moz-signature", "ms-outlook-mobile-signature", "applemailsignature")
_QUOTED = ("yahoo_quoted", "protonmail_quote", "tutanota_quote")
# Behind these stands a copied letter, though nothing encloses it.
_COPY_BELOW = (
    "divrplyfwdmsg", "x_divrplyfwdmsg", "appendonsend", "stopspelling", "outlookmessageheader", "reply-intro",
    "mail-editor-reference-message-container",
)  # fmt: skip
_COPY_RULES = ("border-top:solid#e1e1e1", "border-top:solid#b5c4df")
_BLOCKS = frozenset((
    "address", "article", "aside", "blockquote", "body", "center", "dd", "details", "div", "dl", "dt", "fieldset",
    "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "html", "li", "main", "nav", "ol",
    "p", "pre", "section", "summary", "table", "tbody", "tfoot", "thead", "tr", "ul",
))  # fmt: skip
_CELLS = frozenset(("td", "th"))


def as_text(html: str) -> str | None:
    """The text a reader would see; None where the page is too complicated to be a letter."""
    tags = html[:LONGEST_HTML].split("<")
    closing = sum(1 for tag in tags if tag[:1] == "/")
    if len(tags) > MOST_TAGS or len(tags) - 2 * closing > MOST_OPEN:
        return None
    page = _Page()
    body = LexborHTMLParser("<".join(_shortened(tag) for tag in tags)).body
    if body is not None:
        page.walk(body)
    return page.text()


def _shortened(tag: str) -> str:
    inside, close, after = tag.partition(">")
    return f"wbr>{after}" if close and len(inside) > LONGEST_TAG else tag[: LONGEST_HTML if close else LONGEST_TAG]


class _Page:
    """Collects the words of the elements in reading order; blocks and line breaks end lines."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._words: list[str] = []
        self._as_written = 0

    def text(self) -> str:
        self._end_line()
        return "\n".join(self._lines)

    def walk(self, top: LexborNode) -> None:
        """Depth first, without recursion: a hostile page is nested deeper than Python's stack."""
        node: LexborNode | None = top
        while node is not None:
            below = node.first_child if self._enter(node) else None
            if below is not None:
                node = below
                continue
            while node is not None:
                self._leave(node)
                if node.mem_id == top.mem_id:
                    return
                if node.next is not None:
                    node = node.next
                    break
                node = node.parent

    def _enter(self, node: LexborNode) -> bool:
        """Write what the element begins with; False: its content is not looked at."""
        if node.is_text_node:
            self._write(node.text_content or "")
            return False
        tag = node.tag or ""
        if tag in _BLOCKS:
            self._end_line()
        if tag == "br":
            self._new_line()
        elif tag in _CELLS:
            self._words.append(" ")
        mark = _mark_of(node)
        if mark:
            self._end_line()
            self._lines.append(mark)
        if mark is not None:
            return False
        self._as_written += tag == "pre"
        return True

    def _leave(self, node: LexborNode) -> None:
        tag = node.tag or ""
        if tag in _BLOCKS:
            self._end_line()
        if tag == "pre" and _mark_of(node) is None:
            self._as_written -= 1

    def _write(self, text: str) -> None:
        if not self._as_written:
            self._words.append(text)
            return
        first, *rest = text.split("\n")
        self._words.append(first)
        for line in rest:
            self._new_line()
            self._words.append(line)

    def _new_line(self) -> None:
        self._lines.append(" ".join("".join(self._words).split()))
        self._words = []

    def _end_line(self) -> None:
        if "".join(self._words).strip():
            self._new_line()
        self._words = []


def _mark_of(node: LexborNode) -> str | None:
    """The line that stands for an element that is not the sender's own; ``""``: nothing does; None: it is their own."""
    tag = node.tag or ""
    if tag in _UNSEEN:
        return ""
    attributes = node.attributes
    names = f"{attributes.get('id') or ''} {attributes.get('class') or ''}".casefold().split()
    style = "".join((attributes.get("style") or "").casefold().split())
    if "hidden" in attributes or any(hiding in style for hiding in _HIDING):
        return ""
    if any(name in _SIGNATURES for name in names):
        return ""
    if any(name in _COPY_BELOW for name in names) or any(rule in style for rule in _COPY_RULES):
        return CUT
    if any(name.startswith(_QUOTED) for name in names) or (tag == "blockquote" and not _is_indent(names, style)):
        return QUOTE
    return None


def _is_indent(names: list[str], style: str) -> bool:
    """Gmail's indent button makes a blockquote without a border; it holds the sender's own words."""
    return "gmail_quote" not in names and "border:none" in style
