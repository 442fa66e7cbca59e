import { kernelsOf, STEPS } from './table.ts';

/** Adaptation of the threshold of an integrate-and-fire time-encoding machine. */
const ADAPTATION = {
  /** Increment of the threshold per spike. */
  alpha: 'float',
  /** Fraction of the excess over 1 that a step without a spike keeps. */
  rho: 'float',
} as const;

/** Numbers to spikes and back, and the auditory filter bank. */
export const encoderKernels = kernelsOf('encoders', {
  /** A spike in step t where `bounds[t + 1] < x <= bounds[t]`. */
  latency_encode: {
    operands: { intensity: 'read', bounds: 'read', spikes: 'write' },
    attributes: STEPS,
  },
  /** `values[t]` of the first step with a spike; zero where there is none. */
  latency_decode: {
    operands: { spikes: 'read', values: 'read', output: 'write' },
    attributes: STEPS,
  },
  /** `level`: changes are counted from the value last sent instead of from the sample before. */
  delta_encode: {
    operands: { signal: 'read', spikes: 'write' },
    attributes: { ...STEPS, threshold: 'float', level: 'flag' },
  },
  delta_decode: {
    operands: { spikes: 'read', output: 'write' },
    attributes: { ...STEPS, threshold: 'float' },
  },
  tas_encode: {
    operands: { signal: 'read', spikes: 'write' },
    attributes: {
      ...STEPS,
      /** 1 where the signal is the same in every step and stored once, else `steps`. */
      signalSteps: 'int',
      ...ADAPTATION,
    },
  },
  tas_decode: {
    operands: { spikes: 'read', output: 'write' },
    attributes: { ...STEPS, ...ADAPTATION },
  },
  rate_decode: { operands: { spikes: 'read', output: 'write' }, attributes: STEPS },
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
