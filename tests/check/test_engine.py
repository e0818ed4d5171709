"""What a check says to whatever a learner may have written, and what it leaves behind."""

import operator
import random
import re
import threading
import time
import warnings

import numpy as np
import pytest
import torch

from companion import check
from companion.check.exercise import Essay, Exercise, Gap, Guess, prop
from companion.check.judge import judge
from companion.check.library import UnknownExerciseError, exercise, exercise_ids
from companion.check.limit import TimeIsUpError, limited
from companion.check.messages import offer_hint
from companion.check.result import MAX_LINES, CheckResult, Status
from companion.masking import corrupt as borrowed_corrupt


@prop("twice 3 is 6", "what is the sum of 3 and 3?")
def of_three(double, generator):
    got = double(3)
    return None if got == 6 else Gap("3", f"{got}", {9: "the square"}.get(got, ""))


@prop("it takes tensors, and leaves them alone", "which line writes into its input?")
def of_tensors(double, generator):
    x = torch.rand(3, generator=generator)
    got = double(x)
    if double.changed:
        return Gap("three numbers", f"{double.changed[0]} was changed")
    return None if torch.equal(got, 2 * x) else Gap("three numbers", "something else")


TEXTS = {
    "fact": "twice is more than once",
    "hints": ("Look.", "Think.", "Write."),
    "transfer": "What is twice zero?",
}
DOUBLE = Exercise(
    id="9.1", title="Double", kind="implement", level=1, minutes=5, place="class",
    needs=("double",), properties=(of_three, of_tensors),
    twins=("companion.masking.corruption.corrupt",), **TEXTS,
)  # fmt: skip


def show_share(share):
    return f"{share:.0%}"


GUESS = Guess(
    "guess_9_2",
    0,
    1,
    "a share between 0 and 1",
    lambda double: double(0.2),
    show_share,
    0.5,
    "Why?",
)
PREDICT = Exercise(
    id="9.2", title="Guess", kind="predict", level=1, minutes=5, place="home", needs=("double",),
    properties=(of_three,), guess=GUESS, **TEXTS,
)  # fmt: skip
EXPLAIN = Exercise(
    id="9.3", title="Say why", kind="explain", level=1, minutes=5, place="class",
    essay=Essay("answer_9_3", "Because.", ("what", "when", "why")), **TEXTS,
)  # fmt: skip


def right(x):
    return 2 * x


def run(function, **names) -> CheckResult:
    return judge(DOUBLE, {"double": function} | names)


def test_pass() -> None:
    result = run(right)
    assert result.status is Status.PASS
    assert "all 2 properties hold" in str(result)
    assert "twice is more than once" in str(result)
    assert "companion/masking/corruption.py, line" in str(result)
    assert result.require() is result


def test_wrong_shows_property_input_value_question_and_mistake() -> None:
    result = run(lambda x: x * x)
    assert result.status is Status.WRONG
    assert result.failing == "of-three"
    for part in ("0 of 2 properties hold", "twice 3 is 6", "9. This is what you get from: the sq",
                 "what is the sum of 3 and 3?"):  # fmt: skip
        assert part in str(result)
    with pytest.raises(AssertionError, match="Not yet"):
        result.require()


def test_wrong_counts_what_holds() -> None:
    def in_place(x):
        if isinstance(x, torch.Tensor):
            x *= 2
            return x
        return 2 * x

    result = run(in_place)
    assert result.failing == "of-tensors"
    assert "1 of 2 properties hold" in str(result)
    assert "x was changed" in str(result)


def test_a_name_that_is_not_there() -> None:
    result = judge(DOUBLE, {})
    assert result.status is Status.NOT_RUN
    assert "double does not exist in this session" in str(result)
    assert "Shift+Enter" in str(result)


def test_a_name_that_is_no_function() -> None:
    result = run(torch.zeros(2))
    assert result.status is Status.NOT_RUN
    assert "double is tensor([0., 0.]), and not a function" in str(result)


