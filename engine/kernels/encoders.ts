import { equations } from '../kernel-language/written-kernel.ts';
import { kernelsOf, STEPS } from './table.ts';

/** Adaptation of the threshold of an integrate-and-fire time-encoding machine. */
const ADAPTATION = {
  /** Increment of the threshold per spike. */
  alpha: 'float',
  /** Fraction of the excess over 1 that a step without a spike keeps. */
  rho: 'float',
} as const;

const OVER_STEPS = { over: { step: 'steps', row: 'rows', column: 'width' } } as const;

const DECODED = {
  ...OVER_STEPS,
  scan: 'step',
  shapes: { spikes: 'bits[steps, rows, width]', output: 'f32[rows, width]', values: 'f32[steps]' },
} as const;

/** Numbers to spikes and back, and the auditory filter bank. */
export const encoderKernels = kernelsOf('encoders', {
  /** A spike in step t where `bounds[t + 1] < x <= bounds[t]`. */
  latency_encode: {
    operands: { intensity: 'read', bounds: 'read', spikes: 'write' },
    attributes: STEPS,
    write: equations({
      ...OVER_STEPS,
      shapes: {
        intensity: 'f32[rows, width]',
        bounds: 'f32[steps]',
        spikes: 'bits[steps, rows, width]',
      },
      equations: 'spikes = intensity > bounds[step + 1] && intensity <= bounds[step]',
    }),
  },
  /** `values[t]` of the first step with a spike; zero where there is none. */
  latency_decode: {
    operands: { spikes: 'read', values: 'read', output: 'write' },
    attributes: STEPS,
    write: equations({
      ...DECODED,
      equations: `
        state sum = 0
        state silent = 1
        sum = sum + (spikes ? silent * values : 0)
        silent = spikes ? 0 : silent
        after
        output = sum`,
    }),
  },
  /** `level`: changes are counted from the value last sent instead of from the sample before. */
  delta_encode: {
    operands: { signal: 'read', spikes: 'write' },
    attributes: { ...STEPS, threshold: 'float', level: 'flag' },
    write: equations(({ level }) => ({
      over: { step: 'steps', row: 'rows', neuron: '2 * width' },
      scan: 'step',
      shapes: { signal: 'f32[steps, rows, width]', spikes: 'bits[steps, rows, 2 * width]' },
      equations: `
        state known = 0
        x = signal[step, row, neuron < width ? neuron : neuron - width]
        change = x - known
        rises = change >= threshold
        falls = change <= -threshold
        spikes = neuron < width ? rises : falls
        known = ${level === true ? 'known + (rises ? threshold : falls ? -threshold : 0)' : 'x'}`,
    })),
  },
  delta_decode: {
    operands: { spikes: 'read', output: 'write' },
    attributes: { ...STEPS, threshold: 'float' },
    write: equations({
      ...OVER_STEPS,
      scan: 'step',
      shapes: { spikes: 'bits[steps, rows, 2 * width]', output: 'f32[steps, rows, width]' },
      equations: `
        state level = 0
        level = level + f32(spikes[step, row, column]) - f32(spikes[step, row, column + width])
        output = threshold * level`,
    }),
  },
  tas_encode: {
    operands: { signal: 'read', spikes: 'write' },
    attributes: {
      ...STEPS,
      /** 1 where the signal is the same in every step and stored once, else `steps`. */
      signalSteps: 'int',
      ...ADAPTATION,
    },
    write: equations({
      ...OVER_STEPS,
      scan: 'step',
      held: { signalSteps: 'step' },
      shapes: { signal: 'f32[signalSteps, rows, width]', spikes: 'bits[steps, rows, width]' },
      equations: `
        state v = 0
        state excess = 0
        v = v + signal
        threshold = 1 + excess
        fired = v >= threshold
        v = v - (fired ? threshold : 0)
        excess = fired ? excess + alpha : rho * excess
        spikes = fired`,
    }),
  },
  tas_decode: {
    operands: { spikes: 'read', output: 'write' },
    attributes: { ...STEPS, ...ADAPTATION },
    write: equations({
      ...DECODED,
      equations: `
        state sum = 0
        state excess = 0
        sum = sum + (spikes ? (1 + excess) / steps : 0)
        excess = spikes ? excess + alpha : rho * excess
        after
        output = sum`,
    }),
  },
  rate_decode: {
    operands: { spikes: 'read', output: 'write' },
    attributes: STEPS,
    write: equations({
      ...DECODED,
      equations: `
        state count = 0
        count = count + f32(spikes)
        after
        output = count / steps`,
    }),
  },
  /** `gain mean(|z|)^exponent` over `hop` samples at a time. */
  gammatone_envelope: {
    operands: { waveform: 'read', poles: 'read', envelope: 'write' },
    attributes: {
      rows: 'int',
      samples: 'int',
      channels: 'int',
      hop: 'int',
      gain: 'float',
      exponent: 'float',
    },
  },
});
