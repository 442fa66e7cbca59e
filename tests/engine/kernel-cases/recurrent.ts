import { bits, both, type CaseMakers, dyadic, emptyBits, numbers } from './operands.ts';

/** Recurrent neurons. In multiples of 1/64 every sum is exact, so spikes are the same everywhere. */
export const recurrentCases = {
  recurrent_lif_forward: (size, from) =>
    layers(size).flatMap(({ rows, width }) =>
      both.map((isHeld) => ({
        name: `3 x ${rows} x ${width}, held and biased ${isHeld}`,
        kernel: 'recurrent_lif_forward',
        operands: {
          current: dyadic([isHeld ? 1 : 3, rows, width], from, -1, 2),
          weight: dyadic([width, width], from),
          spikes: emptyBits([3, rows, width]),
          membrane: numbers([3, rows, width], from),
          ...(isHeld && { bias: dyadic([width], from) }),
        },
        attributes: {
          steps: 3,
          rows,
          width,
          currentSteps: isHeld ? 1 : 3,
          beta: 0.5,
          threshold: 1,
        },
      })),
    ),
  recurrent_lif_backward: (size, from) =>
    layers(size).map(({ rows, width }) => ({
      name: `3 x ${rows} x ${width}`,
      kernel: 'recurrent_lif_backward',
      operands: {
        membrane: numbers([3, rows, width], from, -1, 3),
        weight: numbers([width, width], from, -0.1, 0.1),
        gradient: numbers([3, rows, width], from),
      },
      attributes: { steps: 3, rows, width, beta: 0.9, threshold: 1, surrogate: 'atan' },
    })),
  delay_steps: (size, from) =>
    [0, 2, 5].map((delay) => ({
      name: `5 steps of 3 x ${size}, ${delay} later`,
      kernel: 'delay_steps',
      operands: { source: bits([5, 3, size], from), target: emptyBits([5, 3, size]) },
      attributes: { count: 3 * Math.ceil(size / 32), steps: 5, delay },
    })),
} satisfies Partial<CaseMakers>;

/** Many rows of few neurons, and few rows of more than the 256 neurons that one pass reads. */
function layers(size: number) {
  return [
    { rows: size, width: 5 },
    { rows: 3, width: Math.min(size, 300) },
  ];
}