def test_raised_shows_the_learners_own_line() -> None:
    def double(x):
        y = x + 1
        return y + unknown  # noqa: F821

    result = run(double)
    assert result.status is Status.RAISED
    assert re.search(r"test_engine.py, line \d+: return y \+ unknown", str(result))
    assert "NameError: name 'unknown' is not defined" in str(result)
    assert "unknown is not defined here: a typing error, or a cell that was not run" in str(result)
    assert "companion" not in str(result)  # no frames of ours


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (lambda: 1, "compare the names between the brackets with the signature"),
        (lambda x: [1][5], "print the shape before that line"),
        (lambda x: None + 1, "something is None"),
        (lambda x: torch.zeros(2) + torch.zeros(3), "print both shapes"),
        (lambda x: torch.rand(2) & 1 < 2, "put each comparison in brackets"),
        (lambda x: torch.rand(2).clone.sum(), "brackets are missing after the name of a method"),
        (lambda x: torch.rand(2).clone + 1, "brackets are missing after the name of a method"),
        (lambda x: torch.rand(2).shape(0), "a shape is no function"),
        (lambda x: [None][0](x), "something is None"),
        (lambda x: (lambda len: len(x))(3), "stands for a value here"),
        (lambda x: torch.randint(3, 3, (1,)), "a draw from nothing"),
        (lambda x: operator.setitem(torch.rand(2), [0, 1], torch.rand(3)), "the two sides of ="),
        (lambda x: torch.rand(4, 4)[[0, 1], [0, 1, 2]], "two indices of different shapes"),
        (lambda x: torch.gather(torch.rand(2)), "look up what gather wants"),
    ],
)
def test_errors_and_their_usual_reasons(function, words) -> None:
    result = run(function)
    assert result.status is Status.RAISED
    often = [line for line in str(result).splitlines() if line.strip().startswith("Often")]
    assert words in (often[0] if often else "")  # the line above shows this file, words and all


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (AttributeError("no such name"), "AttributeError: no such name"),
        (SystemExit(), "it asked Python to exit"),
        (MemoryError(), "MemoryError"),
    ],
)
def test_errors_without_a_usual_reason(error, words) -> None:
    def double(x):
        raise error

    result = run(double)
    assert result.status is Status.RAISED
    assert words in str(result)


def test_recursion() -> None:
    def double(x):
        return double(x)

    assert "calls itself without an end" in str(run(double))


def test_a_stub_that_was_begun_and_left() -> None:
    def double(x):
        x += 1
        raise NotImplementedError

    result = run(double)
    assert result.status is Status.RAISED
    assert "the line that the exercise came with is still there" in str(result)


def test_what_pytorch_has_not_implemented_is_no_stub() -> None:
    def double(x):
        raise NotImplementedError("\"bernoulli_tensor\" not implemented for 'Long'")

    assert "not implemented for 'Long'" in str(run(double))
    assert "the exercise came with" not in str(run(double))


def test_a_shadowed_torch() -> None:
    space = {"torch": 5}
    exec("def double(x):\n    return torch.add(x, x)", space)
    result = run(space["double"])
    assert result.status is Status.RAISED
    assert "torch is no module here any more" in str(result)


def test_shadowed_builtins_do_no_harm() -> None:
    result = run(right, sum=1, list=2, len=3, torch=None, isinstance=4)
    assert result.status is Status.PASS


def test_no_kind_of_result_passes_or_breaks_a_check() -> None:
    for value in (None, [], (), {}, "", b"", 3j, float("nan"), np.zeros(2), torch.zeros(0), object):
        for id_ in (i for i in exercise_ids() if exercise(i).needs):
            one = exercise(id_)
            names = {name: lambda *a, v=value, **k: v for name in one.needs}
            names |= {one.guess.name: one.guess.common} if one.guess else {}
            assert judge(one, names).status in (Status.WRONG, Status.RAISED), (id_, value)


