import {
  bits,
  both,
  type CaseMakers,
  dyadic,
  emptyBits,
  f32,
  numbers,
  rowShapes,
} from './operands.ts';

const steps = 6;
/** Multiples of powers of two: thresholds add up exactly. */
const adaptation = { alpha: 0.25, rho: 0.5 };

/** Signals in multiples of 1/64, so that every backend has the same spikes. */
export const encoderCases = {
  latency_encode: (size, from) =>
    rowShapes(size).map(({ rows, width }) => ({
      name: `${rows} rows of ${width}`,
      kernel: 'latency_encode',
      operands: {
        intensity: numbers([rows, width], from, -0.2, 1.2),
        bounds: f32([steps + 1], Float32Array.of(9, 0.8, 0.7, 0.5, 0.2, 0.1, 0.01)),
        spikes: emptyBits([steps, rows, width]),
      },
      attributes: { steps, rows, width },
    })),
  latency_decode: (size, from) =>
    rowShapes(size).map(({ rows, width }) => ({
      name: `${rows} rows of ${width}`,
      kernel: 'latency_decode',
      operands: {
        spikes: bits([steps, rows, width], from, 0.2),
        values: f32([steps], Float32Array.of(1, 0.7, 0.5, 0.2, 0.1, 0.01)),
        output: numbers([rows, width], from),
      },
      attributes: { steps, rows, width },
    })),
  delta_encode: (size, from) =>
    rowShapes(size).flatMap(({ rows, width }) =>
      both.map((level) => ({
        name: `${rows} rows of ${width}, level ${level}`,
        kernel: 'delta_encode',
        operands: {
          signal: dyadic([steps, rows, width], from),
          spikes: emptyBits([steps, rows, 2 * width]),
        },
        attributes: { steps, rows, width, threshold: 0.5, level },
      })),
    ),
  delta_decode: (size, from) =>
    rowShapes(size).map(({ rows, width }) => ({
      name: `${rows} rows of ${width}`,
      kernel: 'delta_decode',
      operands: {
        spikes: bits([steps, rows, 2 * width], from),
        output: numbers([steps, rows, width], from),
      },
      attributes: { steps, rows, width, threshold: 0.3 },
    })),
  tas_encode: (size, from) =>
    rowShapes(size).flatMap(({ rows, width }) =>
      [1, steps].map((signalSteps) => ({
        name: `${rows} rows of ${width}, a signal of ${signalSteps}`,
        kernel: 'tas_encode',
        operands: {
          signal: dyadic([signalSteps, rows, width], from, 0, 1),
          spikes: emptyBits([steps, rows, width]),
        },
        attributes: { steps, rows, width, signalSteps, ...adaptation },
      })),
    ),
  tas_decode: (size, from) =>
    rowShapes(size).map(({ rows, width }) => ({
      name: `${rows} rows of ${width}`,
      kernel: 'tas_decode',
      operands: {
        spikes: bits([steps, rows, width], from),
        output: numbers([rows, width], from),
      },
      attributes: { steps, rows, width, ...adaptation },
    })),
  rate_decode: (size, from) =>
    rowShapes(size).map(({ rows, width }) => ({
      name: `${rows} rows of ${width}`,
      kernel: 'rate_decode',
      operands: {
        spikes: bits([steps, rows, width], from),
        output: numbers([rows, width], from),
      },
      attributes: { steps, rows, width },
    })),
  gammatone_envelope: (size, from) => [
    {
      name: `2 waveforms in ${size} bands`,
      kernel: 'gammatone_envelope',
      operands: {
        waveform: numbers([2, 50], from),
        poles: f32([size, 3], polesOf(from.floats(2 * size, 0, 1))),
        envelope: numbers([3, 2, size], from),
      },
      attributes: { rows: 2, samples: 50, channels: size, hop: 16, gain: 3, exponent: 0.5 },
    },
  ],
} satisfies Partial<CaseMakers>;

/** Poles within the unit circle, with what is left to its edge. */
function polesOf(uniform: Float32Array): Float32Array {
  const poles = new Float32Array((uniform.length / 2) * 3);
  for (let c = 0; c < uniform.length / 2; c++) {
    const radius = 0.5 + 0.45 * uniform[2 * c]!;
    const angle = Math.PI * uniform[2 * c + 1]!;
    poles.set([radius * Math.cos(angle), radius * Math.sin(angle), 1 - radius], 3 * c);
  }
  return poles;
}
