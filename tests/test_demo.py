"""The demo as a newcomer runs it: real servers, whole turns, something to look at."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.demo import run_demo


@pytest.mark.server
def test_the_demo_plays_turns_over_mail_and_says_where_to_look(tmp_path: Path) -> None:
    said: list[str] = []

    run_demo(tmp_path / "demo", 2, said.append)

    text = "\n".join(said)
    assert "Turn 2" in text
    assert "all proved" in text
    assert "demo --play" in text
    kept = sorted(path.name for path in (tmp_path / "demo" / "letters" / "earth").iterdir())
    # Opening, then a receipt and a report for each turn.
    assert len(kept) == 5
    last = tmp_path / "demo" / "letters" / "earth" / kept[-1]
    assert (last / "map.png").read_bytes().startswith(b"\x89PNG")
    assert 'src="map.png"' in (last / "letter.html").read_text()
    assert (tmp_path / "demo" / "index.html").is_file()


def test_the_demo_never_clears_a_folder_that_holds_other_things(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("years of work")

    with pytest.raises(FileExistsError, match="holds other things"):
        run_demo(tmp_path, 1)

    assert (tmp_path / "thesis.txt").exists()