def bare() -> None:
    while True:
        try:
            while True:
                pass
        except:  # noqa: E722
            pass


def handled() -> None:
    while True:
        try:
            sum(range(1000))
        except BaseException as error:
            str(error)


def asleep() -> None:
    while True:
        try:
            time.sleep(0.01)
        except:  # noqa: E722
            time.sleep(0.01)
        finally:
            time.sleep(0.001)


def nested() -> None:
    while True:
        try:
            try:
                sum(range(100))
            except:  # noqa: E722
                continue
        except:  # noqa: E722
            continue


@pytest.mark.parametrize("endless", [bare, handled, asleep, nested])
def test_no_except_swallows_the_time_limit(endless) -> None:
    for _ in range(3):
        start = time.monotonic()
        with pytest.raises(TimeIsUpError):
            limited(endless, 0.2)
        assert time.monotonic() - start < 5  # it is a few milliseconds on a quiet machine


def test_the_limit_leaves_no_alarm_behind() -> None:
    import signal

    before = signal.getsignal(signal.SIGALRM)
    for number in range(100):  # calls that end right at their limit
        try:
            limited(lambda n=number: time.sleep(0.001 * (n % 3)), 0.001)
        except TimeIsUpError:
            continue
    assert signal.getsignal(signal.SIGALRM) is before
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    assert limited(lambda: 5, 1) == 5


def test_the_limit_in_another_thread() -> None:
    found = []

    def loop() -> None:
        while True:
            pass

    def work() -> None:
        try:
            limited(loop, 0.2)
        except TimeIsUpError:
            found.append("stopped")
        found.append(limited(lambda: "done", 5))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join(20)
    assert found == ["stopped", "done"]


def test_too_slow(monkeypatch) -> None:
    monkeypatch.setattr(Exercise, "seconds", 0.2)

    def double(x):
        while True:
            pass

    result = run(double)
    assert result.status is Status.TOO_SLOW
    assert "Stopped" in str(result)
    assert "Tried      3" in str(result)
    assert "is there a loop that never ends" in str(result)
    assert "So far" not in str(result)


def test_too_slow_says_what_held_before(monkeypatch) -> None:
    monkeypatch.setattr(Exercise, "seconds", 0.2)

    def double(x):
        while isinstance(x, torch.Tensor):
            pass
        return 2 * x

    result = run(double)
    assert result.status is Status.TOO_SLOW
    assert "looked at before holds: 1 of 2 properties" in str(result)


def test_a_gap_counts_though_there_is_no_time_for_the_rest(monkeypatch) -> None:
    monkeypatch.setattr(Exercise, "seconds", 0.2)

    def double(x):
        while isinstance(x, torch.Tensor):
            pass
        return x * x

    result = run(double)
    assert result.status is Status.WRONG
    assert result.failing == "of-three"
    assert "0 of 1 properties that were looked at hold" in str(result)


def test_the_stop_button_judges_nothing() -> None:
    def double(x):
        raise KeyboardInterrupt

    result = run(double)
    assert result.status is Status.TOO_SLOW
    assert "you interrupted it; nothing was judged" in str(result)


def test_slow_calls_are_counted_together(monkeypatch) -> None:
    monkeypatch.setattr(Exercise, "seconds", 0.3)

    def double(x):
        until = time.thread_time() + 0.2
        while time.thread_time() < until:
            pass
        return 2 * x

    assert run(double).status is Status.TOO_SLOW


def test_waiting_counts_less_than_computing(monkeypatch) -> None:
    """A busy machine makes a right answer wait; it is still right."""
    monkeypatch.setattr(Exercise, "seconds", 0.3)

    def double(x):
        time.sleep(0.25)
        return 2 * x

    assert run(double).status is Status.PASS
    assert run(lambda x: time.sleep(5)).status is Status.TOO_SLOW


