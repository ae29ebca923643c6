import pathlib
import subprocess
import sys

import numpy as np
import pytest

import weir


def random_case(batch, width, words, seed):
    random = np.random.default_rng(seed)
    bitmask = random.integers(-(2**31), 2**31, size=(batch, words), dtype=np.int64).astype(np.int32)
    bitmask[:, ::3] = -1
    bitmask[:, 1::5] = 0
    return random.standard_normal((batch, width)).astype(np.float32), bitmask


def reference(logits, bitmask):
    """Computes the expected masked logits bit by bit."""
    expected = logits.copy()
    for row, words in zip(expected, bitmask):
        for token in range(len(row)):
            if token // 32 >= len(words) or not (int(words[token // 32]) >> (token % 32)) & 1:
                row[token] = -np.inf
    return expected


def test_words():
    assert [weir.bitmask_words(size) for size in (0, 1, 32, 33)] == [0, 1, 1, 2]
    bitmask = weir.allocate_token_bitmask(3, 33)
    assert bitmask.shape == (3, 2) and bitmask.dtype == np.int32 and (bitmask == -1).all()
    for arguments in ((-1, 3), (3, -1)):
        with pytest.raises(ValueError, match="negative"):
            weir.allocate_token_bitmask(*arguments)


@pytest.mark.parametrize("dtype", [np.float32, np.float16])
@pytest.mark.parametrize("width, words", [(1, 1), (97, 4), (128, 4), (150, 4), (97, 3)])
def test_masking(dtype, width, words):
    logits, bitmask = random_case(4, width, words, width)
    logits = logits.astype(dtype)
    expected = reference(logits, bitmask)
    masked = logits.copy()
    weir.apply_token_bitmask_inplace(masked, bitmask)
    np.testing.assert_array_equal(masked, expected)
    some = logits.copy()
    weir.apply_token_bitmask_inplace(some, bitmask, indices=[2, 0])
    np.testing.assert_array_equal(some, np.stack([expected[0], logits[1], expected[2], logits[3]]))
    row = logits[0].copy()
    weir.apply_token_bitmask_inplace(row, bitmask[0])
    np.testing.assert_array_equal(row, expected[0])
    none = logits.copy()
    weir.apply_token_bitmask_inplace(none, bitmask, indices=[])
    np.testing.assert_array_equal(none, logits)


LOGITS, BITMASK = np.zeros((2, 64), np.float32), np.zeros((2, 2), np.int32)


def read_only():
    logits = LOGITS.copy()
    logits.flags.writeable = False
    return logits


@pytest.mark.parametrize("logits, bitmask, indices, raised, message", [
    (LOGITS.astype(np.float64), BITMASK, None, TypeError, "float64"),
    (LOGITS.astype(np.int32), BITMASK, None, TypeError, "int32"),
    ([1.0], BITMASK, None, TypeError, "`logits`.*not list"),
    (LOGITS, [1], None, TypeError, "`bitmask`.*not list"),
    (LOGITS, BITMASK.astype(np.int64), None, TypeError, "int64"),
    (LOGITS[:, ::2], BITMASK[:, :1].copy(), None, ValueError, "`logits` is not contiguous"),
    (LOGITS, np.zeros((2, 4), np.int32)[:, ::2], None, ValueError, "`bitmask` is not contiguous"),
    (LOGITS, BITMASK[:1], None, ValueError, "`logits` has 2 rows, `bitmask` 1"),
    (LOGITS, np.zeros((2, 3), np.int32), None, ValueError, "3 words a row, of 32 tokens each; the 64 columns of `logits` need 2"),
    (read_only(), BITMASK, None, ValueError, "`logits` is read-only"),
    (LOGITS, BITMASK, [2], IndexError, "row 2; there are 2"),
    (LOGITS, BITMASK, [-1], IndexError, "row -1"),
    (LOGITS, BITMASK[:1], [1], IndexError, "row 1; there are 1"),
])
def test_what_cannot_be_masked(logits, bitmask, indices, raised, message):
    with pytest.raises(raised, match=message):
        weir.apply_token_bitmask_inplace(logits, bitmask, indices)
    assert not np.isinf(LOGITS).any()


def test_the_version():
    assert weir.__version__ == (pathlib.Path(__file__).resolve().parents[2] / "VERSION").read_text().strip()


def test_importing_weir_imports_nothing_large():
    check = "import sys, weir; print(sorted({'numpy', 'torch', 'triton', 'tempfile'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True).stdout == "[]\n"
