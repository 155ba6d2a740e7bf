"""The random generator: SplitMix64 streams that live in the state.

One stream of 64 bits for each purpose (a type of dice, a zone, a `random` clause), seeded from the game's seed and the
number of the stream. The same on every platform; `tests/interpreter/test_generator.py` holds test vectors. SplitMix64:
Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
"""

from __future__ import annotations

MASK = (1 << 64) - 1
_GOLDEN = 0x9E3779B97F4A7C15


def mix(value: int) -> int:
    """The output function of SplitMix64: 64 bits to 64 bits."""
    value = ((value ^ (value >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    value = ((value ^ (value >> 27)) * 0x94D049BB133111EB) & MASK
    return value ^ (value >> 31)


def seed_stream(seed: int, stream: int) -> int:
    """The first state of a stream. `seed` is any integer (taken modulo 2**64), `stream` counts from 0."""
    return mix((mix(seed & MASK) + (stream + 1) * _GOLDEN) & MASK)


def step(state: int) -> tuple[int, int]:
    """The next state and 64 random bits."""
    state = (state + _GOLDEN) & MASK
    return state, mix(state)


def below(state: int, count: int) -> tuple[int, int]:
    """The next state and a number from 0 to `count - 1`, each equally likely (rejection of the incomplete last
    range)."""
    limit = (1 << 32) - (1 << 32) % count
    while True:
        state, bits = step(state)
        high = bits >> 32
        if high < limit:
            return state, high % count