def test_borrowed() -> None:
    def double(x):
        ids = torch.tensor([[7]])
        chosen = torch.ones_like(ids, dtype=torch.bool)
        borrowed_corrupt(ids, chosen, mask_id=4, vocab_size=9, special_ids=[4])
        return 2 * x

    result = run(double)
    assert result.status is Status.BORROWED
    assert "the course's own corrupt ran inside your function" in str(result)


def test_the_companion_may_be_used_elsewhere() -> None:
    borrowed_corrupt(torch.tensor([[7]]), torch.tensor([[True]]), mask_id=4, vocab_size=9,
                     special_ids=[4])  # fmt: skip
    assert run(right).status is Status.PASS


def test_a_fault_of_ours_is_said_to_be_ours() -> None:
    @prop("it holds", "does it?")
    def broken(double, generator):
        raise ZeroDivisionError("ours")

    one = Exercise(**{**vars(DOUBLE), "properties": (broken,)})
    result = judge(one, {"double": right})
    assert result.status is Status.CHECK_BUG
    assert "your answer may well be right" in str(result)
    assert "ZeroDivisionError: ours" in str(result)


def test_printing_is_caught_and_cut(capsys) -> None:
    def double(x):
        print("z" * 10_000_000)
        return 2 * x

    result = run(double)
    assert result.status is Status.PASS
    assert 2000 <= result.printed.count("z") <= 2001
    assert "characters more" in result.printed
    assert "Your code printed" in str(result)
    assert capsys.readouterr() == ("", "")


def test_the_session_is_left_as_it_was(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)

    def double(x):
        random.seed(1)
        np.random.seed(1)  # noqa: NPY002
        torch.manual_seed(1)
        torch.set_default_dtype(torch.float64)
        torch.set_num_threads(1)
        torch.set_grad_enabled(False)
        torch.use_deterministic_algorithms(True)
        warnings.simplefilter("error")
        import os

        os.chdir("/")
        return 2 * x

    threads = torch.get_num_threads()
    numpy_state = np.random.get_state()[1].tolist()  # noqa: NPY002
    states = random.getstate(), torch.get_rng_state()
    filters = list(warnings.filters)
    run(double)
    assert random.getstate() == states[0]
    assert np.random.get_state()[1].tolist() == numpy_state  # noqa: NPY002
    assert torch.equal(torch.get_rng_state(), states[1])
    assert torch.get_default_dtype() == torch.float32
    assert torch.get_num_threads() == threads
    assert torch.is_grad_enabled()
    assert not torch.are_deterministic_algorithms_enabled()
    assert warnings.filters == filters
    assert tmp_path.samefile(".")


def test_a_learners_settings_do_not_change_the_verdict() -> None:
    torch.set_default_dtype(torch.float64)
    try:
        with torch.no_grad():
            assert run(right).status is Status.PASS
            assert not torch.is_grad_enabled()
        assert torch.get_default_dtype() == torch.float64
    finally:
        torch.set_default_dtype(torch.float32)


def test_the_same_verdict_twice_and_after_others() -> None:
    first = [str(run(f)) for f in (right, lambda x: x, right)]
    assert first == [str(run(f)) for f in (right, lambda x: x, right)]


def test_predict() -> None:
    names = {"double": right, "guess_9_2": None}
    result = judge(PREDICT, names)
    assert result.status is Status.NOT_STARTED
    assert "write your guess in guess_9_2: a share between 0 and 1" in str(result)
    for guess in ("half", True, 40, -1, 0.5j, float("nan"), 10**400, torch.tensor([0.1, 0.2])):
        result = judge(PREDICT, names | {"guess_9_2": guess})
        assert result.status is Status.NOT_STARTED
        assert "as a plain number" in str(result)
    a_few = (0, 0.1, 0.4, 1.0, np.float32(0.25), np.array(0.25), torch.tensor(0.75))
    for guess in a_few:  # a guess is never wrong
        result = judge(PREDICT, names | {"guess_9_2": guess})
        assert result.status is Status.PASS
        assert f"{float(guess):.0%}; measured: 40%" in str(result)
        assert ("50% is a usual guess. Why?" in str(result)) == (guess != 0.4)
    assert judge(PREDICT, names | {"guess_9_2": 0.1, "double": abs}).status is Status.WRONG


