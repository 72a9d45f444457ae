"""What a judge makes of a letter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pbem.kit.judging import Judge
from pbem.kit.sheet import BadOrder, Dialect, Line, Problem, Sheet, read_sheet


@dataclass(frozen=True)
class Speed:
    unit: str
    value: int


@dataclass(frozen=True)
class Fire:
    unit: str


Order = Speed | Fire
LETTER = "Argo: speed 9\nArgo: fire\nBremen: speed 2\n"


def read(text: str, judge: Judge[Order]) -> Sheet[Order]:
    def read_line(line: Line) -> Sequence[Order]:
        judge.note(line, "XX-1", "a remark", "", "")
        if line.text == "fire":
            return [Fire(line.unit)]
        if not line.text.startswith("speed"):
            raise BadOrder("XX-2", "no such order")
        return [Speed(line.unit, int(line.text.split()[1]))]

    return read_sheet(text, Dialect(("Argo", "Bremen")), judge.reading(read_line))


def judged(text: str = LETTER) -> tuple[Judge[Order], Sheet[Order]]:
    judge: Judge[Order] = Judge()
    sheet = read(text, judge)
    judge.take(sheet)
    judge.problems.clear()
    return judge, sheet


def test_what_is_refused_leaves_the_sheet_and_its_block() -> None:
    judge, sheet = judged()
    judge.refuse(judge.given(Speed, "Bremen")[0], "XX-3", "too slow", "speed 3", "it drifts")

    settled = judge.settle(sheet)

    assert settled.orders == (Speed("Argo", 9), Fire("Argo"))
    assert [block.good for block in settled.blocks] == [True, True, False]
    assert settled.problems == (Problem(3, "speed 2", "XX-3", "too slow", "speed 3", "it drifts", "Bremen", "refused"),)


def test_a_changed_order_stands_in_its_new_form_and_is_told() -> None:
    judge, sheet = judged()
    judge.change(judge.given(Speed, "Argo")[0], Speed("Argo", 6), "XX-4", "9 is over 6", "", "speed 6")

    settled = judge.settle(sheet)

    assert settled.orders[0] == Speed("Argo", 6)
    assert [(problem.line, problem.weight) for problem in settled.problems] == [(1, "changed")]


def test_a_note_and_a_silent_change_cost_nothing() -> None:
    judge, sheet = judged()
    judge.note(judge.given(Fire)[0], "XX-5", "nobody is in range")
    judge.put(judge.given(Speed, "Argo")[0], Speed("Argo", 8))

    settled = judge.settle(sheet)

    assert settled.orders == (Speed("Argo", 8), Fire("Argo"), Speed("Bremen", 2))
    assert [problem.weight for problem in settled.problems] == ["note"]


def test_the_last_of_a_kind_counts() -> None:
    judge, _ = judged("Argo: speed 1\nArgo: speed 2\n")
    last = judge.last(Speed, "Argo")

    assert last is not None
    assert last.order == Speed("Argo", 2)
    assert judge.last(Speed, "Bremen") is None


def test_remarks_on_the_way_to_a_refusal_go_with_the_line() -> None:
    judge: Judge[Order] = Judge()
    read("Argo: speed 1\nArgo: dance\n", judge)

    assert [problem.line for problem in judge.problems] == [1]


def test_a_unit_of_somebody_else_is_refused_by_name_and_owner() -> None:
    dialect = Dialect(("Argo",), unknown_unit="XX-6", not_yours="XX-7", strangers={"Corsair": "the Narn"})

    sheet = read_sheet("Corsair:\n  speed 2\nNobody:\n  speed 3\n", dialect, lambda line: [Fire(line.unit)])

    assert [(p.line, p.rule) for p in sheet.problems] == [(1, "XX-7"), (2, "XX-7"), (3, "XX-6"), (4, "XX-6")]
    assert sheet.problems[0].reason == "'Corsair' is not yours to command: it belongs to the Narn"
    assert sheet.problems[1].reason == "it stands under 'Corsair', which is not yours"


def test_every_verdict_may_name_a_line_that_would_stand_in_its_place() -> None:
    judge, _ = judged()
    first, second, third = judge.entries
    judge.warn(first, "XX-4", "too fast", fix="speed 7")
    judge.note(second, "XX-5", "nobody is near", fix="fire at nearest")
    judge.change(first, Speed("Argo", 7), "XX-6", "capped", fix="speed 7")
    judge.refuse(third, "XX-3", "too slow", fix="speed 3")

    assert [(found.weight, found.fix) for found in judge.problems] == [
        ("changed", "speed 7"),
        ("note", "fire at nearest"),
        ("changed", "speed 7"),
        ("refused", "speed 3"),
    ]
