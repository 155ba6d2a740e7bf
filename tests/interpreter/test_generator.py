"""The generator against published values of SplitMix64 and against a computation of its own."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regelwerk.interpreter import generator

# Published outputs: seed 1234567 is the test of Rosetta Code ("Pseudo-random numbers/Splitmix64"), seed 0 that of the
# reference code.
PUBLISHED = {
    1234567: [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ],
    0: [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F, 0xF88BB8A8724C81EC],
}

words = st.integers(0, 2**64 - 1)


def reference(state: int) -> tuple[int, int]:
    """SplitMix64 on arrays of bits, so that it shares nothing with the code under test."""

    def shift_xor(value: list[int], places: int) -> list[int]:
        return [bit ^ (value[k + places] if k + places < 64 else 0) for k, bit in enumerate(value)]

    def times(value: list[int], factor: int) -> list[int]:
        number = sum(bit << k for k, bit in enumerate(value)) * factor
        return [number >> k & 1 for k in range(64)]

    state = (state + 11400714819323198485) % 2**64
    bits = [state >> k & 1 for k in range(64)]
    bits = times(shift_xor(bits, 30), 13787848793156543929)
    bits = times(shift_xor(bits, 27), 10723151780598845931)
    bits = shift_xor(bits, 31)
    return state, sum(bit << k for k, bit in enumerate(bits))


@pytest.mark.parametrize("seed", PUBLISHED)
def test_published_values(seed: int) -> None:
    state, found = seed, []
    for _ in PUBLISHED[seed]:
        state, bits = generator.step(state)
        found.append(bits)
    assert found == PUBLISHED[seed]


@given(words)
def test_one_step_is_that_of_the_reference(state: int) -> None:
    assert generator.step(state) == reference(state)


@given(words)
def test_mixing_keeps_64_bits(value: int) -> None:
    assert 0 <= generator.mix(value) < 2**64


def test_mixing_is_one_to_one_on_a_sample() -> None:
    assert len({generator.mix(value) for value in range(20_000)}) == 20_000


@given(st.integers(), st.integers(0, 200))
def test_seeds_are_taken_modulo_two_to_the_64(seed: int, stream: int) -> None:
    assert generator.seed_stream(seed, stream) == generator.seed_stream(seed % 2**64, stream)
    assert 0 <= generator.seed_stream(seed, stream) < 2**64


def test_streams_and_seeds_are_all_different() -> None:
    assert len({generator.seed_stream(seed, stream) for seed in range(200) for stream in range(50)}) == 10_000


@given(words, st.integers(1, 2**32))
def test_bounded_numbers_are_in_range(state: int, count: int) -> None:
    following, value = generator.below(state, count)
    assert 0 <= value < count
    assert 0 <= following < 2**64


@given(words, st.integers(2**31, 2**32))
def test_rejection_takes_the_first_number_of_a_whole_range(state: int, count: int) -> None:
    """With counts this large up to half of the draws are rejected: the first that is below the limit is taken."""
    limit = 2**32 // count * count
    expected = state
    while True:
        expected, bits = reference(expected)
        if bits >> 32 < limit:
            break
    assert generator.below(state, count) == (expected, (bits >> 32) % count)


def test_rejection_happens() -> None:
    state, longest = 7, 0
    for _ in range(200):
        before = state
        state, _ = generator.below(state, 2**31 + 1)
        steps = (state - before) * pow(0x9E3779B97F4A7C15, -1, 2**64) % 2**64
        longest = max(longest, steps)
    assert longest >= 3


def test_below_one_is_always_zero() -> None:
    assert {generator.below(state, 1)[1] for state in range(100)} == {0}


# The 0.9999 quantiles of chi-square; the draws are the same on every run, so this cannot fail by chance.
@pytest.mark.parametrize(("count", "quantile"), [(2, 15.14), (6, 25.74), (7, 27.86), (44, 88.2), (100, 160.1)])
def test_bounded_numbers_are_uniform(count: int, quantile: float) -> None:
    draws = 500 * count
    state, found = generator.seed_stream(2024, count), Counter[int]()
    for _ in range(draws):
        state, value = generator.below(state, count)
        found[value] += 1
    expected = draws / count
    assert sum((found[k] - expected) ** 2 / expected for k in range(count)) < quantile


def test_pairs_of_streams_are_not_correlated() -> None:
    """Dice from two streams that follow each other: all 36 pairs equally often."""
    left, right = generator.seed_stream(5, 0), generator.seed_stream(5, 1)
    pairs = Counter[tuple[int, int]]()
    for _ in range(18_000):
        left, a = generator.below(left, 6)
        right, b = generator.below(right, 6)
        pairs[a, b] += 1
    assert sum((pairs[a, b] - 500) ** 2 / 500 for a in range(6) for b in range(6)) < 76.4
