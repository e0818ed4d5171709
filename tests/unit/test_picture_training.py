"""`companion pretrain` on pictures: masks, halves, resumed runs, several processes."""

import shutil
from pathlib import Path

import pytest
import torch
from PIL import Image
from test_torchrun import finish, start, weights

from companion.cli import main
from companion.data import load_images
from companion.losses import mae_loss
from companion.models import Mae
from companion.training import load_config, read_log
from companion.training.checkpoints import whole_checkpoints
from companion.training.pictures import HeldOutPictures, build_mae, own_pictures, picture_task
from companion.training.run import pretrain

ROOT = Path(__file__).resolve().parents[2]
TINY = """
[model]
name = "Mae"

[model.sizes]
patch_size = 8
hidden_size = 16
num_hidden_layers = 2
num_attention_heads = 2
intermediate_size = 24
decoder_hidden_size = 8
decoder_num_hidden_layers = 1
decoder_num_attention_heads = 2
decoder_intermediate_size = 16
mask_ratio = 0.75

[data]
images = "emoji"

[optimizer]
learning_rate = 3e-3
muon_learning_rate = 0.02
clip = 0.5

[schedule]
steps = 8
warmup = 2

[run]
batch_size = 8
micro_batch_size = 3
log_every = 2
evaluate_every = 8
checkpoint_every = 2
"""


def recipe(folder: Path, *changes: tuple[str, str]) -> Path:
    text = TINY
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    path = folder / "tiny.toml"
    path.write_text(text)
    return path


@pytest.fixture
def task(tmp_path):
    torch.manual_seed(0)
    return picture_task(load_config(recipe(tmp_path)), None)


def test_what_a_picture_hides_depends_on_seed_epoch_and_picture_alone(task):
    ask = task.objective
    numbers = torch.tensor([5, 17, 3000, 6])
    one = ask.batch(numbers, 0)
    other = ask.batch(numbers.flip(0)[1:], 0)  # another batch, another order
    assert torch.equal(one.hidden.flip(0)[1:], other.hidden)
    assert not torch.equal(one.hidden, ask.batch(numbers, 1).hidden)
    assert torch.equal(one.images, load_images("emoji").pixels[numbers])
    assert (one.hidden.sum(1) == 12).all()


def test_the_exam_never_moves_and_is_of_the_other_half(task, tmp_path):
    watcher = task.watch(tmp_path)
    assert isinstance(watcher, HeldOutPictures)
    assert torch.equal(watcher.pictures.pixels, load_images("emoji", "validation").pixels)
    assert watcher.evaluate(task.model) == watcher.evaluate(task.model)


def test_the_score_is_the_loss_of_all_held_out_pictures(task, tmp_path):
    watcher = task.watch(tmp_path)
    batch = watcher.pictures.batch(torch.arange(len(watcher.pictures)), None)
    with torch.no_grad():
        output = task.model(batch.images, batch.mask)
        whole = mae_loss(output.pred, output.patches, batch.hidden)
    score = watcher.evaluate(task.model)
    assert score.loss == pytest.approx(whole.item(), rel=1e-5)
    assert score.accuracy is None
    assert score.in_words() == f"{whole.item():.4f}"


def test_normalised_patches_when_the_config_says_so(tmp_path):
    config = load_config(recipe(tmp_path, ("mask_ratio = 0.75", "norm_pix_loss = true")))
    task = picture_task(config, None)
    batch = task.objective.batch(torch.arange(8), 0)
    output = task.model(batch.images, batch.mask)
    loss = task.objective.loss(task.model, batch, batch.scored, batch.examples)
    wanted = mae_loss(output.pred, output.patches, batch.hidden, norm_pix=True)
    assert loss.item() == pytest.approx(wanted.item(), rel=1e-5)


def test_blocks_begin_as_copies(task):
    """What they add is 0, so the latent of a patch is its embedding, normalised."""
    model = task.model
    images = load_images("emoji", "validation").pixels[:2]
    embedded = model.encoder.patch_embedding(images).flatten(2).transpose(1, 2)
    embedded = embedded + model.encoder.position_embeddings[:, 1:]
    latent = model.encode(images)[:, 1:]
    assert torch.allclose(latent, model.encoder.final_norm(embedded), atol=1e-5)


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    folder = tmp_path_factory.mktemp("finished")
    pretrain(recipe(folder), folder / "run")
    return folder


def test_a_run_ends_in_a_folder_and_a_log(finished):
    run = finished / "run"
    model = Mae.from_pretrained(run)
    assert model.config.image_size == 32
    assert model.config.num_channels == 3
    assert not (run / "tokenizer.json").exists()
    log = read_log(run / "log.csv")
    assert [line.step for line in log] == [2, 4, 6, 8]
    assert log[-1].held_out_loss is not None
    assert log[-1].held_out_accuracy is None
    assert log[-1].loss < log[0].loss


def test_resumed_it_ends_in_the_same_weights(finished, tmp_path):
    """To the bit; the newest checkpoints are taken away, as if it had been killed before them."""
    run = Path(shutil.copytree(finished / "run", tmp_path / "run"))
    for path in whole_checkpoints(run / "checkpoints")[1:]:
        shutil.rmtree(path)
    pretrain(recipe(tmp_path), run, resume=True)
    one, two = weights(finished / "run"), weights(run)
    assert all(torch.equal(one[name], two[name]) for name in one)
    assert (finished / "run" / "log.csv").read_text().split(",")[0] == "step"
    assert [line.loss for line in read_log(run / "log.csv")] == [
        line.loss for line in read_log(finished / "run" / "log.csv")
    ]


