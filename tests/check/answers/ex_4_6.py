import itertools

import torch
from catalogue import right, wrong

# ---------------------------------------------------------------- right


# a list that grows
@right
def growing_list(model, work):
    calls = []
    handle = model.register_forward_hook(lambda m, i, o: calls.append(1))
    work()
    handle.remove()
    return len(calls)


# a counter in the closure
@right
def closure(model, work):
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


# a counter that the hook moves on
@right
def itertools_counter(model, work):
    counter = itertools.count()

    def hook(*_):
        next(counter)

    with_hook = model.register_forward_hook(hook)
    work()
    with_hook.remove()
    return next(counter)


# a hook before the forward
@right
def pre_hook(model, work):
    seen = []
    handle = model.register_forward_pre_hook(lambda m, args: seen.append(len(seen)))
    work()
    handle.remove()
    return len(seen)


# a dictionary
@right
def dictionary(model, work):
    state = {"calls": 0}

    def hook(module, inputs, output):
        state["calls"] += 1

    handle = model.register_forward_hook(hook)
    work()
    handle.remove()
    return state["calls"]


# a tensor
@right
def tensor_counter(model, work):
    count = torch.zeros((), dtype=torch.long)
    handle = model.register_forward_hook(lambda *_: count.add_(1) and None)
    work()
    handle.remove()
    return count


# ---------------------------------------------------------------- wrong


# the list itself
@wrong("structure")
def list_itself(model, work):
    calls = []
    handle = model.register_forward_hook(lambda *_: calls.append(1))
    work()
    handle.remove()
    return calls


# a float
@wrong("structure")
def a_float(model, work):
    calls = []
    handle = model.register_forward_hook(lambda *_: calls.append(1))
    work()
    handle.remove()
    return float(len(calls))


# printed
@wrong("structure")
def printed(model, work):
    calls = []
    handle = model.register_forward_hook(lambda *_: calls.append(1))
    work()
    handle.remove()
    print(len(calls))


# the answer of work
@wrong("structure")
def answer_of_work(model, work):
    return work()


# was it called at all
@wrong("structure")
def yes_or_no(model, work):
    calls = []
    handle = model.register_forward_hook(lambda *_: calls.append(1))
    work()
    handle.remove()
    return bool(calls)


# the hook comes after work
@wrong("counts")
def hook_too_late(model, work):
    calls = []
    work()
    handle = model.register_forward_hook(lambda *_: calls.append(1))
    handle.remove()
    return len(calls)


# the hook is removed before work
@wrong("counts")
def removed_too_early(model, work):
    calls = []
    handle = model.register_forward_hook(lambda *_: calls.append(1))
    handle.remove()
    work()
    return len(calls)


# work runs twice
@wrong("counts")
def work_twice(model, work):
    calls = []
    handle = model.register_forward_hook(lambda *_: calls.append(1))
    work()
    work()
    handle.remove()
    return len(calls) // 2


# work is not called
@wrong("counts")
def work_never(model, work):
    calls = []
    handle = model.register_forward_hook(lambda *_: calls.append(1))
    handle.remove()
    return len(calls) + 2


# always one
@wrong("counts")
def always_one(model, work):
    work()
    return 1


# at least one
@wrong("counts")
def at_least_one(model, work):
    calls = []
    handle = model.register_forward_hook(lambda *_: calls.append(1))
    work()
    handle.remove()
    return max(1, len(calls))


# one too many
@wrong("counts")
def counter_from_one(model, work):
    count = 1

    def hook(*_):
        nonlocal count
        count += 1

    handle = model.register_forward_hook(hook)
    work()
    handle.remove()
    return count


# the hook replaces the count, and does not add
@wrong("counts")
def set_not_added(model, work):
    state = {"calls": 0}
    handle = model.register_forward_hook(lambda *_: state.update(calls=1))
    work()
    handle.remove()
    return state["calls"]


# a hook on every part
@wrong("counts")
def hook_on_every_part(model, work):
    calls = []
    handles = [m.register_forward_hook(lambda *_: calls.append(1)) for m in model.modules()]
    work()
    for handle in handles:
        handle.remove()
    return len(calls)


# a hook on the parts, divided by their number
@wrong("others")
def parts_divided(model, work):
    calls, parts = [], list(model.children())
    handles = [m.register_forward_hook(lambda *_: calls.append(1)) for m in parts]
    work()
    for handle in handles:
        handle.remove()
    return -(-len(calls) // max(1, len(parts)))


# a hook on all modules of the program
@wrong("counts")
def global_hook(model, work):
    calls = []
    handle = torch.nn.modules.module.register_module_forward_hook(lambda *_: calls.append(1))
    work()
    handle.remove()
    return len(calls)


# modules of the same class are counted
@wrong("others")
def by_class(model, work):
    calls, kind = [], type(model)

    def hook(module, inputs, output):
        if isinstance(module, kind):
            calls.append(1)

    handle = torch.nn.modules.module.register_module_forward_hook(hook)
    work()
    handle.remove()
    return len(calls)


# the hook stays
@wrong("clean", "a hook is left")
def hook_stays(model, work):
    calls = []
    model.register_forward_hook(lambda *_: calls.append(1))
    work()
    return len(calls)


# all hooks are taken away, those of others too
@wrong("clean", "that hook is gone")
def all_hooks_cleared(model, work):
    calls = []
    model.register_forward_hook(lambda *_: calls.append(1))
    work()
    model._forward_hooks.clear()
    return len(calls)


# forward is replaced, and not put back
@wrong("clean")
def forward_replaced(model, work):
    calls, forward = [], model.forward

    def counted(*args):
        calls.append(1)
        return forward(*args)

    model.forward = counted
    work()
    return len(calls)


# the model is left in eval mode
@wrong("clean")
def left_in_eval(model, work):
    calls = []
    model.eval()
    handle = model.register_forward_hook(lambda *_: calls.append(1))
    work()
    handle.remove()
    return len(calls)


# the counter is kept at the model, and goes on
@wrong("clean")
def counter_at_the_model(model, work):
    model.calls = getattr(model, "calls", 0)

    def hook(module, *_):
        module.calls += 1

    handle = model.register_forward_hook(hook)
    work()
    handle.remove()
    return model.calls


kept = {}


# the counter lives outside, one for each model, and goes on
@wrong("again")
def counter_outside(model, work):
    if kept.get("model") is not model:
        kept.update(model=model, calls=0)

    def hook(*_):
        kept["calls"] += 1

    handle = model.register_forward_hook(hook)
    work()
    handle.remove()
    return kept["calls"]
