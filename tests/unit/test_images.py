"""The shipped pictures, and a learner's own."""

import re

import pytest
import torch
from PIL import Image

from companion.data import load_images, load_own_images

SIZES = {
    "emoji": (3, 32, 32, 3267, 250),
    "fashion-mnist": (1, 28, 28, 9000, 1000),
    "photos": (3, 64, 64, 224, 32),
}


@pytest.mark.parametrize("name", SIZES)
def test_shapes_values_and_labels(name):
    channels, height, width, train, held_out = SIZES[name]
    for split, count in (("train", train), ("validation", held_out)):
        images = load_images(name, split)
        assert images.pixels.shape == (count, channels, height, width)
        assert images.pixels.dtype == torch.float32
        assert 0 <= images.pixels.min() < 0.05
        assert 0.95 < images.pixels.max() <= 1
        assert images.labels.shape == (count,)
        assert images.labels.max() < len(images.names)
        assert len(images.titles) == count


@pytest.mark.parametrize("name", SIZES)
def test_no_picture_is_on_both_sides(name):
    train, held_out = (load_images(name, split).pixels for split in ("train", "validation"))
    known = {picture.numpy().tobytes() for picture in train}
    assert len(known) >= len(train) - 10  # Fashion-MNIST has a few copies of its own
    assert not known & {picture.numpy().tobytes() for picture in held_out}


def test_no_sister_of_a_held_out_emoji_is_in_training():
    """Skin tones have one name: were one of them on the other side, its name would be there."""
    train, held_out = load_images("emoji"), load_images("emoji", "validation")
    assert not set(train.titles) & set(held_out.titles)
    assert len(set(held_out.titles)) == len(held_out.titles)
    assert all(train.titles)
    assert all(held_out.titles)
    for word in ("firefighter", "pilot", "scientist", "teacher"):
        sides = [any(word in title for title in one.titles) for one in (train, held_out)]
        assert sum(sides) == 1, word


def test_the_sun_is_held_out():
    held_out = load_images("emoji", "validation")
    sun = held_out.titles.index("black sun with rays")
    assert held_out.names[held_out.labels[sun]] == "Travel & Places"
    red, green, blue = held_out.pixels[sun, :, 16, 16]
    assert red > 0.9
    assert blue < green < red  # orange
    assert (held_out.pixels[sun, :, 0, 0] > 0.98).all()  # on white


def test_held_out_photographs_are_held_out_whole():
    train, held_out = load_images("photos"), load_images("photos", "validation")
    assert not set(train.labels.tolist()) & set(held_out.labels.tolist())


def test_a_kind_of_clothing_looks_like_it():
    train = load_images("fashion-mnist")
    trousers = train.pixels[train.labels == train.names.index("Trouser")].mean(0)[0]
    boots = train.pixels[train.labels == train.names.index("Ankle boot")].mean(0)[0]
    assert trousers[25, 14] < 0.7 * trousers[25, [10, 17]].mean()  # between the legs
    assert boots[18:24].mean() > 1.2 * boots[3:9].mean()  # the foot
    assert train.titles[0] == train.names[train.labels[0]]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("cifar",), "no pictures 'cifar'. Choose one of: emoji, fashion-mnist, photos"),
        (("emoji", "test"), "split is 'test'. Choose 'train' or 'validation'"),
    ],
)
def test_what_is_not_there(arguments, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        load_images(*arguments)


@pytest.fixture
def folder(tmp_path):
    for kind in ("cats", "dogs"):
        (tmp_path / kind).mkdir()
    half_red = Image.new("RGB", (30, 20))
    half_red.paste((255, 0, 0), (0, 0, 15, 20))  # its left half
    half_red.save(tmp_path / "cats" / "b.png")
    Image.new("RGB", (20, 40), (128, 128, 128)).save(tmp_path / "dogs" / "a.JPG")
    Image.new("L", (8, 8), 51).save(tmp_path / "cats" / "a.png")
    (tmp_path / "notes.txt").write_text("no picture")
    return tmp_path


def test_own_pictures_are_read_cut_and_labelled(folder):
    images = load_own_images(folder, size=10)
    assert images.pixels.shape == (3, 3, 10, 10)
    assert images.names == ("cats", "dogs")
    assert images.titles == ("a", "b", "a")
    assert images.labels.tolist() == [0, 0, 1]
    assert torch.allclose(images.pixels[0], torch.tensor(0.2), atol=1e-3)  # grey has three equal
    red = images.pixels[1]
    assert red[0, :, :4].min() > 0.99
    assert red[0, :, 6:].max() < 0.01
    assert red[1:].max() < 0.01
    assert torch.allclose(images.pixels[2], torch.tensor(128 / 255), atol=0.01)


def test_one_channel(folder):
    grey = load_own_images(folder, size=10, channels=1).pixels
    assert grey.shape == (3, 1, 10, 10)
    assert grey[1, 0, 5, 1].item() == pytest.approx(0.299, abs=0.01)  # red is dark


def test_transparent_parts_are_white(tmp_path):
    Image.new("RGBA", (8, 8), (0, 0, 255, 0)).save(tmp_path / "clear.png")
    Image.new("RGBA", (8, 8), (0, 0, 255, 128)).save(tmp_path / "half.png")
    clear, half = load_own_images(tmp_path, size=8).pixels
    assert (clear == 1).all()
    assert torch.allclose(half[:, 0, 0], torch.tensor([0.5, 0.5, 1.0]), atol=0.01)


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("empty.png", b"", r"empty\.png is empty: leave it out"),
        ("text.jpg", b"this is text", r"text\.jpg is broken or no picture"),
    ],
)
def test_a_broken_file_is_named(folder, name, data, message):
    (folder / "dogs" / name).write_bytes(data)
    with pytest.raises(ValueError, match=message):
        load_own_images(folder, size=10)


def test_a_picture_cut_short_is_named(folder):
    path = folder / "cats" / "b.png"
    path.write_bytes(path.read_bytes()[:60])
    with pytest.raises(ValueError, match=r"b\.png is broken"):
        load_own_images(folder, size=10)


def test_nothing_to_read(folder, tmp_path):
    (tmp_path / "bare").mkdir()
    with pytest.raises(ValueError, match=r"holds no picture: none of its files ends in \.png"):
        load_own_images(tmp_path / "bare", size=10)
    with pytest.raises(FileNotFoundError, match="there is no folder"):
        load_own_images(tmp_path / "gone", size=10)
    with pytest.raises(ValueError, match="is a file: name the folder"):
        load_own_images(folder / "notes.txt", size=10)
    with pytest.raises(ValueError, match="size is 0"):
        load_own_images(folder, size=0)
    with pytest.raises(ValueError, match="channels 4"):
        load_own_images(folder, size=8, channels=4)
