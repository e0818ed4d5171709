import itertools
import weakref
from collections import Counter
from contextlib import ExitStack, contextmanager
from functools import lru_cache, partial
from unittest import mock

import torch
from catalogue import right, wrong
from torch.nn.modules.module import (
    register_module_forward_hook,
    register_module_forward_pre_hook,
)

# ---------------------------------------------------------------- right


# a list that the hook appends to
@right
def list_of_calls(model, work):
    calls = []
    handle = model.register_forward_hook(lambda m, i, o: calls.append(None))
    work()
    handle.remove()
    return len(calls)


# a counter in the enclosing function
@right
def nonlocal_counter(model, work):
    count = 0

    def hook(module, inputs, output):
        nonlocal count
        count += 1

    handle = model.register_forward_hook(hook)
    try:
        work()
    finally:
        handle.remove()
    return count


# the handle is a context manager
@right
def handle_as_context(model, work):
    count = [0]

    def hook(module, inputs, output):
        count[0] += 1

    with model.register_forward_hook(hook):
        work()
    return count[0]


# a hook that runs before the call
@right
def hook_before_the_call(model, work):
    seen = []
    handle = model.register_forward_pre_hook(lambda module, inputs: seen.append(1))
    work()
    handle.remove()
    return sum(seen)


# a small class that can be called
@right
def class_of_a_counter(model, work):
    class Counting:
        def __init__(self):
            self.number = 0

        def __call__(self, module, inputs, output):
            self.number += 1

    counting = Counting()
    handle = model.register_forward_hook(counting)
    work()
    handle.remove()
    return counting.number


# an endless count, and the next number at the end
@right
def endless_count(model, work):
    numbers = itertools.count()

    def hook(module, inputs, output):
        next(numbers)

    handle = model.register_forward_hook(hook)
    work()
    handle.remove()
    return next(numbers)


# a tensor that the hook adds to
@right
def tensor_that_grows(model, work):
    total = torch.zeros((), dtype=torch.long)

    def hook(module, inputs, output):
        total.add_(1)

    handle = model.register_forward_hook(hook)
    work()
    handle.remove()
    return total.item()


# a whole number as a tensor
@right
def whole_number_as_tensor(model, work):
    calls = []
    with model.register_forward_hook(lambda *_: calls.append(1)):
        work()
    return torch.tensor(len(calls))


# a Mock as the hook
@right
def mock_as_hook(model, work):
    hook = mock.Mock(return_value=None)
    with model.register_forward_hook(hook):
        work()
    return hook.call_count


# a hook for all modules that looks for this one
@right
def hook_for_all_looks_for_this_one(model, work):
    calls = []

    def hook(module, inputs, output):
        if module is model:
            calls.append(module)

    handle = register_module_forward_hook(hook)
    try:
        work()
    finally:
        handle.remove()
    return len(calls)


# counts every module, and reads this one's number
@right
def counter_of_all_modules(model, work):
    counter = Counter()

    def hook(module, inputs):
        counter[module] += 1

    with register_module_forward_pre_hook(hook):
        work()
    return counter[model]


# a context manager of its own
@right
def own_context_manager(model, work):
    @contextmanager
    def counted(module):
        calls = []
        handle = module.register_forward_hook(lambda *args: calls.append(args[0]))
        try:
            yield calls
        finally:
            handle.remove()

    with counted(model) as calls:
        work()
    return len(calls)


# an exit stack and a partial function
@right
def exit_stack_and_partial(model, work):
    def note(book, module, inputs, output):
        book["calls"] = book.get("calls", 0) + 1

    book = {}
    with ExitStack() as stack:
        handle = model.register_forward_hook(partial(note, book))
        stack.callback(handle.remove)
        work()
    return book.get("calls", 0)


# another class for the time of the work
@right
def another_class_for_a_while(model, work):
    original = type(model)
    calls = []

    class Counted(original):
        def __call__(self, *args, **kwargs):
            calls.append(1)
            return super().__call__(*args, **kwargs)

    model.__class__ = Counted
    try:
        work()
    finally:
        model.__class__ = original
    return len(calls)


# the hook takes itself away and comes back: always one at a time
@right
def hook_put_back_each_time(model, work):
    state = {"count": 0}

    def hook(module, inputs, output):
        state["count"] += 1
        state["handle"].remove()
        state["handle"] = module.register_forward_hook(hook)

    state["handle"] = model.register_forward_hook(hook)
    work()
    state["handle"].remove()
    return state["count"]


