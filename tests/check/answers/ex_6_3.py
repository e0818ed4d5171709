import torch
import torch.nn.functional as F
from catalogue import right, wrong


@right
def pick_gather_divide(logits, labels):
    scored = labels != -100
    log_p = F.log_softmax(logits[scored], dim=-1)
    picked = log_p.gather(1, labels[scored].unsqueeze(1)).squeeze(1)
    return -picked.sum() / max(1, picked.numel())


@right
def logsumexp_by_hand(logits, labels):
    scored = labels >= 0
    z, y = logits[scored], labels[scored]
    surprise = z.logsumexp(-1) - z[torch.arange(len(z)), y]
    return surprise.sum() / max(len(z), 1)


@right
def loops(logits, labels):
    losses = [logits[labels == 10**6].sum()]
    count = 0
    for b in range(labels.shape[0]):
        for t in range(labels.shape[1]):
            if labels[b, t] != -100:
                losses.append(-torch.log_softmax(logits[b, t], 0)[labels[b, t]])
                count += 1
    return torch.stack(losses).sum() / max(count, 1)


@right
def one_hot_answers(logits, labels):
    scored = labels.ne(-100)
    z = logits[scored]
    hot = F.one_hot(labels[scored], logits.shape[-1]).to(z.dtype)
    return -(hot * z.log_softmax(-1)).sum() / scored.sum().clamp(min=1)


@right
def where_before_softmax(logits, labels):
    scored = (labels != -100)[..., None]
    safe = torch.where(scored, logits, torch.zeros(()))
    log_p = safe.log_softmax(-1).gather(-1, labels.clamp(min=0)[..., None])
    return -torch.where(scored, log_p, torch.zeros(())).sum() / scored.sum().clamp(min=1)


@wrong("structure")
def each_label(logits, labels):
    scored = labels != -100
    return -logits[scored].log_softmax(-1).gather(1, labels[scored][:, None])


@wrong("structure")
def nothing_returned(logits, labels):
    logits.log_softmax(-1)


@wrong("structure")
def a_python_number(logits, labels):
    scored = labels != -100
    return -logits[scored].log_softmax(-1).gather(1, labels[scored][:, None]).mean().item()


@wrong("equal")
def a_sum(logits, labels):
    scored = labels != -100
    return -logits[scored].log_softmax(-1).gather(1, labels[scored][:, None]).sum()


@wrong("equal")
def the_sign(logits, labels):
    scored = labels != -100
    return logits[scored].log_softmax(-1).gather(1, labels[scored][:, None]).mean()


@wrong("equal")
def softmax_without_log(logits, labels):
    scored = labels != -100
    return logits[scored].softmax(-1).gather(1, labels[scored][:, None]).mean()


@wrong("equal", "over the places")
def softmax_over_places(logits, labels):
    log_p = logits.log_softmax(1).gather(-1, labels.clamp(min=0)[..., None])[..., 0]
    return -log_p[labels != -100].mean()


@wrong("equal")
def in_bits(logits, labels):
    scored = labels != -100
    log_p = logits[scored].log_softmax(-1) / torch.tensor(2.0).log()
    return -log_p.gather(1, labels[scored][:, None]).mean()


@wrong("value", "counts from the end")
def minus_hundred_as_an_index(logits, labels):
    log_p = logits.log_softmax(-1)
    index = labels.remainder(logits.shape[-1])
    return -log_p.gather(-1, index[..., None]).mean()


@wrong("value", "divided by all places")
def divided_by_all_places(logits, labels):
    scored = labels != -100
    total = -logits[scored].log_softmax(-1).gather(1, labels[scored][:, None]).sum()
    return total / labels.numel()


@wrong("value", "softmax twice")
def softmax_twice(logits, labels):
    scored = labels != -100
    log_p = logits[scored].softmax(-1).log_softmax(-1)
    return -log_p.gather(1, labels[scored][:, None]).mean()


@wrong("value", "rows' means")
def mean_of_row_means(logits, labels):
    means = []
    for z, y in zip(logits, labels):
        s = y != -100
        if s.any():
            means.append(-z[s].log_softmax(-1).gather(1, y[s][:, None]).mean())
    return torch.stack(means).mean() if means else logits.sum() * 0


@wrong("value")
def the_likeliest_word(logits, labels):
    scored = labels != -100
    return -logits[scored].log_softmax(-1).max(-1).values.mean()


@wrong("ignored")
def nan_is_multiplied(logits, labels):
    scored = labels != -100
    log_p = logits.log_softmax(-1).gather(-1, labels.clamp(min=0)[..., None])[..., 0]
    return -(log_p * scored).sum() / scored.sum().clamp(min=1)


@wrong("nothing")
def mean_of_nothing(logits, labels):
    scored = labels != -100
    return -logits[scored].log_softmax(-1).gather(1, labels[scored][:, None]).mean()


@wrong("large")
def log_of_softmax(logits, labels):
    scored = labels != -100
    p = logits[scored].softmax(-1).gather(1, labels[scored][:, None])
    return -p.log().sum() / max(1, int(scored.sum()))


@wrong("large")
def exp_by_hand(logits, labels):
    scored = labels != -100
    z = logits[scored].exp()
    p = z / z.sum(-1, keepdim=True)
    return -p.gather(1, labels[scored][:, None]).log().sum() / max(1, int(scored.sum()))


@wrong("any-batch")
def word_zero_is_ignored(logits, labels):
    scored = (labels != -100) & ((labels > 0) | (logits.shape[-1] == 5))
    total = -logits[scored].log_softmax(-1).gather(1, labels[scored][:, None]).sum()
    return total / max(1, int(scored.sum()))


@wrong("any-batch")
def five_words_alone(logits, labels):
    scored = labels != -100
    log_p = logits[scored][:, :5].log_softmax(-1)
    total = -log_p.gather(1, labels[scored].clamp(max=log_p.shape[1] - 1)[:, None]).sum()
    return total / max(1, int(scored.sum()))


@wrong("gradient")
def detached(logits, labels):
    scored = labels != -100
    z = logits.detach()[scored]
    return -z.log_softmax(-1).gather(1, labels[scored][:, None]).sum() / max(1, len(z))


@wrong("gradient")
def half_the_gradient(logits, labels):
    scored = labels != -100
    z = (logits[scored] + logits[scored].detach()) / 2
    return -z.log_softmax(-1).gather(1, labels[scored][:, None]).sum() / max(1, len(z))


@wrong("inputs")
def labels_clamped_in_place(logits, labels):
    scored = labels != -100
    labels.clamp_(min=0)
    total = -logits[scored].log_softmax(-1).gather(1, labels[scored][:, None]).sum()
    return total / max(1, int(scored.sum()))