def test_no_time_to_measure(monkeypatch) -> None:
    monkeypatch.setattr(Exercise, "seconds", 0.2)

    def double(x):
        while x < 1:
            pass
        return 2 * x

    result = judge(PREDICT, {"double": double, "guess_9_2": 0.5})
    assert result.status is Status.TOO_SLOW
    assert "looked at before holds: 1 of 1 properties" in str(result)


def test_explain() -> None:
    def say(words: int) -> CheckResult:
        return judge(EXPLAIN, {"answer_9_3": " word" * words})

    assert say(0).status is Status.NOT_STARTED
    assert "you have 19 words; write 20 or more" in str(say(19))
    assert say(19).status is Status.NOT_STARTED
    assert say(20).status is Status.PASS
    assert "mark it yourself" in str(say(20))
    assert str(say(20)).count("☐") == 3
    assert judge(EXPLAIN, {}).status is Status.NOT_RUN


def test_text_and_html_say_the_same() -> None:
    for function in (right, lambda x: x * x, lambda x: x.missing, 5):
        result = run(function)
        data, metadata = result._repr_mimebundle_()
        assert metadata == {"check": {"id": "9.1", "status": result.status.name}}
        assert data["text/plain"] == str(result)
        assert 'role="status"' in data["text/html"]
        plain = re.sub(r"<[^>]+>", " ", data["text/html"])
        for entity, sign in (("&#x27;", "'"), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"')):
            plain = plain.replace(entity, sign)
        assert plain.replace("&amp;", "&").split() == str(result).split()


def test_html_of_a_hostile_name() -> None:
    class Strange:
        def __repr__(self) -> str:
            return "<script>alert(1)</script>"

    html = run(Strange()).to_html()
    assert "<script>" not in html
    assert "&lt;script&gt;" in html


def test_messages_are_short() -> None:
    with pytest.raises(ValueError, match="6 at most"):
        CheckResult("9.1", "x", Status.WRONG, lines=tuple([("a", "b")] * MAX_LINES))
    result = offer_hint(run(lambda x: x * x), DOUBLE)
    assert 'check.hint("9.1") shows one, in three steps' in str(result)
    assert len(str(result).splitlines()) == MAX_LINES


def test_unknown_exercise() -> None:
    for show in (check, check.hint, check.solution):
        assert "There is no exercise '7.77'; there are" in str(show("7.77"))
    with pytest.raises(UnknownExerciseError, match=r"There is no exercise '7\.77'"):
        check.given("7.77")


def test_an_unknown_exercise_in_a_notebook_under_test_is_an_error(monkeypatch) -> None:
    monkeypatch.setenv("COMPANION_EXPECT", "pass")
    with pytest.raises(UnknownExerciseError, match=r"There is no exercise '7\.77'"):
        check("7.77")


def test_every_exercise_has_its_texts() -> None:
    for id_ in exercise_ids():
        one = exercise(id_)
        assert one.id == id_
        assert one.level in (1, 2, 3)
        assert 3 <= one.minutes <= 20
        assert all(10 <= len(hint.split()) <= 160 for hint in one.hints)
        assert one.transfer.endswith("?") or one.transfer.endswith(".")
        assert len({p.id for p in one.properties}) == len(one.properties)
        for p in one.properties:
            assert p.ask.endswith("?"), f"{id_} {p.id} asks nothing"
            assert not p.says.endswith(".")
    firsts = [exercise(id_) for id_ in exercise_ids() if id_.endswith(".1")]
    assert all(one.level == 1 and one.minutes <= 8 for one in firsts)