# ---------------------------------------------------------------- wrong


# printed, not returned
@wrong("structure")
def printed(model, work):
    calls = []
    handle = model.register_forward_hook(lambda m, i, o: calls.append(1))
    work()
    handle.remove()
    print(len(calls))


# the list itself
@wrong("structure")
def list_not_its_length(model, work):
    calls = []
    handle = model.register_forward_hook(lambda m, i, o: calls.append(1))
    work()
    handle.remove()
    return calls


# a float
@wrong("structure")
def count_as_float(model, work):
    count = 0.0

    def hook(module, inputs, output):
        nonlocal count
        count += 1

    with model.register_forward_hook(hook):
        work()
    return count


# a tensor of floats
@wrong("structure")
def count_as_float_tensor(model, work):
    total = torch.zeros(())

    def hook(module, inputs, output):
        total.add_(1)

    with model.register_forward_hook(hook):
        work()
    return total


# a text
@wrong("structure")
def count_as_text(model, work):
    calls = []
    with model.register_forward_hook(lambda m, i, o: calls.append(1)):
        work()
    return f"{len(calls)} passes"


# the result of the work
@wrong("structure")
def result_of_the_work(model, work):
    calls = []
    handle = model.register_forward_hook(lambda m, i, o: calls.append(1))
    result = work()
    handle.remove()
    return result


# the count and the result of the work
@wrong("structure")
def count_and_result(model, work):
    calls = []
    with model.register_forward_hook(lambda m, i, o: calls.append(1)):
        result = work()
    return len(calls), result


# the length of the list, as a method that is not called
@wrong("structure")
def method_not_called(model, work):
    calls = []
    with model.register_forward_hook(lambda m, i, o: calls.append(1)):
        work()
    return calls.__len__


# the mean of a list: a float
@wrong("structure")
def mean_of_the_counts(model, work):
    calls = []
    with model.register_forward_hook(lambda m, i, o: calls.append(1)):
        work()
    return len(calls) / 1


# the work is never run
@wrong("counts")
def work_never_run(model, work):
    calls = []
    handle = model.register_forward_hook(lambda m, i, o: calls.append(1))
    work
    handle.remove()
    return len(calls)


# the work runs before the hook is there
@wrong("counts")
def hook_too_late(model, work):
    calls = []
    work()
    handle = model.register_forward_hook(lambda m, i, o: calls.append(1))
    handle.remove()
    return len(calls)


# the hook is taken away before the work
@wrong("counts")
def hook_taken_away_too_early(model, work):
    calls = []
    handle = model.register_forward_hook(lambda m, i, o: calls.append(1))
    handle.remove()
    work()
    return len(calls)


# the work runs twice
@wrong("counts")
def work_runs_twice(model, work):
    calls = []
    handle = model.register_forward_hook(lambda m, i, o: calls.append(1))
    work()
    work()
    handle.remove()
    return len(calls)


# the work runs twice, and the count is halved
@wrong("counts")
def twice_and_halved(model, work):
    calls = []
    handle = model.register_forward_hook(lambda m, i, o: calls.append(1))
    work()
    work()
    handle.remove()
    return len(calls) // 2


# the work runs once to warm up
@wrong("counts")
def warm_up_first(model, work):
    work()
    calls = []
    with model.register_forward_hook(lambda m, i, o: calls.append(1)):
        work()
    return len(calls)


# two hooks: every call is counted twice
@wrong("counts")
def two_hooks(model, work):
    calls = []
    first = model.register_forward_hook(lambda m, i, o: calls.append(1))
    second = model.register_forward_pre_hook(lambda m, i: calls.append(1))
    work()
    first.remove()
    second.remove()
    return len(calls)


# counts from 1
@wrong("counts")
def starts_at_one(model, work):
    count = 1

    def hook(module, inputs, output):
        nonlocal count
        count += 1

    with model.register_forward_hook(hook):
        work()
    return count


# the number of the last call, counted from 0
@wrong("counts")
def last_call_from_zero(model, work):
    numbers = itertools.count()
    last = 0

    def hook(module, inputs, output):
        nonlocal last
        last = next(numbers)

    with model.register_forward_hook(hook):
        work()
    return last


# at least one call
@wrong("counts")
def at_least_one(model, work):
    calls = []
    with model.register_forward_hook(lambda m, i, o: calls.append(1)):
        work()
    return max(1, len(calls))


# whether it was called: 1 or 0
@wrong("counts")
def called_or_not(model, work):
    called = 0

    def hook(module, inputs, output):
        nonlocal called
        called = 1

    with model.register_forward_hook(hook):
        work()
    return called


