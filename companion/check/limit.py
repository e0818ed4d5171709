"""A time limit for a learner's call that even a bare `except:` does not swallow."""

import ctypes
import signal
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from types import FrameType
from typing import TypeVar

T = TypeVar("T")
# Seconds between two attempts to stop code that caught the first. A loop around a bare `except:` is
# left when one falls outside of its `try`; so there are many.
REPEAT = 2e-4


class TimeIsUpError(BaseException):
    """Raised inside the learner's code; no `except Exception:` catches it."""


def limited(call: Callable[[], T], seconds: float) -> T:
    """Run `call`; raise TimeIsUpError when it has taken more than `seconds`.

    In a main thread with POSIX signals (Linux, macOS) a timer interrupts; elsewhere a second thread
    does, and a loop around a bare `except:` may hold out long against it. Neither can end one long
    operation inside compiled code: it is stopped when that returns.
    """
    deadline = time.monotonic() + seconds
    in_main = threading.current_thread() is threading.main_thread()
    guard: _Alarm | _Watcher
    if hasattr(signal, "setitimer") and in_main:
        guard = _Alarm(seconds, sys._getframe())
    else:
        guard = _Watcher(seconds)
    with guard:
        result = call()
    if time.monotonic() > deadline:  # it caught every interruption, and ended all the same
        raise TimeIsUpError
    return result


class _Alarm:
    """Interrupts what `base` calls, again and again, but never this set-up nor its end."""

    def __init__(self, seconds: float, base: FrameType) -> None:
        self.seconds, self.base, self.busy = seconds, base, False

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        if self.busy:
            return
        self.busy = True
        sys.setprofile(None)  # a profiler would make this slower than the timer is fast
        innermost = frame
        while frame is not None and frame.f_code.co_filename != __file__:
            frame = frame.f_back
        self.busy = False
        # Set anew each time: a timer that repeats by itself would interrupt this, again and again.
        signal.setitimer(signal.ITIMER_REAL, REPEAT)
        if frame is self.base and frame is not innermost:
            raise TimeIsUpError

    def __enter__(self) -> None:
        self.before = signal.signal(signal.SIGALRM, self._interrupt)
        self.timer = signal.setitimer(signal.ITIMER_REAL, self.seconds)
        self.started = time.monotonic()

    def __exit__(self, *_: object) -> None:
        signal.signal(signal.SIGALRM, signal.SIG_IGN)  # from here on nobody sets the timer again
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, self.before)
        if self.timer[0]:  # somebody else's timer goes on where it was
            rest = max(self.timer[0] - (time.monotonic() - self.started), 1e-3)
            signal.setitimer(signal.ITIMER_REAL, rest, self.timer[1])


class _Watcher:
    """The same by a second thread, where there are no timers or this is not the main thread."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.target = ctypes.c_ulong(threading.get_ident())
        self.done, self.lock = threading.Event(), threading.Lock()

    def _watch(self) -> None:
        wait = self.seconds
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
