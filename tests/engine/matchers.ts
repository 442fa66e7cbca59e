import { expect } from 'vitest';

type Numbers = ArrayLike<number>;

expect.extend({
  /** Every element within `tolerance` times (1 + its magnitude); integers must be equal. */
  toMatchNumbers(actual: Numbers, expected: Numbers, tolerance: number) {
    let worst = { error: 0, index: -1 };
    for (let i = 0; i < expected.length; i++) {
      // Infinities and NaN match themselves.
      if (Object.is(actual[i], expected[i])) continue;
      const difference = Math.abs((actual[i] ?? Number.NaN) - (expected[i] ?? Number.NaN));
      const error = difference / (1 + Math.abs(expected[i] ?? 0));
      if (!(error <= worst.error)) worst = { error, index: i };
    }
    const { error, index } = worst;
    return {
      pass: actual.length === expected.length && error <= tolerance,
      message: () =>
        actual.length === expected.length
          ? `element ${index}: ${actual[index]} instead of ${expected[index]} (${error} > ${tolerance})`
          : `${actual.length} elements instead of ${expected.length}`,
    };
  },
});

declare module 'vitest' {
  interface Matchers<R extends void | Promise<void> = void | Promise<void>, T = unknown> {
    toMatchNumbers(expected: Numbers, tolerance: number): R;
  }
}