# a hook that takes itself away after the first call
@wrong("counts")
def hook_only_once(model, work):
    calls = []

    def hook(module, inputs, output):
        calls.append(1)
        handle.remove()

    handle = model.register_forward_hook(hook)
    work()
    handle.remove()
    return len(calls)


# a set of modules that were called
@wrong("counts")
def set_of_modules(model, work):
    called = set()
    with model.register_forward_hook(lambda m, i, o: called.add(m)):
        work()
    return len(called)


# the answer of the example
@wrong("counts")
def always_two(model, work):
    work()
    return 2


# 32, as in the task
@wrong("counts")
def always_thirty_two(model, work):
    work()
    return 32


# the number of hooks
@wrong("counts")
def number_of_hooks(model, work):
    handle = model.register_forward_hook(lambda m, i, o: None)
    work()
    number = len(model._forward_hooks)
    handle.remove()
    return number


# a hook on every module inside the model too
@wrong("counts")
def hooks_on_all_modules(model, work):
    calls = []
    handles = [
        module.register_forward_hook(lambda m, i, o: calls.append(1)) for module in model.modules()
    ]
    work()
    for handle in handles:
        handle.remove()
    return len(calls)


# the children are counted, not the model
@wrong("counts")
def children_counted(model, work):
    calls = []
    handles = [
        child.register_forward_hook(lambda m, i, o: calls.append(1)) for child in model.children()
    ]
    work()
    for handle in handles:
        handle.remove()
    return len(calls)


# a hook for every module there is
@wrong("counts")
def hook_for_every_module_there_is(model, work):
    calls = []
    with register_module_forward_hook(lambda m, i, o: calls.append(1)):
        work()
    return len(calls)


# backward calls in place of forward calls
@wrong("counts")
def backward_calls(model, work):
    calls = []
    handle = model.register_full_backward_hook(lambda m, i, o: calls.append(1))
    work()
    handle.remove()
    return len(calls)


# counts the examples of the batch
@wrong("counts")
def examples_of_the_batch(model, work):
    count = 0

    def hook(module, inputs, output):
        nonlocal count
        first = inputs[0] if inputs else None
        count += len(first) if torch.is_tensor(first) and first.dim() else 2

    with model.register_forward_hook(hook):
        work()
    return count


# counts the calls of the work
@wrong("counts")
def calls_of_the_work(model, work):
    runs = []

    def counted():
        runs.append(1)
        work()

    counted()
    return len(runs)


# a new __call__ on the object: python does not look there
@wrong("counts")
def call_on_the_object(model, work):
    calls = []
    original = model.__call__

    def counted(*args, **kwargs):
        calls.append(1)
        return original(*args, **kwargs)

    model.__call__ = counted
    work()
    del model.__call__
    return len(calls)


# the counter in the hook is a local name
@wrong("counts")
def local_counter(model, work):
    count = 0

    def hook(module, inputs, output):
        count = 0
        count += 1

    with model.register_forward_hook(hook):
        work()
    return count


# counts the outputs that differ in shape
@wrong("counts")
def different_shapes(model, work):
    shapes = set()

    def hook(module, inputs, output):
        shapes.add(getattr(output, "shape", None))

    with model.register_forward_hook(hook):
        work()
    return len(shapes)


# stops counting at five
@wrong("counts")
def stops_at_five(model, work):
    calls = []

    def hook(module, inputs, output):
        if len(calls) < 5:
            calls.append(1)

    with model.register_forward_hook(hook):
        work()
    return len(calls)


total_of_all_time = []


# a list outside the function: it is never emptied
@wrong("counts")
def list_outside(model, work):
    handle = model.register_forward_hook(lambda m, i, o: total_of_all_time.append(1))
    work()
    handle.remove()
    return len(total_of_all_time)


# a list as a default: it lives on from call to call
@wrong("counts")
def list_as_default(model, work, calls=[]):
    handle = model.register_forward_hook(lambda m, i, o: calls.append(1))
    work()
    handle.remove()
    return len(calls)


# counts every module of the same class
@wrong("others")
def every_module_of_the_class(model, work):
    calls = []

    def hook(module, inputs, output):
        if type(module) is type(model):
            calls.append(1)

    with register_module_forward_hook(hook):
        work()
    return len(calls)


