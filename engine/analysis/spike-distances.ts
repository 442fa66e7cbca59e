import { EngineError } from '../errors.ts';
import type { SpikeTrain } from './spike-trains.ts';

/**
 * Victor-Purpura distance (1996): the cheapest way from one train to the other, where a spike added or
 * removed costs 1 and one moved by t costs `cost * t`. Cost 0 compares counts, a large one coincidences.
 * Time O(n m), memory O(m).
 *
 * @param cost per unit of time, at least 0
 */
export function victorPurpura(a: SpikeTrain, b: SpikeTrain, cost: number): number {
  if (!(cost >= 0)) throw wrong('cost', cost, 'at least 0');
  let above = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (const [i, time] of a.entries()) {
    const row = [i + 1];
    for (const [j, other] of b.entries()) {
      const moved = (above[j] ?? 0) + cost * Math.abs(time - other);
      row.push(Math.min((above[j + 1] ?? 0) + 1, (row[j] ?? 0) + 1, moved));
    }
    above = row;
  }
  return above[b.length] ?? 0;
}

/**
 * Van Rossum distance (2001): the L2 distance of the trains, each filtered with `exp(-t / tau)` from its
 * spikes on,
 *
 *   D^2 = 1/tau integral (f - g)^2 dt = 1/2 (<a,a> + <b,b>) - <a,b>,   <x,y> = sum_ij exp(-|x_i - y_j| / tau)
 *
 * so that one spike more is a distance of sqrt(1/2). Time O(n + m): trains ascend.
 *
 * @param tau of the filter, above 0
 */
export function vanRossum(a: SpikeTrain, b: SpikeTrain, tau: number): number {
  if (!(tau > 0)) throw wrong('tau', tau, 'above 0');
  const squared = (overlap(a, a, tau) + overlap(b, b, tau)) / 2 - overlap(a, b, tau);
  // Rounding may give equal trains a distance slightly below 0.
  return Math.sqrt(Math.max(squared, 0));
}

/** sum_ij exp(-|x_i - y_j| / tau), with the decayed sum of all earlier spikes at each spike. */
function overlap(x: SpikeTrain, y: SpikeTrain, tau: number): number {
  return earlier(x, y, tau, (other, time) => other <= time) + earlier(y, x, tau, (o, t) => o < t);
}

/** Pairs whose second spike precedes the first, or coincides with it if `counts` includes that. */
function earlier(
  x: SpikeTrain,
  y: SpikeTrain,
  tau: number,
  counts: (other: number, time: number) => boolean,
): number {
  let sum = 0;
  let left = 0;
  let at = 0;
  let next = 0;
  for (const time of x) {
    left *= Math.exp((at - time) / tau);
    for (let other = y[next]; other !== undefined && counts(other, time); other = y[next]) {
      left += Math.exp((other - time) / tau);
      next += 1;
    }
    at = time;
    sum += left;
  }
  return sum;
}

const wrong = (name: string, value: number, expected: string) =>
  new EngineError('invalid-setting', `${name} is ${value}, expected ${expected}`);
