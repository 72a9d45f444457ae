"""The rooms of the program, and who may call on whom."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent

# From the ground up: a room imports what is its own and the rooms its line names, and those come before it in the list.
# `games` stands beside `pbem`: for the kernel it is the registry and no more, for a game its own folder.
ROOMS: dict[str, str] = {
    # the contract, and what is played by it
    "kit": "",
    "games": "kit",
    "play": "kit games",
    # what a person reads
    "maps": "kit",
    "letters": "kit maps",
    # what every game is tried by; stands in the kit's folder, for the tests of games
    "kit.checks": "kit games play letters",
    # what is kept, and the mail
    "faults": "",
    "store": "",
    "post": "faults",
    "postoffice": "post",
    # what a rules author begins with
    "newgame": "kit games",
    # a campaign and its life
    "campaign": "kit games play maps letters store post",
    "desk": "kit letters faults store post campaign",
    "turns": "kit games play letters faults store post campaign",
    # a host
    "office": "store campaign desk turns",
    "daemon": "store post campaign desk turns",
    "config": "",
    "hosting": "letters store post campaign daemon config",
    "checkup": "kit games letters store config",
    "demo": "kit postoffice office config hosting",
    "cli": "kit games play letters postoffice newgame campaign office config hosting checkup demo",
}


def test_arrows_point_down_only() -> None:
    """A room builds on rooms that are listed before it, so no two can need each other."""
    order = list(ROOMS)

    upward = [
        f"{room} -> {other}"
        for room, others in ROOMS.items()
        for other in others.split()
        if order.index(other) >= order.index(room)
    ]

    assert upward == []


def test_no_room_imports_what_its_line_does_not_name() -> None:
    offending = [
        f"{path.relative_to(ROOT)}:{line}: {room} imports {module}"
        for room, path, line, module in imports()
        if not allowed(room, path, module)
    ]

    assert not offending, "\n".join(offending)


def test_the_table_has_every_room_and_no_arrow_that_nobody_uses() -> None:
    """The table is the picture of the program; it tells no more than is so."""
    used = {(room, room_of(module)) for room, _, _, module in imports()}
    rooms = {room_at(path) for path in sources()}

    assert rooms == set(ROOMS)
    assert [
        f"{room} -> {other}" for room, others in ROOMS.items() for other in others.split() if (room, other) not in used
    ] == []


def sources() -> Iterator[Path]:
    for folder in ("pbem", "games"):
        yield from (path for path in sorted((ROOT / folder).rglob("*.py")) if path != ROOT / "pbem" / "__init__.py")


def room_at(path: Path) -> str:
    return room_of(".".join(path.relative_to(ROOT).with_suffix("").parts))


def room_of(module: str) -> str:
    """The room a module belongs to; none for `pbem` itself, which holds the version and nothing else."""
    top, _, rest = module.partition(".")
    if top == "games":
        return top
    return "kit.checks" if rest.startswith("kit.checks") else rest.partition(".")[0]


def imports() -> Iterator[tuple[str, Path, int, str]]:
    """Every import of ours, wherever in a module it stands: room, file, line, module."""
    for path in sources():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import | ast.ImportFrom):
                yield from ((room_at(path), path, node.lineno, module) for module in ours(node))


def ours(node: ast.Import | ast.ImportFrom) -> Iterator[str]:
    if isinstance(node, ast.Import):
        named = [alias.name for alias in node.names]
    else:
        assert node.level == 0, f"line {node.lineno}: imports are written out in full"
        whole = node.module or ""
        # `from pbem import daemon` names a room, `from pbem import __version__` does not.
        named = [f"pbem.{alias.name}" for alias in node.names if alias.name in ROOMS] if whole == "pbem" else [whole]
    yield from (module for module in named if module.startswith(("pbem.", "games.")) or module == "games")


def allowed(room: str, path: Path, module: str) -> bool:
    other = room_of(module)
    if room == other == "games":
        return module.startswith(".".join(path.relative_to(ROOT).parts[:2]))
    if other == "games":
        return module == "games" and other in ROOMS[room].split()
    return other == room or other in ROOMS[room].split()