# the name of the class is compared
@wrong("others")
def name_of_the_class(model, work):
    calls = []

    def hook(module, inputs):
        if module.__class__.__name__ == model.__class__.__name__:
            calls.append(1)

    with register_module_forward_pre_hook(hook):
        work()
    return len(calls)


# forward of the class is exchanged: every object of it counts
@wrong("others")
def forward_of_the_class(model, work):
    kind = type(model)
    own = "forward" in vars(kind)
    original = kind.forward
    calls = []

    def counted(self, *args, **kwargs):
        calls.append(1)
        return original(self, *args, **kwargs)

    kind.forward = counted
    try:
        work()
    finally:
        if own:
            kind.forward = original
        else:
            del kind.forward
    return len(calls)


# the last module inside stands for the model
@wrong("others")
def last_module_inside(model, work):
    calls = []
    last = list(model.modules())[-1]
    with last.register_forward_hook(lambda m, i, o: calls.append(1)):
        work()
    return len(calls)


# the first module inside stands for the model
@wrong("others")
def first_module_inside(model, work):
    calls = []
    first = next(model.children(), model)
    with first.register_forward_hook(lambda m, i, o: calls.append(1)):
        work()
    return len(calls)


# outermost calls of whatever module: a child called alone counts
@wrong("others")
def outermost_calls(model, work):
    depth = 0
    calls = 0

    def before(module, inputs):
        nonlocal depth, calls
        calls += depth == 0
        depth += 1

    def after(module, inputs, output):
        nonlocal depth
        depth -= 1

    with register_module_forward_pre_hook(before), register_module_forward_hook(after):
        work()
    return int(calls)


# outermost calls of the model or of a part: a part called alone counts
@wrong("others")
def outermost_of_own_parts(model, work):
    parts = set(model.modules())
    depth = 0
    calls = 0

    def before(module, inputs):
        nonlocal depth, calls
        if module in parts:
            calls += depth == 0
            depth += 1

    def after(module, inputs, output):
        nonlocal depth
        if module in parts:
            depth -= 1

    with register_module_forward_pre_hook(before), register_module_forward_hook(after):
        work()
    return int(calls)


# as many parameters as the model: twins count too
@wrong("others")
def as_many_parameters(model, work):
    def size(module):
        return [tuple(p.shape) for p in module.parameters()]

    wanted = size(model)
    calls = []

    def hook(module, inputs, output):
        if isinstance(module, type(model)) and size(module) == wanted:
            calls.append(1)

    with register_module_forward_hook(hook):
        work()
    return len(calls)


# the same printed form: twins count too
@wrong("others")
def same_printed_form(model, work):
    calls = []

    def hook(module, inputs, output):
        if repr(module) == repr(model):
            calls.append(1)

    with register_module_forward_hook(hook):
        work()
    return len(calls)


# the hook is left
@wrong("clean")
def hook_is_left(model, work):
    calls = []
    model.register_forward_hook(lambda m, i, o: calls.append(1))
    work()
    return len(calls)


# remove without parentheses
@wrong("clean")
def remove_not_called(model, work):
    calls = []
    handle = model.register_forward_hook(lambda m, i, o: calls.append(1))
    work()
    handle.remove
    return len(calls)


# the handle is deleted, the hook is not
@wrong("clean")
def handle_deleted(model, work):
    calls = []
    handle = model.register_forward_hook(lambda m, i, o: calls.append(1))
    work()
    del handle
    return len(calls)


# returned before the hook is taken away
@wrong("clean")
def returned_too_early(model, work):
    calls = []
    handle = model.register_forward_hook(lambda m, i, o: calls.append(1))
    work()
    return len(calls)
    handle.remove()


# the hook that runs before the call is left
@wrong("clean")
def hook_before_is_left(model, work):
    calls = []
    model.register_forward_pre_hook(lambda m, i: calls.append(1))
    work()
    return len(calls)


# the hook is taken away only where something was counted
@wrong("clean")
def removed_only_after_calls(model, work):
    calls = []
    handle = model.register_forward_hook(lambda m, i, o: calls.append(1))
    work()
    if len(calls) == 0:
        handle.remove()
    return len(calls)


# two hooks, and one is taken away
@wrong("clean")
def one_of_two_hooks_removed(model, work):
    calls = []
    model.register_forward_hook(lambda m, i, o: None)
    handle = model.register_forward_hook(lambda m, i, o: calls.append(1))
    work()
    handle.remove()
    return len(calls)


# forward is exchanged, and stays so
@wrong("clean")
def forward_exchanged_for_good(model, work):
    calls = []
    original = model.forward

    def counted(*args, **kwargs):
        calls.append(1)
        return original(*args, **kwargs)

    model.forward = counted
    work()
    return len(calls)


