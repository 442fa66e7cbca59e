import { expect, it } from 'vitest';
import { decayOf } from '../../engine/neurons/decay.ts';

it('keeps 1 / e of a membrane over one time constant', () => {
  expect(decayOf(20, 20)).toBeCloseTo(1 / Math.E, 12);
  expect(decayOf(20) ** 20).toBeCloseTo(1 / Math.E, 12);
});

it.each([
  [0, 1, 'tau is 0:'],
  [-5, 1, 'tau is -5:'],
  [Number.NaN, 1, 'tau is NaN:'],
  [Infinity, 1, 'tau is Infinity:'],
  [20, 0, 'dt is 0:'],
  [20, Number.NaN, 'dt is NaN:'],
])('refuses tau %d ms with dt %d ms', (tau, dt, message) => {
  expect(() => decayOf(tau, dt)).toThrow(message);
});
