"""A time limit for a learner's call that even a bare `except:` does not swallow."""

import ctypes
import random
import signal
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from types import FrameType
from typing import TypeVar

T = TypeVar("T")
PATIENCE = 3  # times as long as it may compute, a call may wait
HAS_THREAD_CLOCK = hasattr(time, "CLOCK_THREAD_CPUTIME_ID")
# Seconds between two attempts to stop code that caught the first, at most. A loop around a bare
# `except:` is left when one falls outside of its `try`: so there are many, at irregular times.
REPEAT = 1e-4


class TimeIsUpError(BaseException):
    """Raised inside the learner's code; no `except Exception:` catches it."""


def limited(call: Callable[[], T], seconds: float) -> T:
    """Run `call`; raise TimeIsUpError when it has computed for more than `seconds`.

    What counts is this thread's own computing, so that a busy machine stops nobody; a call that
    waits is stopped after PATIENCE times as long by the clock.
    In a main thread with POSIX signals (Linux, macOS) a timer interrupts; elsewhere a second thread
    does, and a loop around a bare `except:` may hold out long against it. Neither can end one long
    operation inside compiled code: it is stopped when that returns.
    """
    clock = _Clock(seconds)
    in_main = threading.current_thread() is threading.main_thread()
    guard: _Alarm | _Watcher
    if hasattr(signal, "setitimer") and in_main:
        guard = _Alarm(clock, sys._getframe())
    else:
        guard = _Watcher(clock)
    with guard:
        result = call()
    if clock.left() <= 0:  # it caught every interruption, and ended all the same
        raise TimeIsUpError
    return result


class _Clock:
    """How long a call may still go on, by its computing or by the clock."""

    def __init__(self, seconds: float) -> None:
        self.seconds, self.started, self.computed = seconds, time.monotonic(), thread_seconds()

    def left(self) -> float:
        """Seconds to wait before it is worth looking again; 0 or less when time is up."""
        by_computing = self.seconds - (thread_seconds() - self.computed)
        by_clock = PATIENCE * self.seconds - (time.monotonic() - self.started)
        return min(by_computing, by_clock)


def thread_seconds() -> float:
    """How long this thread has computed; the clock's time where that cannot be told."""
    return (
        time.clock_gettime(time.CLOCK_THREAD_CPUTIME_ID) if HAS_THREAD_CLOCK else time.monotonic()
    )


class _Alarm:
    """Interrupts what `base` calls, again and again, but never this set-up nor its end."""

    def __init__(self, clock: _Clock, base: FrameType) -> None:
        self.clock, self.base, self.busy = clock, base, False
        self.dice = random.Random(0)

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        if self.busy:
            return
        self.busy = True
        if (left := self.clock.left()) > 0:  # others had the processor meanwhile
            self.busy = False
            signal.setitimer(signal.ITIMER_REAL, left + REPEAT)
            return
        sys.setprofile(None)  # a profiler would make this slower than the timer is fast
        innermost = frame
        while frame is not None and frame.f_code.co_filename != __file__:
            frame = frame.f_back
        self.busy = False
        # Set anew each time: a timer that repeats by itself would interrupt this, again and again.
        signal.setitimer(signal.ITIMER_REAL, self.dice.uniform(1e-6, REPEAT))
        if frame is self.base and frame is not innermost:
            raise TimeIsUpError

    def __enter__(self) -> None:
        self.before = signal.signal(signal.SIGALRM, self._interrupt)
        self.timer = signal.setitimer(signal.ITIMER_REAL, self.clock.seconds)

    def __exit__(self, *_: object) -> None:
        self.busy = True  # from here on nobody sets the timer again
        signal.setitimer(signal.ITIMER_REAL, 0)
        for _turn in range(2):  # an alarm that has rung already is heard here, and does nothing
            pass
        signal.signal(signal.SIGALRM, self.before)
        if self.timer[0]:  # somebody else's timer goes on where it was
            rest = max(self.timer[0] - (time.monotonic() - self.clock.started), 1e-3)
            signal.setitimer(signal.ITIMER_REAL, rest, self.timer[1])


class _Watcher:
    """The same by a second thread, where there are no timers or this is not the main thread."""

    def __init__(self, clock: _Clock) -> None:
        self.clock = clock
        self.target = ctypes.c_ulong(threading.get_ident())
        self.done, self.lock = threading.Event(), threading.Lock()

    def _watch(self) -> None:
        wait = PATIENCE * self.clock.seconds  # another thread's computing cannot be read from here
        while not self.done.wait(wait):
            with self.lock:
                if not self.done.is_set():
                    ctypes.pythonapi.PyThreadState_SetAsyncExc(
                        self.target, ctypes.py_object(TimeIsUpError)
                    )
            wait = REPEAT

    def __enter__(self) -> None:
        threading.Thread(target=self._watch, daemon=True).start()

    def __exit__(self, *_: object) -> None:
        while not self.done.is_set():
            with suppress(TimeIsUpError), self.lock:  # one may arrive while we end it
                self.done.set()
        with suppress(TimeIsUpError):  # and one may still be on its way: it arrives here
            for _turn in range(2):
                pass