# the model is left in the other mode
@wrong("clean")
def mode_is_changed(model, work):
    calls = []
    with model.register_forward_hook(lambda m, i, o: calls.append(1)):
        work()
    model.train(not model.training)
    return len(calls)


# the model stays in evaluation mode
@wrong("clean")
def left_in_evaluation_mode(model, work):
    calls = []
    with model.register_forward_hook(lambda m, i, o: calls.append(1)):
        work()
    model.eval()
    return len(calls)


# all hooks are taken away, and an empty one is put there in their place
@wrong("clean")
def empty_hook_in_their_place(model, work):
    calls = []
    model.register_forward_hook(lambda m, i, o: calls.append(1))
    work()
    model._forward_hooks.clear()
    model._forward_hooks[len(calls)] = lambda m, i, o: None
    return len(calls)


counts_of_models = weakref.WeakKeyDictionary()


# a count for each model that is never set back
@wrong("again")
def count_for_each_model(model, work):
    def hook(module, inputs, output):
        counts_of_models[module] = counts_of_models.get(module, 0) + 1

    with model.register_forward_hook(hook):
        work()
    return counts_of_models.get(model, 0)


# a count on the model itself that grows
@wrong("clean")
def count_on_the_model(model, work):
    if not hasattr(model, "passes"):
        model.passes = 0

    def hook(module, inputs, output):
        module.passes += 1

    with model.register_forward_hook(hook):
        work()
    return model.passes


# remembers the answer for a model
@wrong("again")
def remembers_the_model(model, work, known=weakref.WeakKeyDictionary()):
    if model in known:
        work()
        return known[model]
    calls = []
    with model.register_forward_hook(lambda m, i, o: calls.append(1)):
        work()
    known[model] = len(calls)
    return known[model]


# a cache: the same work is not run again
@wrong("again")
@lru_cache(maxsize=None)
def cached(model, work):
    calls = []
    with model.register_forward_hook(lambda m, i, o: calls.append(1)):
        work()
    return len(calls)


runs_so_far = Counter()


# a count for each pair of model and work that goes on
@wrong("again")
def count_for_model_and_work(model, work):
    key = (model, work)

    def hook(module, inputs, output):
        runs_so_far[key] += 1

    with model.register_forward_hook(hook):
        work()
    return runs_so_far[key]


# a count on the work: it goes on where the work is counted again
@wrong("again")
def count_on_the_work(model, work):
    if not hasattr(work, "calls"):
        work.calls = []
    with model.register_forward_hook(lambda m, i, o: work.calls.append(1)):
        work()
    return len(work.calls)


# the second count of the same work is the number that is new
@wrong("again")
def what_is_new(model, work, known={}):
    calls = []
    with model.register_forward_hook(lambda m, i, o: calls.append(1)):
        work()
    before = known.get((model, work), 0)
    known[model, work] = len(calls)
    return len(calls) - before


# counts only models that it has not seen
@wrong("again")
def only_models_not_seen(model, work, seen=weakref.WeakSet()):
    calls = []
    if model in seen:
        work()
        return 0
    seen.add(model)
    with model.register_forward_hook(lambda m, i, o: calls.append(1)):
        work()
    return len(calls)


# the work takes the model
@wrong("RAISED")
def work_takes_the_model(model, work):
    calls = []
    with model.register_forward_hook(lambda m, i, o: calls.append(1)):
        work(model)
    return len(calls)


# a hook without arguments
@wrong("RAISED")
def hook_without_arguments(model, work):
    calls = []
    handle = model.register_forward_hook(lambda: calls.append(1))
    try:
        work()
    finally:
        handle.remove()
    return len(calls)


# nonlocal is forgotten
@wrong("RAISED")
def counter_without_nonlocal(model, work):
    count = 0

    def hook(module, inputs, output):
        count += 1

    with model.register_forward_hook(hook):
        work()
    return count


# the method has another name
@wrong("RAISED")
def method_with_another_name(model, work):
    calls = []
    handle = model.add_forward_hook(lambda m, i, o: calls.append(1))
    work()
    handle.remove()
    return len(calls)


# removes from the model, not from the handle
@wrong("RAISED")
def remove_on_the_model(model, work):
    calls = []
    handle = model.register_forward_hook(lambda m, i, o: calls.append(1))
    try:
        work()
        model.remove(handle)
    finally:
        handle.remove()
    return len(calls)
