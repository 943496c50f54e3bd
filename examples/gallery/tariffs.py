"""What electricity costs when power and price change at different times: runs times runs.

A year, second by second, is 31 million elements, stored as the runs of each day.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from shared import FIRST, SECOND, THIRD, picture

import structarr as sa

HOUR, DAYS = 3600, 365


def steps(starts: Any, values: Any) -> sa.Array:
    """Return the days of a year, of values that each hold from their start to the next one."""
    ends = np.append(starts[1:], DAYS * 24 * HOUR)
    return sa.asarray(np.repeat(values, ends - starts).reshape(DAYS, -1), format="rle")


def main() -> None:
    rng = np.random.default_rng(0)
    switched = np.unique(np.append(0, rng.integers(0, DAYS * 24 * HOUR, 12 * DAYS)))
    power = steps(switched, rng.choice([0.1, 0.4, 1.2, 2.5], len(switched)))  # kW
    days = 24 * HOUR * np.arange(DAYS)
    changes = np.ravel(days[:, None] + [0, 6 * HOUR, 22 * HOUR])
    tariff = steps(changes, np.tile([0.2, 0.35, 0.2], DAYS))  # per kWh

    cost = power * tariff / HOUR
    daily = np.asarray(cost.sum(axis=1))
    share = float(np.where(tariff > 0.3, power, 0.0).sum() / power.sum())

    assert cost.format == "rle" and np.isclose(float(cost.sum()), daily.sum())
    wanted = (power[0].todense() * tariff[0].todense()).sum() / HOUR
    np.testing.assert_allclose(daily[0], wanted)
    picture(draw, power[0], tariff[0], cost, daily, share, size=(9, 3))


def draw(figure: Any, power: Any, tariff: Any, cost: sa.Array, daily: Any, share: float) -> None:
    left, right = figure.subplots(1, 2, width_ratios=(1.4, 1))
    hours = np.arange(0, len(power), 60) / HOUR
    left.plot(hours, power.todense()[::60], color=FIRST, label="power, kW")
    left.plot(hours, 5 * tariff.todense()[::60], color=SECOND, label="5 x price")
    left.set(xlabel="hour", title=f"the first day of {cost.shape}: {cost.nstored:,} runs")
    left.set_ylim(0, 3.4)
    left.legend(loc="upper right", ncols=2)
    right.plot(daily, color=THIRD, linewidth=0.8)
    right.set(xlabel="day", title=f"cost of a day; {share:.0%} of the energy at the high price")


if __name__ == "__main__":
    main()