@pytest.mark.parametrize("way", ["ddp", "fsdp"])
def test_two_processes_end_in_the_weights_of_one(finished, way, tmp_path):
    """Muon, clipping and unequal parts included."""
    finish(start(recipe(tmp_path), tmp_path / "two", *(["--fsdp"] if way == "fsdp" else [])))
    one, two = weights(finished / "run"), weights(tmp_path / "two")
    assert one.keys() == two.keys()
    for name, tensor in one.items():
        # A key's bias moves all scores of a query alike: its gradient is 0 but for rounding, which
        # Adam then makes as large as any other.
        if not name.endswith("key.bias"):
            torch.testing.assert_close(two[name], tensor, atol=5e-6, rtol=0, msg=name)
    logs = [read_log(folder / "log.csv") for folder in (finished / "run", tmp_path / "two")]
    for a, b in zip(*logs, strict=True):
        assert a.loss == pytest.approx(b.loss, abs=1e-5)


def pictures_in(folder: Path, count: int, side: int = 20) -> Path:
    folder.mkdir()
    for number in range(count):
        grey = (10 * number,) * 3
        Image.new("RGB", (side + 4, side), grey).save(folder / f"picture-{number:02}.png")
    return folder


def test_a_learners_own_pictures(tmp_path, capsys):
    folder = pictures_in(tmp_path / "mine", 21)
    config = recipe(tmp_path, ("patch_size = 8", "patch_size = 8\nimage_size = 16"))
    train, held_out = own_pictures(load_config(config), folder)
    assert (len(train.pixels), len(held_out.pixels)) == (19, 2)
    assert train.pixels.shape[1:] == (3, 16, 16)
    greys = (held_out.pixels[:, 0, 0, 0] * 255 / 10).round().int().tolist()
    assert greys == [9, 19]  # every tenth, from the tenth on
    command = ["pretrain", f"--config={config}", f"--out={tmp_path / 'run'}", f"--data={folder}"]
    assert main(command) == 0
    assert "19 pictures of 16 by 16 pixels in 3 channels" in capsys.readouterr().out
    assert Mae.from_pretrained(tmp_path / "run").config.image_size == 16


@pytest.mark.parametrize(
    ("count", "changes", "message"),
    [
        (21, [], "model.sizes.image_size must say"),
        (1, [("patch_size = 8", "patch_size = 8\nimage_size = 16")], "holds 1 picture; one to"),
        (5, [("patch_size = 8", "patch_size = 8\nimage_size = 16")], "4 pictures to train on"),
        (9, [("patch_size = 8", "patch_size = 8\nimage_size = 18")], "18 pixels"),
    ],
)
def test_what_cannot_be_trained_on_is_named(count, changes, message, tmp_path, capsys):
    folder = pictures_in(tmp_path / "mine", count)
    config = recipe(tmp_path, *changes)
    command = ["pretrain", f"--config={config}", f"--out={tmp_path / 'run'}", f"--data={folder}"]
    assert main(command) == 1
    said = capsys.readouterr().err
    assert message in said
    assert not (tmp_path / "run" / "training.toml").exists()


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('images = "emoji"', "", "data.images is missing: Mae reads pictures"),
        ('images = "emoji"', 'images = "emoji"\nlength = 32', "leave out all of"),
        ("[optimizer]", "[masking]\nrate = 0.3\n\n[optimizer]", "leave out all of"),
        ("log_every", "film = [0]\nlog_every", "Mae fills no blanks"),
        ('"Mae"', '"BertForMaskedLM"', "reads texts: leave out data.images"),
    ],
)
def test_a_config_that_mixes_texts_and_pictures_says_so(tmp_path, old, new, message):
    with pytest.raises(ValueError, match=message):
        load_config(recipe(tmp_path, (old, new)))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("patch_size = 8", "patch_sise = 8", "model.sizes.patch_sise is not known to Mae"),
        ("patch_size = 8", "patch_size = 5", "no multiple of patch_size=5"),
        ("patch_size = 8", "patch_size = 8\nimage_size = 28", "image_size is 28.* have 32"),
        ("patch_size = 8", "patch_size = 8\nnum_channels = 1", "num_channels is 1.* have 3"),
        ("mask_ratio = 0.75", "mask_ratio = 0.02", "of 16 patches none would be hidden"),
        ("mask_ratio = 0.75", "mask_ratio = 1.0", "mask_ratio must lie in"),
        ("hidden_size = 16\nnum", "hidden_size = 16.5\nnum", "must be of type int"),
    ],
)
def test_sizes_at_odds_with_the_pictures_are_named(tmp_path, old, new, message):
    with pytest.raises(ValueError, match=message):
        picture_task(load_config(recipe(tmp_path, (old, new))), None)


def test_too_few_pictures_for_a_step(tmp_path):
    config = load_config(recipe(tmp_path, ("batch_size = 8", "batch_size = 4000")))
    with pytest.raises(ValueError, match="pictures to train on, fewer"):
        picture_task(config, None)


@pytest.mark.parametrize("name", ["mae-emoji-mini", "mae-fashion-mini"])
def test_a_model_can_be_built_of_every_shipped_recipe(name):
    config = load_config(ROOT / "configs" / f"{name}.toml")
    assert config.is_of_pictures
    model = build_mae(config, load_images(config.data.images, "validation").pixels)
    assert 1_500_000 < sum(p.numel() for p in model.parameters()) < 2_500_000


def test_other_pictures_make_another_run(finished, tmp_path, capsys):
    """Resumed with other data, the first ones are named."""
    run = shutil.copytree(finished / "run", tmp_path / "run")
    config = recipe(tmp_path, ('images = "emoji"', 'images = "photos"'))
    assert main(["pretrain", f"--config={config}", f"--out={run}", "--resume"]) == 1
    assert "made with data.images = 'emoji', and now it is 'photos'" in capsys.readouterr().err
